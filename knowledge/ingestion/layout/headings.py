"""Paragraphs become sections: which paragraph is a heading, of what level, with what number. Pure.

Four signs are read, in this order: a bold number that counts on from the last one ("9.12 Traffic
Pattern."), the outline of the file, a line all in bold or in larger type, and, where print marks nothing,
the brevity that `paragraphs` saw. A heading may run into its text ("6.1 Back-Taxi. A term used by…"):
then the bold words are it.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from knowledge.ingestion.document_model import OutlineEntry, Paragraph, Section, squeezed
from knowledge.text.sentences import sentences_in

LARGER = 1.15  # times the size of the body: a heading
HEADING_LETTERS = 150
RUN_IN_LETTERS = 120
MOSTLY_BOLD = 0.5  # share of bold letters from which bold marks no heading

_NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,4})(?P<dot>\.?)\s+(?P<title>\S.*)", re.DOTALL)
_LETTERED = re.compile(r"(?:APPENDIX|Appendix|CHAPTER|Chapter)\s+[A-Z0-9]{1,3}\b")
_END = ".!?,;:—"


@dataclass(frozen=True, slots=True)
class _Heading:
    title: str
    level: int
    number: str = ""


def sections_of(
    paragraphs: Sequence[Paragraph], outline: Sequence[OutlineEntry], title: str
) -> tuple[Section, ...]:
    """The sections in order; text before the first heading stands under the document's title."""
    signs = _Signs(paragraphs, outline)
    sections: list[Section] = [Section(heading=title, level=0, path=(title,) if title else ())]
    below: list[list[Paragraph]] = [[]]
    for paragraph in paragraphs:
        heading = signs.heading_of(paragraph)
        if heading is None:
            below[-1].append(paragraph)
        else:
            sections.append(_opened(heading, paragraph, sections))
            below.append(list(sections[-1].paragraphs))
    return tuple(
        replace(section, paragraphs=tuple(some))
        for section, some in zip(sections, below, strict=True)
        if some
    )


def _opened(heading: _Heading, paragraph: Paragraph, before: Sequence[Section]) -> Section:
    parent = next((section for section in reversed(before) if 0 < section.level < heading.level), None)
    shown = f"{heading.number} {heading.title}".strip()
    title = heading.title or (parent.heading if parent else "")
    is_whole = len(squeezed(paragraph.text)) <= len(shown) + 2
    return Section(
        heading=title,
        level=heading.level,
        path=(*(parent.path if parent else ()), shown),
        number=heading.number,
        anchor=heading.number or slug(title),
        paragraphs=(replace(paragraph, kind="heading") if is_whole else paragraph,),
        border=heading.level == 1,
    )


