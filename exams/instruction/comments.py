"""Comments of instructors on an oral: written and changed by their author, read by its student."""

from typing import Any

from django.utils import timezone

from exams.conf import NOTE_CHARACTERS_MOST
from exams.models import Comment, Exam


class CommentRefused(ValueError):
    """Nothing was stored; the message says what to do."""


def write_comment(
    author: Any, exam: Exam, text: str, *, turn: int | None = None, key: int | None = None
) -> Comment:
    """A new comment on the oral or on one of its turns, or with `key` a new text for one of the author's own. The
    student is told of both. Raises CommentRefused."""
    text = text.strip()
    if not text:
        raise CommentRefused("Write something, or remove the comment.")
    if len(text) > NOTE_CHARACTERS_MOST:
        raise CommentRefused(
            f"A comment has at most {NOTE_CHARACTERS_MOST:,} characters; this one has {len(text):,}. Shorten it, or"
            " write it as several comments."
        )
    if key is not None:
        comment = _own_comment(author, exam, key)
        comment.text, comment.read_at = text, None
        comment.save()
        return comment
    asked = exam.turns.filter(number=turn).first() if turn is not None else None
    if turn is not None and asked is None:
        raise CommentRefused("There is no such question in this oral. Comment on the oral instead.")
    return Comment.objects.create(author=author, exam=exam, turn=asked, text=text)


def remove_comment(author: Any, exam: Exam, key: int) -> None:
    """Raises CommentRefused."""
    _own_comment(author, exam, key).delete()


def _own_comment(author: Any, exam: Exam, key: int) -> Comment:
    comment = Comment.objects.filter(pk=key, exam=exam, author=author).first()
    if comment is None:
        raise CommentRefused("This is no comment of yours, or you removed it before.")
    return comment


def mark_read(exam: Exam) -> None:
    """Whoever only reads again writes nothing."""
    unread = Comment.objects.filter(exam=exam, read_at=None)
    if unread.exists():
        unread.update(read_at=timezone.now())


def unread_comments(student: Any) -> list[Comment]:
    """What the student has not read yet, the oldest first; one for each oral and author."""
    rows = Comment.objects.filter(exam__student=student, read_at=None).select_related("author", "exam")
    return list(
        {(row.exam_id, row.author_id): row for row in rows.defer("exam__planner", "exam__scope")}.values()
    )
