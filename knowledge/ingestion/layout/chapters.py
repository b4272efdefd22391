"""Find the chapters of a whole handbook in one file: by the file's outline, else by the printed page numbers. Pure.

A printed number such as "15-3" names chapter 15. What follows the chapters in the same print (appendices, glossary,
index) is listed with them. A file with a single chapter has none.
"""

import re
from collections.abc import Iterator, Sequence

from knowledge.ingestion.document_model import ChapterText, OutlineEntry, PageText, squeeze_spaces

_NAMED = re.compile(r"(?i)(?:chapter|appendix)\s+0*(?P<number>\d{1,2}|[A-Z])\b[\s.:—–-]*(?P<title>.*)")
_PRINTED = re.compile(r"(?P<chapter>\d{1,2}|[A-Z])-(?P<page>\d{1,3})")
_LETTERED = {"G": "Glossary", "I": "Index"}
_DISPLAY = 1.3  # times the size of most lines
_TITLE_LINES = 3  # a chapter's title has no more


def find_chapters(pages: Sequence[PageText], outline: Sequence[OutlineEntry]) -> tuple[ChapterText, ...]:
    """The chapters in their order; none unless two have numbers of their own."""
    for level in sorted({entry.level for entry in outline}):
        found = tuple(_by_outline([entry for entry in outline if entry.level == level], len(pages)))
        if _has_several(found):
            return found
    found = tuple(_by_printed_numbers(pages))
    return found if _has_several(found) else ()


def _has_several(found: Sequence[ChapterText]) -> bool:
    return len({chapter.number for chapter in found if chapter.number.isdigit()}) > 1


def _by_outline(entries: Sequence[OutlineEntry], page_count: int) -> Iterator[ChapterText]:
    """From the first entry that names a chapter; what stands before it is front matter."""
    begun = False
    for place, entry in enumerate(entries):
        title = squeeze_spaces(entry.title)
        named = _NAMED.match(title)
        begun = begun or named is not None
        if begun and 0 < entry.page <= page_count:
            after = [other.page for other in entries[place + 1 :] if other.page > 0]
            last = max(entry.page, after[0] - 1) if after else page_count
            if named and named["number"].isdigit() and not title.lower().startswith("chapter"):
                named = None  # "Appendix 1" is no chapter 1
            yield ChapterText(
                number=named["number"] if named else "",
                title=(named["title"] if named else title)[:300],
                first=entry.page,
                last=min(last, page_count),
            )


def _by_printed_numbers(pages: Sequence[PageText]) -> Iterator[ChapterText]:
    """Runs of pages that are numbered alike. A chapter's first pages may print no number, and are counted back to."""
    starts: list[tuple[int, str]] = []  # places of first pages, with the chapter's number
    for place, page in enumerate(pages):
        printed = _PRINTED.fullmatch(page.label)
        if printed and (not starts or starts[-1][1] != printed["chapter"]):
            begin, before = place, starts[-1][0] if starts else -1
            for _ in range(int(printed["page"]) - 1):
                if begin - 1 <= before or pages[begin - 1].label:
                    break
                begin -= 1
            starts.append((begin, printed["chapter"]))
    for number, (place, name) in enumerate(starts):
        end = starts[number + 1][0] if number + 1 < len(starts) else len(pages)
        yield ChapterText(
            number="" if name in _LETTERED else name,
            title=_LETTERED.get(name) or _title_on(pages[place]),
            first=pages[place].number,
            last=pages[end - 1].number,
        )


def _title_on(page: PageText) -> str:
    """What the page prints in display type, without the words "Chapter 15"; empty where all is of one size."""
    sizes = sorted(line.size for line in page.lines)
    if not sizes or sizes[-1] < _DISPLAY * sizes[len(sizes) // 2]:
        return ""
    said = [line.text for line in page.lines if line.size >= 0.95 * sizes[-1]][:_TITLE_LINES]
    title = squeeze_spaces(" ".join(said))
    named = _NAMED.match(title)
    return (named["title"] if named else title)[:300]