def slug(text: str) -> str:
    """An anchor made of words."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower()))[:80]


class _Signs:
    """The signs of one document; it remembers the number it saw last, since numbers count on."""

    def __init__(self, paragraphs: Sequence[Paragraph], outline: Sequence[OutlineEntry]) -> None:
        self._body = _body_sizes(paragraphs)
        self._bold_tells = _bold_share(paragraphs) < MOSTLY_BOLD
        self._outline: dict[int, list[OutlineEntry]] = defaultdict(list)
        for entry in outline:
            self._outline[entry.page].append(entry)
        self._last: tuple[int, ...] = ()
        self._sizes = sorted(
            {round(p.size) for p in paragraphs if self._is_larger(p) and _is_display(p)}, reverse=True
        )

    def heading_of(self, paragraph: Paragraph) -> _Heading | None:
        if paragraph.kind in ("toc", "index", "caption", "row", "header", "note"):
            return None
        return (
            self._by_number(paragraph)
            or self._by_letter(paragraph)
            or self._by_outline(paragraph)
            or self._by_print(paragraph)
            or (_Heading(paragraph.text, 2) if paragraph.kind == "heading" else None)
        )

    def _by_number(self, paragraph: Paragraph) -> _Heading | None:
        match = _NUMBERED.match(paragraph.text)
        if not match or not self._number_is_marked(match["number"], paragraph):
            return None
        number = tuple(int(part) for part in match["number"].split("."))
        if (match["dot"] and len(number) == 1) or not _counts_on(self._last, number):
            return None
        self._last = number
        return _Heading(_run_in_title(match["title"], paragraph.lead), len(number), match["number"])

    def _number_is_marked(self, number: str, paragraph: Paragraph) -> bool:
        """By bold type, or by an entry of the outline with the same number."""
        if self._bold_tells and paragraph.lead.startswith(number):
            return True
        return any(
            entry.title.startswith(number + " ") for entry in self._outline.get(paragraph.page or 0, ())
        )

    def _by_letter(self, paragraph: Paragraph) -> _Heading | None:
        marked = self._is_larger(paragraph) or (paragraph.bold and self._bold_tells)
        if marked and _is_display(paragraph) and _LETTERED.match(paragraph.text):
            return _Heading(_bare(paragraph.text), 1)
        return None

    def _by_outline(self, paragraph: Paragraph) -> _Heading | None:
        text = _key(paragraph.text)
        if paragraph.text.endswith(":"):
            return None
        for entry in self._outline.get(paragraph.page or 0, ()):
            wanted = _key(entry.title)
            if wanted and (
                text == wanted or (len(wanted) >= 8 and text.startswith(wanted[:60]) and paragraph.lead)
            ):
                return _Heading(_bare(_outline_title(paragraph, entry)), max(1, entry.level))
        return None

    def _by_print(self, paragraph: Paragraph) -> _Heading | None:
        if not _is_display(paragraph):
            return None
        if self._is_larger(paragraph):
            return _Heading(_bare(paragraph.text), 1 + self._sizes.index(round(paragraph.size)))
        if paragraph.bold and self._bold_tells:
            return _Heading(_bare(paragraph.text), 2 + len(self._sizes))
        return None

    def _is_larger(self, paragraph: Paragraph) -> bool:
        """Than the running text of the document, and than that of its page (some pages are printed
        smaller).
        """
        body = max(self._body[0], self._body.get(paragraph.page or 0, 0.0))
        return paragraph.size >= LARGER * body


def _is_display(paragraph: Paragraph) -> bool:
    text = paragraph.text
    if len(text) > HEADING_LETTERS or sum(map(str.isalpha, text)) < 3:
        return False
    return text[-1] not in ",;:—" and "___" not in text


def _run_in_title(text: str, lead: str) -> str:
    """The bold words after a number; else its first sentence, where that is a title."""
    match = _NUMBERED.match(lead)
    if match and len(match["title"]) <= RUN_IN_LETTERS:
        return _bare(match["title"])
    first = _bare(sentences_in(text)[0].text) if text.strip() else ""
    words = [word for word in re.findall(r"[A-Za-z][\w’'-]*", first) if len(word) > 3]
    is_title = len(first) <= RUN_IN_LETTERS and all(word[0].isupper() for word in words)
    return first if is_title else ""


def _counts_on(last: tuple[int, ...], number: tuple[int, ...]) -> bool:
    """9 -> 10, 9 -> 9.1, 9.1 -> 9.2, 9.12.3 -> 10; nothing else."""
    if not last:
        return number in ((1,), (0,), (1, 1))
    if number[:-1] == last:
        return number[-1] <= 1
    depth = len(number)
    return depth <= len(last) and number[:-1] == last[: depth - 1] and 0 < number[-1] - last[depth - 1] <= 2


def _outline_title(paragraph: Paragraph, entry: OutlineEntry) -> str:
    lead = paragraph.lead
    if lead and len(lead) < len(paragraph.text):
        return lead
    return (
        entry.title
        if len(entry.title) <= HEADING_LETTERS
        else entry.title[:HEADING_LETTERS].rsplit(" ", 1)[0]
    )


def _bare(title: str) -> str:
    return squeezed(title).rstrip(_END).strip()[:300]


@lru_cache(maxsize=4096)
def _key(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())


def _body_sizes(paragraphs: Sequence[Paragraph]) -> dict[int, float]:
    """The type size of most letters, by page; page 0 is the document."""
    letters: dict[int, Counter[float]] = defaultdict(Counter)
    for paragraph in paragraphs:
        for page in (0, paragraph.page or 0):
            letters[page][paragraph.size] += len(paragraph.text)
    return {0: 10.0} | {page: sizes.most_common(1)[0][0] for page, sizes in letters.items()}


def _bold_share(paragraphs: Sequence[Paragraph]) -> float:
    total = sum(len(paragraph.text) for paragraph in paragraphs)
    return sum(len(paragraph.text) for paragraph in paragraphs if paragraph.bold) / total if total else 0.0
