"""Split paragraphs into sections: which paragraph is a heading, of what level, with what number. Pure.

Four features are used, in this order: a bold number that continues from the last one ("9.12 Traffic Pattern."), the
outline of the file, a line all in bold or in larger type, and, if print marks nothing, the short lines that
`paragraphs` found. A heading may run into its text ("6.1 Back-Taxi. A term used by…"): then it is the bold words.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from knowledge.ingestion.document_model import (
    ChapterText,
    OutlineEntry,
    Paragraph,
    Section,
    squeeze_spaces,
)
from knowledge.text.sentences import sentences_in

LARGER = 1.15  # times the size of the body: a heading
HEADING_LETTERS = 150
RUN_IN_LETTERS = 120
MOSTLY_BOLD = 0.5  # share of bold letters from which bold marks no heading

_NO_HEADING = ("toc", "index", "caption", "row", "header", "note")
_NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,4})(?P<dot>\.?)\s+(?P<title>\S.*)", re.DOTALL)
_LETTERED = re.compile(r"(?:APPENDIX|Appendix|CHAPTER|Chapter)\s+[A-Z0-9]{1,3}\b")
_END = ".!?,;:—"


@dataclass(frozen=True, slots=True)
class _Heading:
    title: str
    level: int
    number: str = ""


def split_sections(
    paragraphs: Sequence[Paragraph],
    outline: Sequence[OutlineEntry],
    title: str,
    chapter: ChapterText | None = None,
) -> tuple[Section, ...]:
    """The sections in order; text before the first heading is put under the title. The sections of a chapter lie below
    a section of its name, and its title on its first page begins no other."""
    finder = _HeadingFinder(paragraphs, outline, chapter)
    sections: list[Section] = [Section(heading=title, level=0, path=(title,) if title else ())]
    if chapter:
        sections = [
            replace(
                sections[0],
                heading=chapter.title or title,
                level=1,
                anchor=slug_for_title(title),
                border=True,
            )
        ]
    titled, name = (chapter.first, _letters_of(title)) if chapter else (None, "")
    display = max((one.size for one in paragraphs if one.page == titled), default=0.0)
    below: list[list[Paragraph]] = [[]]
    for paragraph in paragraphs:
        heading = finder.find_heading(paragraph)
        if (
            heading
            and paragraph.page == titled
            and paragraph.size == display
            and _letters_of(paragraph.text) in name
        ):
            below[-1].append(replace(paragraph, kind="heading"))
        elif heading is None:
            below[-1].append(paragraph)
        else:
            if chapter:
                heading = replace(heading, level=heading.level + 1)
            sections.append(_open_section(heading, sections))
            shown = sections[-1].path[-1]
            is_whole = len(squeeze_spaces(paragraph.text)) <= len(shown) + 2
            below.append([replace(paragraph, kind="heading") if is_whole else paragraph])
    return tuple(
        replace(section, paragraphs=tuple(some))
        for section, some in zip(sections, below, strict=True)
        if some
    )


def slug_for_title(text: str) -> str:
    """An anchor made of the words of a text."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower()))[:80]


def _open_section(heading: _Heading, before: Sequence[Section]) -> Section:
    parent = next((section for section in reversed(before) if 0 < section.level < heading.level), None)
    title = heading.title or (parent.heading if parent else "")
    return Section(
        heading=title,
        level=heading.level,
        path=(*(parent.path if parent else ()), f"{heading.number} {heading.title}".strip()),
        number=heading.number,
        anchor=heading.number or slug_for_title(title),
        border=heading.level == 1,
    )


