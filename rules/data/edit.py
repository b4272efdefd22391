"""Store an operator's change of an answer or a question, with a history row and a new vector.

The vector is made after the change is stored. If its model is unavailable, the change stays, and comparisons use words
until a worker makes the missing vector.
"""

from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Max

from knowledge.library_version import library_changed
from knowledge.optimistic_form import lock_row
from rules.data.load import change_of
from rules.models import ChangeKind, Origin, RuleAnswer, RuleQuestion, RuleQuestionChange
from rules.search.vectors import embed_kept


class ChangedMeanwhile(Exception):
    """Somebody else changed the row since it was read; nothing was stored."""


def store_answer(answer: RuleAnswer, *, by: Any, reason: str = "") -> None:
    """Store a new or changed answer, marked as an operator's. Raises ChangedMeanwhile unless `answer` was read in the
    stored version, which is compared under its lock."""
    with transaction.atomic():
        if not answer._state.adding:
            if version_now(answer) != answer.version:
                raise ChangedMeanwhile(f"this answer is no longer in version {answer.version}")
            answer.version += 1
        answer.origin = Origin.WRITTEN
        answer.save()
        _record_change(answer, ChangeKind.EDITED, by, reason)


def version_now(answer: RuleAnswer) -> int | None:
    """The stored version, locked until the transaction ends; None if the answer is gone."""
    row = lock_row(answer)
    return row.version if row else None


def remove_answer(answer: RuleAnswer, *, by: Any) -> None:
    """Remove an answer and keep its history. Loading a file that still has the answer restores it."""
    with transaction.atomic():
        _record_change(answer, ChangeKind.REMOVED, by, "")
        answer.delete()


def store_question(question: RuleQuestion, *, by: Any, reason: str = "") -> None:
    """Store a new or changed question. The key of a new one is made from its words, and it comes last."""
    with transaction.atomic():
        if question._state.adding:
            last = RuleQuestion.objects.filter(tenant=question.tenant_id).aggregate(last=Max("position"))[
                "last"
            ]
            question.key, question.position = question.text, 0 if last is None else last + 1
        question.origin = Origin.WRITTEN
        question.save()
        _record_question_change(question, ChangeKind.EDITED, by, reason)


def remove_question(question: RuleQuestion, *, by: Any) -> None:
    """Remove a question with its answers, each of which keeps its history."""
    with transaction.atomic():
        for answer in question.answers.all():
            remove_answer(answer, by=by)
        _record_question_change(question, ChangeKind.REMOVED, by, "")
        question.delete()


def _record_question_change(question: RuleQuestion, kind: ChangeKind, by: Any, reason: str) -> None:
    RuleQuestionChange.objects.create(
        tenant_id=question.tenant_id,
        question_key=question.key,
        kind=kind,
        text=question.text,
        category=question.category,
        tags=question.tags,
        by=by,
        reason=reason,
    )
    transaction.on_commit(partial(_embed_later, question.tenant_id))


def _record_change(answer: RuleAnswer, kind: ChangeKind, by: Any, reason: str) -> None:
    change = change_of(answer.question, answer, kind)
    change.by, change.reason = by, reason
    change.save()
    transaction.on_commit(partial(_embed_later, answer.question.tenant_id))


def _embed_later(tenant: int | None) -> None:
    embed_kept()
    library_changed(tenant)
