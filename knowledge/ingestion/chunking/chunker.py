"""A page becomes chunks: `chunk_pages`. Pure.

The fixed strategy: a chunk takes whole paragraphs of one section up to `max_tokens` of the embedding
model, the next one begins with the last sentences of it, up to `overlap` tokens. The semantic one takes
sentences, and ends where the next one speaks of something else. No sentence is cut, and so no number and
no section number; a sentence that is longer than a chunk by itself is cut at its weakest inner border and
marked. A table that goes on in the next chunk has its head there again. Each chunk knows its section and
the printed lines its words stand in. Nothing of the text is lost, and only the overlap stands twice.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from knowledge import conf
from knowledge.grounding.highlight import narrowed
from knowledge.grounding.page_rotation import Turn
from knowledge.ingestion.chunking.semantic import Embed, topic_shifts
from knowledge.ingestion.chunking.splitting import LETTERS_A_TOKEN, CountTokens, cut_places
from knowledge.ingestion.chunking.stable_boundaries import Borders, Place, begins_at
from knowledge.ingestion.chunking.strategies import Strategy
from knowledge.ingestion.document_model import Kind, Paragraph, ParsedDocument, Piece, Section, squeezed
from knowledge.ingestion.errors import PagesMissing
from knowledge.text.sentences import sentences_in

_TIGHT: frozenset[Kind] = frozenset(("item", "row", "header", "toc", "index"))
_ROWS: frozenset[Kind] = frozenset(("row", "header"))
_CHUNK_KINDS: dict[str, frozenset[Kind]] = {
    "toc": frozenset(("toc",)),
    "index": frozenset(("index",)),
    "table": _ROWS,
}


FIXED = Strategy()


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
    """A stretch of a paragraph that is never cut; `cut` says that a sentence had to be cut before it, `shift` that it
    speaks of something else than the one before, `again` that it is a table's head said once more, `border` that a
    passage of the edition before began here.
    """

    paragraph: int
    start: int
    end: int
    tokens: int
    cut: bool = False
    shift: bool = False
    again: bool = False
    border: bool = False


def content_hash(text: str) -> str:
    """sha256 of a text, whatever its white space."""
    return hashlib.sha256(squeezed(text).encode()).hexdigest()


def chunk_pages(
    document: ParsedDocument,
    *,
    strategy: Strategy = FIXED,
    count_tokens: CountTokens,
    embed: Embed | None = None,
    borders: Borders | None = None,
) -> tuple[ChunkDraft, ...]:
    """The chunks of a document, in order; `embed` makes the vectors of sentences that the semantic strategy
    compares, `borders` are those of an edition whose chunks are to be kept where its words are.

    Raises `PagesMissing` if a paged source yields a chunk without a page.
    """
    sections = merged_sections(document.sections)
    units = [_units(section.paragraphs, strategy, count_tokens) for section in sections]
    if strategy.name == "semantic":
        if embed is None:
            raise ValueError("The semantic strategy compares sentences: it needs a model that embeds them.")
        units = _with_shifts(sections, units, strategy, embed)
    if borders:
        units = [_with_borders(one, some, borders) for one, some in zip(sections, units, strict=True)]
    drafts: list[ChunkDraft] = []
    for section, found in zip(sections, units, strict=True):
        for repeated, fresh in _filled(section.paragraphs, found, strategy, count_tokens):
            draft = _draft(section, [*repeated, *fresh], repeated, count_tokens)
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


def _units(paragraphs: Sequence[Paragraph], strategy: Strategy, count_tokens: CountTokens) -> list[_Unit]:
    """Whole paragraphs where they fit, else their sentences, else stretches of a sentence; the semantic
    strategy takes sentences wherever it may end a chunk between them.
    """
    units: list[_Unit] = []
    for at, paragraph in enumerate(paragraphs):
        whole = strategy.name == "fixed" or paragraph.kind in _TIGHT
        if whole and len(paragraph.text) <= LETTERS_A_TOKEN * strategy.max_tokens:
            tokens = count_tokens(paragraph.text)
            if tokens <= strategy.max_tokens:
                units.append(_Unit(at, 0, len(paragraph.text), tokens))
                continue
        for sentence in sentences_in(paragraph.text):
            units += _sentence_units(at, sentence.text, sentence.start, strategy.max_tokens, count_tokens)
    return units


def _with_shifts(
    sections: Sequence[Section], units: Sequence[Sequence[_Unit]], strategy: Strategy, embed: Embed
) -> list[list[_Unit]]:
    """Units that know where the topic shifts: never between the rows of a table or the items of a list."""
    texts = [
        [section.paragraphs[unit.paragraph].text[unit.start : unit.end] for unit in some]
        for section, some in zip(sections, units, strict=True)
    ]
    shifts = iter(topic_shifts([text for some in texts for text in some], embed, strategy.threshold))
    return [
        [replace(unit, shift=next(shifts) and not _is_bound(section, unit)) for unit in some]
        for section, some in zip(sections, units, strict=True)
    ]


def _with_borders(section: Section, units: Sequence[_Unit], borders: Borders) -> list[_Unit]:
    """Units that know where a chunk of the edition before began."""
    openings = borders.get(Place(section.number[:40], section.heading[:300]), frozenset())
    texts = [section.paragraphs[unit.paragraph].text[unit.start : unit.end] for unit in units]
    marks = begins_at(texts, openings)
    return [replace(unit, border=mark) for unit, mark in zip(units, marks, strict=True)]


def _is_bound(section: Section, unit: _Unit) -> bool:
    """It goes on with what stands before: a row with its table, an item with its list, a stretch with its sentence."""
    if unit.cut or unit.start or not unit.paragraph:
        return unit.cut
    before, kind = (section.paragraphs[at].kind for at in (unit.paragraph - 1, unit.paragraph))
    return before == "heading" or (before in _TIGHT and kind in _TIGHT)


def _sentence_units(
    at: int, text: str, offset: int, max_tokens: int, count_tokens: CountTokens
) -> Iterator[_Unit]:
    start = 0
    for number, end in enumerate(cut_places(text, max_tokens, count_tokens)):
        stretch = text[start:end]
        left = start + len(stretch) - len(stretch.lstrip())
        yield _Unit(at, offset + left, offset + end, count_tokens(stretch), cut=number > 0)
        start = end


def _filled(
    paragraphs: Sequence[Paragraph],
    units: Sequence[_Unit],
    strategy: Strategy,
    count_tokens: CountTokens,
) -> list[tuple[list[_Unit], list[_Unit]]]:
    """Units dealt out to chunks: for each the repeated ones and the fresh ones."""
    chunks: list[tuple[list[_Unit], list[_Unit]]] = []
    repeated: list[_Unit] = []
    fresh: list[_Unit] = []
    for unit in units:
        held = _tokens(repeated) + _tokens(fresh)
        shifts = unit.shift and held >= conf.SEMANTIC_LEAST
        keeps = unit.border and sum(one.end - one.start for one in fresh) >= conf.MIN_LAST_CHUNK
        if fresh and (shifts or keeps or held + unit.tokens > strategy.max_tokens):
            chunks.append((repeated, fresh))
            room = strategy.max_tokens - unit.tokens
            repeated = _repeated(paragraphs, fresh, unit, room, strategy.overlap, count_tokens)
            fresh = []
        fresh.append(unit)
    if fresh and chunks and _joins_last(chunks[-1], fresh, strategy.max_tokens):
        chunks[-1][1].extend(fresh)
    elif fresh:
        chunks.append((repeated, fresh))
    return chunks


def _joins_last(last: tuple[list[_Unit], list[_Unit]], rest: Sequence[_Unit], max_tokens: int) -> bool:
    is_short = sum(unit.end - unit.start for unit in rest) < conf.MIN_LAST_CHUNK
    return is_short and _tokens(last[0]) + _tokens(last[1]) + _tokens(rest) <= max_tokens


def _tokens(units: Sequence[_Unit]) -> int:
    return sum(unit.tokens for unit in units)


def _repeated(
    paragraphs: Sequence[Paragraph],
    before: Sequence[_Unit],
    unit: _Unit,
    room: int,
    overlap: int,
    count_tokens: CountTokens,
) -> list[_Unit]:
    """What the chunk that begins with `unit` says again: of a table its head, else the last sentences."""
    if paragraphs[unit.paragraph].kind != "row":
        return _tail(paragraphs, before, min(overlap, room), count_tokens)
    at = unit.paragraph - 1
    while at >= 0 and paragraphs[at].kind == "row":
        at -= 1
    if at < 0 or paragraphs[at].kind != "header":
        return []
    head = _Unit(at, 0, len(paragraphs[at].text), count_tokens(paragraphs[at].text), again=True)
    return [head] if head.tokens <= room else []


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
    if paragraphs[unit.paragraph].kind in _ROWS:
        return [unit]
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
    letters = Counter[Kind]()
    for paragraph, start, end, cut, again, fresh in _stretches(units, len(repeated)):
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
            for piece in (() if again else source.pieces)
            if piece.start < end and piece.end > start
        ]
        kinds.append(source.kind)
        letters[source.kind] += end - start
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
        kind=_chunk_kind(letters),
        overlap=overlap,
        marked=tuple(marked),
    )


def _chunk_kind(letters: Counter[Kind]) -> str:
    """What most of its letters are."""
    most = letters.total() / 2
    for kind, kinds in _CHUNK_KINDS.items():
        if sum(letters[found] for found in kinds) > most:
            return kind
    return "body"


def _gap(before: Kind, after: Kind) -> str:
    return "\n" if before in _TIGHT and after in _TIGHT else "\n\n"


def _stretches(units: Sequence[_Unit], repeated: int) -> Iterator[tuple[int, int, int, bool, bool, bool]]:
    """Neighbouring units of one paragraph as one stretch: paragraph, start, end, whether cut before,
    whether it is a table's head again, whether fresh.
    """
    numbered = [(unit, at >= repeated) for at, unit in enumerate(units)]
    for (paragraph, _fresh), group in groupby(numbered, key=lambda item: (item[0].paragraph, item[1])):
        members = [unit for unit, _ in group]
        yield paragraph, members[0].start, members[-1].end, members[0].cut, members[0].again, _fresh


def _line(source: str, piece: Piece, start: int, end: int, shift: int) -> ChunkLine:
    """A printed line, or the part of it that belongs to the chunk."""
    from_char, to_char = max(piece.start, start), min(piece.end, end)
    box, xs = narrowed(source, piece, from_char, to_char)
    return ChunkLine(piece.page, box, from_char + shift, to_char + shift, xs, piece.turn)
