"""A page becomes chunks: `chunk_pages`. Pure.

The fixed strategy: a chunk takes whole paragraphs of one section up to `max_tokens` of the embedding
model, the next one begins with the last sentences of it, up to `overlap` tokens. No sentence is cut, and
so no number and no section number; a sentence that is longer than a chunk by itself is cut at its weakest
inner border and marked. Each chunk knows its section and the printed lines its words stand in. Nothing of
the text is lost, and only the overlap stands twice.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from knowledge import conf
from knowledge.grounding.highlight import narrowed
from knowledge.grounding.sentences import sentences_in
from knowledge.grounding.turning import Turn

from .errors import PagesMissing
from .pages import Kind, Paragraph, ParsedDocument, Piece, Section, squeezed

CountTokens = Callable[[str], int]

#: Where an over-long sentence is cut, weakest border first; each border stays with what stands before it.
_BORDERS = tuple(
    re.compile(border) for border in (r"(?<=;)\s+", r"(?<=[:—])\s*", r"(?<=,)\s+", r"\s+\|\s+", r"\s+")
)
_TIGHT: frozenset[Kind] = frozenset(("item", "row", "toc"))


@dataclass(frozen=True, slots=True)
class ChunkLine:
    """The characters [start, end) of a chunk stand in `bbox` of `page`; `xs` are where those words begin."""

    page: int
    bbox: tuple[float, float, float, float]
    start: int
    end: int
    xs: tuple[float, ...] = ()
    turn: Turn = 0

    def to_dict(self) -> dict[str, object]:
        """As `Chunk.lines` holds it."""
        found: dict[str, object] = {
            "page": self.page,
            "bbox": list(self.bbox),
            "start": self.start,
            "end": self.end,
        }
        told = {"xs": list(self.xs), "turn": self.turn}
        return found | {name: value for name, value in told.items() if value}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkDraft:
    """A chunk before it is stored. `overlap` counts the characters at its start that stand in the one
    before.
    """

    index: int
    heading: str
    section_path: tuple[str, ...]
    section: str
    anchor: str
    text: str
    page_start: int | None
    page_end: int | None
    page_label: str
    lines: tuple[ChunkLine, ...]
    tokens: int
    content_hash: str
    kind: str = "body"
    overlap: int = 0
    marked: tuple[int, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class _Unit:
    """A stretch of a paragraph that is never cut; `cut` says that a sentence had to be cut before it."""

    paragraph: int
    start: int
    end: int
    tokens: int
    cut: bool = False


def content_hash(text: str) -> str:
    """sha256 of a text, whatever its white space."""
    return hashlib.sha256(squeezed(text).encode()).hexdigest()


def chunk_pages(
    document: ParsedDocument,
    *,
    max_tokens: int = conf.CHUNK_TOKENS,
    overlap: int = conf.CHUNK_OVERLAP,
    count_tokens: CountTokens,
) -> tuple[ChunkDraft, ...]:
    """The chunks of a document, in order. Raises `PagesMissing` if a paged source yields one without a
    page.
    """
    if max_tokens < 8 or not 0 <= overlap < max_tokens:
        raise ValueError("A chunk takes at least 8 tokens, and the overlap is less than a chunk.")
    drafts: list[ChunkDraft] = []
    for section in merged_sections(document.sections):
        for draft in _section_chunks(section, max_tokens, overlap, count_tokens):
            first = next((line for line in draft.lines if line.page == draft.page_start), None)
            label = document.label_of(first.page, first.bbox) if first else ""
            drafts.append(replace(draft, index=len(drafts), page_label=label))
    if document.paged and any(draft.page_start is None or not draft.lines for draft in drafts):
        raise PagesMissing("The document has pages, but some of its text has none; it could not be cited.")
    return tuple(drafts)


# --- sections ------------------------------------------------------------


def merged_sections(sections: Sequence[Section]) -> tuple[Section, ...]:
    """Sections worth a chunk: a bare heading joins what it heads, a tiny one without number its next
    sibling.
    """
    merged: list[Section] = []
    for section in sections:
        if merged and _joins(merged[-1], section):
            before = merged.pop()
            heads = section if _is_bare(before) else before
            section = replace(
                heads, paragraphs=(*before.paragraphs, *section.paragraphs), border=before.border
            )
        merged.append(section)
    return tuple(merged)


def _joins(before: Section, section: Section) -> bool:
    if _is_above(before, section):
        return _is_bare(before)
    if section.border or before.number or section.number or before.level != section.level:
        return False
    return before.letters < conf.MIN_SECTION and before.path[:-1] == section.path[:-1]


def _is_bare(section: Section) -> bool:
    """Next to nothing but its heading."""
    return section.letters - len(section.heading) < conf.MIN_SECTION_BODY


def _is_above(before: Section, section: Section) -> bool:
    return before.level < section.level and section.path[: len(before.path)] == before.path


# --- one section ------------------------------------------------------------


def _section_chunks(
    section: Section, max_tokens: int, overlap: int, count_tokens: CountTokens
) -> Iterator[ChunkDraft]:
    units = _units(section.paragraphs, max_tokens, count_tokens)
    for repeated, fresh in _filled(section.paragraphs, units, max_tokens, overlap, count_tokens):
        yield _draft(section, [*repeated, *fresh], repeated, count_tokens)


def _units(paragraphs: Sequence[Paragraph], max_tokens: int, count_tokens: CountTokens) -> list[_Unit]:
    """Whole paragraphs where they fit, else their sentences, else stretches of a sentence."""
    units: list[_Unit] = []
    for at, paragraph in enumerate(paragraphs):
        tokens = count_tokens(paragraph.text)
        if tokens <= max_tokens:
            units.append(_Unit(at, 0, len(paragraph.text), tokens))
            continue
        for sentence in sentences_in(paragraph.text):
            units += _sentence_units(at, sentence.text, sentence.start, max_tokens, count_tokens)
    return units


def _sentence_units(
    at: int, text: str, offset: int, max_tokens: int, count_tokens: CountTokens
) -> Iterator[_Unit]:
    start = 0
    for number, end in enumerate(_cuts(text, max_tokens, count_tokens)):
        stretch = text[start:end]
        left = start + len(stretch) - len(stretch.lstrip())
        yield _Unit(at, offset + left, offset + end, count_tokens(stretch), cut=number > 0)
        start = end


def _cuts(text: str, max_tokens: int, count_tokens: CountTokens) -> list[int]:
    """Where a text ends that fits, or the ends of its stretches when it does not."""
    if count_tokens(text) <= max_tokens:
        return [len(text)]
    for border in _BORDERS:
        places = [match.start() for match in border.finditer(text) if 0 < match.start() < len(text)]
        if places:
            middle = min(places, key=lambda place: abs(place - len(text) / 2))
            right = _cuts(text[middle:], max_tokens, count_tokens)
            return _cuts(text[:middle], max_tokens, count_tokens) + [middle + end for end in right]
    return [len(text)]  # one endless word: a chunk of its own, however long


def _filled(
    paragraphs: Sequence[Paragraph],
    units: Sequence[_Unit],
    max_tokens: int,
    overlap: int,
    count_tokens: CountTokens,
) -> list[tuple[list[_Unit], list[_Unit]]]:
    """Units dealt out to chunks: for each the repeated ones and the fresh ones."""
    chunks: list[tuple[list[_Unit], list[_Unit]]] = []
    repeated: list[_Unit] = []
    fresh: list[_Unit] = []
    for unit in units:
        if fresh and _tokens(repeated) + _tokens(fresh) + unit.tokens > max_tokens:
            chunks.append((repeated, fresh))
            room = min(overlap, max_tokens - unit.tokens)
            repeated, fresh = _tail(paragraphs, fresh, room, count_tokens), []
        fresh.append(unit)
    if fresh and chunks and _joins_last(chunks[-1], fresh, max_tokens):
        chunks[-1][1].extend(fresh)
    elif fresh:
        chunks.append((repeated, fresh))
    return chunks


def _joins_last(last: tuple[list[_Unit], list[_Unit]], rest: Sequence[_Unit], max_tokens: int) -> bool:
    is_short = sum(unit.end - unit.start for unit in rest) < conf.MIN_LAST_CHUNK
    return is_short and _tokens(last[0]) + _tokens(last[1]) + _tokens(rest) <= max_tokens


def _tokens(units: Sequence[_Unit]) -> int:
    return sum(unit.tokens for unit in units)


def _tail(
    paragraphs: Sequence[Paragraph], units: Sequence[_Unit], room: int, count_tokens: CountTokens
) -> list[_Unit]:
    """The last whole sentences that fit into `room` tokens."""
    tail: list[_Unit] = []
    for unit in reversed(units):
        for part in reversed(_sentences_of(paragraphs, unit, count_tokens)):
            if _tokens(tail) + part.tokens > room:
                return tail
            tail.insert(0, part)
    return tail


def _sentences_of(paragraphs: Sequence[Paragraph], unit: _Unit, count_tokens: CountTokens) -> list[_Unit]:
    text = paragraphs[unit.paragraph].text[unit.start : unit.end]
    return [
        _Unit(
            unit.paragraph,
            unit.start + sentence.start,
            unit.start + sentence.end,
            count_tokens(sentence.text),
        )
        for sentence in sentences_in(text)
    ]


# --- from units to text ------------------------------------------------------------


def _draft(
    section: Section, units: Sequence[_Unit], repeated: Sequence[_Unit], count_tokens: CountTokens
) -> ChunkDraft:
    text, lines, marked, overlap, before = "", [], [], 0, -1
    kinds: list[Kind] = []
    for paragraph, start, end, cut, fresh in _stretches(units, len(repeated)):
        source = section.paragraphs[paragraph]
        if text:
            text += " " if paragraph == before else _gap(kinds[-1], source.kind)
        if fresh and not overlap and repeated:
            overlap = len(text)
        if cut:
            marked.append(len(text))
        shift = len(text) - start
        text += source.text[start:end]
        lines += [
            _line(source.text, piece, start, end, shift)
            for piece in source.pieces
            if piece.start < end and piece.end > start
        ]
        kinds.append(source.kind)
        before = paragraph
    pages = [line.page for line in lines]
    return ChunkDraft(
        index=0,
        heading=section.heading,
        section_path=section.path,
        section=section.number,
        anchor=section.anchor,
        text=text,
        page_start=min(pages, default=None),
        page_end=max(pages, default=None),
        page_label="",
        lines=tuple(lines),
        tokens=count_tokens(text),
        content_hash=content_hash(text),
        kind=_chunk_kind(kinds),
        overlap=overlap,
        marked=tuple(marked),
    )


def _chunk_kind(kinds: Sequence[Kind]) -> str:
    for kind, name in (("toc", "toc"), ("row", "table")):
        if sum(found == kind for found in kinds) > len(kinds) / 2:
            return name
    return "body"


def _gap(before: Kind, after: Kind) -> str:
    return "\n" if before in _TIGHT and after in _TIGHT else "\n\n"


def _stretches(units: Sequence[_Unit], repeated: int) -> Iterator[tuple[int, int, int, bool, bool]]:
    """Neighbouring units of one paragraph as one stretch: paragraph, start, end, whether cut before,
    whether fresh.
    """
    numbered = [(unit, at >= repeated) for at, unit in enumerate(units)]
    for (paragraph, _fresh), group in groupby(numbered, key=lambda item: (item[0].paragraph, item[1])):
        members = [unit for unit, _ in group]
        yield paragraph, members[0].start, members[-1].end, members[0].cut, _fresh


def _line(source: str, piece: Piece, start: int, end: int, shift: int) -> ChunkLine:
    """A printed line, or the part of it that belongs to the chunk."""
    from_char, to_char = max(piece.start, start), min(piece.end, end)
    box, xs = narrowed(source, piece, from_char, to_char)
    return ChunkLine(piece.page, box, from_char + shift, to_char + shift, xs, piece.turn)