class _HeadingFinder:
    """Finds the headings of one document in order; it remembers the last number, since numbers continue."""

    def __init__(
        self,
        paragraphs: Sequence[Paragraph],
        outline: Sequence[OutlineEntry],
        chapter: ChapterText | None = None,
    ) -> None:
        letters = sum(len(paragraph.text) for paragraph in paragraphs)
        bold = sum(len(paragraph.text) for paragraph in paragraphs if paragraph.bold)
        self._bold_marks_headings = bold < MOSTLY_BOLD * letters or not letters
        self._body_sizes = _body_sizes(paragraphs)
        self._outline: dict[int, list[OutlineEntry]] = defaultdict(list)
        for entry in outline:
            self._outline[entry.page].append(entry)
        # the sections of chapter 9 are 9.1, 9.2
        self._last: tuple[int, ...] = (int(chapter.number),) if chapter and chapter.number.isdigit() else ()
        self._sizes = sorted(
            {round(one.size) for one in paragraphs if self._is_larger(one) and _may_be_display(one)},
            reverse=True,
        )

    def find_heading(self, paragraph: Paragraph) -> _Heading | None:
        """The heading with which a paragraph begins."""
        if paragraph.kind in _NO_HEADING:
            return None
        is_display = _may_be_display(paragraph)
        is_larger = is_display and self._is_larger(paragraph)
        is_bold = is_display and paragraph.bold and self._bold_marks_headings
        if numbered := self._find_by_number(paragraph):
            return numbered
        if (is_larger or is_bold) and _LETTERED.match(paragraph.text):
            return _Heading(_strip_title(paragraph.text), 1)
        if outlined := self._find_in_outline(paragraph):
            return outlined
        if is_larger:
            return _Heading(_strip_title(paragraph.text), 1 + self._sizes.index(round(paragraph.size)))
        if is_bold:
            return _Heading(_strip_title(paragraph.text), 2 + len(self._sizes))
        return _Heading(paragraph.text, 2) if paragraph.kind == "heading" else None

    def _find_by_number(self, paragraph: Paragraph) -> _Heading | None:
        """By a number that bold type marks, or an entry of the outline with the same number. Its title is the bold
        words after the number, else the first sentence if that is a title."""
        match = _NUMBERED.match(paragraph.text)
        if not match:
            return None
        is_marked = (self._bold_marks_headings and paragraph.lead.startswith(match["number"])) or any(
            entry.title.startswith(match["number"] + " ") for entry in self._entries_for(paragraph)
        )
        number = tuple(int(part) for part in match["number"].split("."))
        if not is_marked or (match["dot"] and len(number) == 1) or not _counts_on(self._last, number):
            return None
        self._last = number
        bold = _NUMBERED.match(paragraph.lead)
        if bold and len(bold["title"]) <= RUN_IN_LETTERS:
            return _Heading(_strip_title(bold["title"]), len(number), match["number"])
        first = _strip_title(sentences_in(match["title"])[0].text) if match["title"].strip() else ""
        words = [word for word in re.findall(r"[A-Za-z][\w’'-]*", first) if len(word) > 3]
        is_title = len(first) <= RUN_IN_LETTERS and all(word[0].isupper() for word in words)
        return _Heading(first if is_title else "", len(number), match["number"])

    def _find_in_outline(self, paragraph: Paragraph) -> _Heading | None:
        text, lead = _letters_of(paragraph.text), paragraph.lead
        if paragraph.text.endswith(":"):
            return None
        for entry in self._entries_for(paragraph):
            wanted = _letters_of(entry.title)
            runs_in = len(wanted) >= 8 and text.startswith(wanted[:60]) and lead
            if wanted and (text == wanted or runs_in):
                title = entry.title
                if lead and len(lead) < len(paragraph.text):
                    title = lead
                elif len(title) > HEADING_LETTERS:
                    title = title[:HEADING_LETTERS].rsplit(" ", 1)[0]
                return _Heading(_strip_title(title), max(1, entry.level))
        return None

    def _entries_for(self, paragraph: Paragraph) -> Sequence[OutlineEntry]:
        return self._outline.get(paragraph.page or 0, ())

    def _is_larger(self, paragraph: Paragraph) -> bool:
        """Larger than the running text of the document, and of its page (some pages are printed smaller)."""
        body = max(self._body_sizes[0], self._body_sizes.get(paragraph.page or 0, 0.0))
        return paragraph.size >= LARGER * body


def _may_be_display(paragraph: Paragraph) -> bool:
    """Short enough for a heading, and not the beginning of something."""
    text = paragraph.text
    if len(text) > HEADING_LETTERS or sum(map(str.isalpha, text)) < 3:
        return False
    return text[-1] not in ",;:—" and "___" not in text


def _counts_on(last: tuple[int, ...], number: tuple[int, ...]) -> bool:
    """9 -> 10, 9 -> 9.1, 9.1 -> 9.2, 9.12.3 -> 10; nothing else."""
    if not last:
        return number in ((1,), (0,), (1, 1))
    if number[:-1] == last:
        return number[-1] <= 1
    depth = len(number)
    return depth <= len(last) and number[:-1] == last[: depth - 1] and 0 < number[-1] - last[depth - 1] <= 2


def _strip_title(title: str) -> str:
    return squeeze_spaces(title).rstrip(_END).strip()[:300]


@lru_cache(maxsize=4096)
def _letters_of(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def _body_sizes(paragraphs: Sequence[Paragraph]) -> dict[int, float]:
    """The type size of most letters, by page; page 0 is the document."""
    letters: dict[int, Counter[float]] = defaultdict(Counter)
    for paragraph in paragraphs:
        for page in (0, paragraph.page or 0):
            letters[page][paragraph.size] += len(paragraph.text)
    return {0: 10.0} | {page: sizes.most_common(1)[0][0] for page, sizes in letters.items()}
