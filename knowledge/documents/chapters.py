"""What each chapter of a whole handbook holds, and which chapters its file lacks."""

from collections import Counter
from dataclasses import dataclass

from knowledge.models import Chapter, Document

EMPTY, SCANNED, HELD = "empty", "needs OCR", "read"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldChapter:
    """A chapter, the page numbers printed on its first and last page, and what its pages hold."""

    chapter: Chapter
    printed: str
    passages: int
    figures: int
    scans: int

    @property
    def state(self) -> str:
        """Whether searches find text of the chapter: "read", "needs OCR" where pages are pictures of text, "empty"."""
        if self.scans:
            return SCANNED
        return HELD if self.passages else EMPTY


@dataclass(frozen=True, slots=True)
class Chapters:
    """The chapters of a document in their order, and the numbers between the first and the last that are not there."""

    held: tuple[HeldChapter, ...] = ()
    missing: tuple[int, ...] = ()


def chapters_of(document: Document) -> Chapters:
    """By five queries, however many chapters there are; no chapters for a document that is none of several."""
    rows = list(document.chapters.all())
    if not rows:
        return Chapters()
    pages = {
        number: (label, scan)
        for number, label, scan in document.pages.values_list("number", "label", "needs_ocr")
    }
    passages = Counter(document.chunks.values_list("page_start", flat=True))
    passages.update(document.places.values_list("page_start", flat=True))
    figures = Counter(document.images.values_list("page", flat=True))
    held = []
    for row in rows:
        span = range(row.page_start, row.page_end + 1)
        labels = [label for number in span if (label := pages.get(number, ("", False))[0])]
        held.append(
            HeldChapter(
                chapter=row,
                printed=" to ".join(dict.fromkeys((labels[0], labels[-1]))) if labels else "",
                passages=sum(passages[number] for number in span),
                figures=sum(figures[number] for number in span),
                scans=sum(pages.get(number, ("", False))[1] for number in span),
            )
        )
    numbers = {int(row.number) for row in rows if row.number.isdigit()}
    missing = sorted(set(range(1, max(numbers, default=0))) - numbers)
    return Chapters(tuple(held), tuple(missing))
