"""Cut a document into chunks: `chunk_pages`. Pure but for the model it is given.

The fixed strategy fills a chunk with whole paragraphs of one section up to `max_tokens`, and begins the next one with
the last sentences of it, up to `overlap` tokens. The semantic one ends a chunk where the topic shifts. No sentence is
cut unless it is longer than a chunk; a table that continues in the next chunk repeats its head there. No text is lost,
and only the overlap occurs twice.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise

from knowledge import conf
from knowledge.grounding.highlight import narrow_line
from knowledge.grounding.page_rotation import PrintedLine
from knowledge.ingestion.chunking.splitting import LETTERS_A_TOKEN, CountTokens, cut_places
from knowledge.ingestion.chunking.stable_boundaries import Borders, Place, begins_at
from knowledge.ingestion.chunking.strategies import Strategy
from knowledge.ingestion.document_model import Kind, Paragraph, ParsedDocument, Section, squeeze_spaces
from knowledge.ingestion.errors import PagesMissing
from knowledge.text.sentences import sentences_in

_TIGHT: frozenset[Kind] = frozenset(("item", "row", "header", "toc", "index"))
_CHUNK_KINDS: dict[str, tuple[Kind, ...]] = {
    "toc": ("toc",),
    "index": ("index",),
    "table": ("row", "header"),
}
FIXED = Strategy()

#: Vectors of length 1, in the order of the texts.
Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkDraft:
    """A chunk before it is stored. `overlap` counts the characters at its start that repeat the one before."""

    index: int = 0
    heading: str
    section_path: tuple[str, ...]
    section: str
    anchor: str
    text: str
    page_start: int | None
    page_end: int | None
    page_label: str = ""
    lines: tuple[PrintedLine, ...]
    tokens: int
    content_hash: str
    kind: str = "body"
    overlap: int = 0
    marked: tuple[int, ...] = field(default=())


def content_hash(text: str) -> str:
    """sha256 of a text, whatever its white space."""
    return hashlib.sha256(squeeze_spaces(text).encode()).hexdigest()


def chunk_pages(
    document: ParsedDocument,
    *,
    strategy: Strategy = FIXED,
    count_tokens: CountTokens,
    embed: Embed | None = None,
    borders: Borders | None = None,
) -> tuple[ChunkDraft, ...]:
    """The chunks of a document, in order. `embed` makes the vectors of sentences that the semantic strategy compares;
    `borders` are those of an edition whose chunks are kept where the words are the same.

    Raises PagesMissing if a document with pages yields a chunk without one.
    """
    cutters = [
        _SectionCutter(section, strategy, count_tokens) for section in _merge_sections(document.sections)
    ]
    units = [cutter.make_units() for cutter in cutters]
    if strategy.name == "semantic":
        if embed is None:
            raise ValueError("The semantic strategy compares sentences: it needs a model that embeds them.")
        texts = [cutter.text_of(unit) for cutter, some in zip(cutters, units, strict=True) for unit in some]
        shifts = iter(topic_shifts(texts, embed, strategy.threshold))
        units = [
            [replace(unit, shift=next(shifts) and not cutter.is_bound(unit)) for unit in some]
            for cutter, some in zip(cutters, units, strict=True)
        ]
    if borders:
        units = [cutter.with_borders(some, borders) for cutter, some in zip(cutters, units, strict=True)]
    drafts: list[ChunkDraft] = []
    for cutter, some in zip(cutters, units, strict=True):
        for repeated, fresh in cutter.fill_chunks(some):
            draft = cutter.draft_chunk(repeated, fresh)
            first = next((line for line in draft.lines if line.page == draft.page_start), None)
            label = document.label_of(first.page, first.bbox) if first else ""
            drafts.append(replace(draft, index=len(drafts), page_label=label))
    if document.paged and any(draft.page_start is None or not draft.lines for draft in drafts):
        raise PagesMissing("The document has pages, but some of its text has none; it could not be cited.")
    return tuple(drafts)


def topic_shifts(texts: Sequence[str], embed: Embed, threshold: float) -> list[bool]:
    """For each text, whether its cosine distance from the one before is over the threshold; the first has none."""
    if not texts:
        return []
    return [False, *(cosine_distance(one, other) > threshold for one, other in pairwise(embed(texts)))]


def cosine_distance(one: Sequence[float], other: Sequence[float]) -> float:
    """Of two vectors of length 1: 0 for the same direction, 1 for nothing in common, at most 2."""
    return 1.0 - sum(a * b for a, b in zip(one, other, strict=True))


def _merge_sections(sections: Sequence[Section]) -> list[Section]:
    """Sections worth a chunk: a bare heading joins what it heads, a tiny section without number its next sibling."""
    merged: list[Section] = []
    for section in sections:
        if merged:
            before = merged[-1]
            is_bare = before.letters - len(before.heading) < conf.MIN_SECTION_BODY  # little but its heading
            if before.level < section.level and section.path[: len(before.path)] == before.path:
                is_joined = is_bare
            elif section.border or before.number or section.number or before.level != section.level:
                is_joined = False
            else:
                is_joined = before.letters < conf.MIN_SECTION and before.path[:-1] == section.path[:-1]
            if is_joined:
                merged.pop()
                paragraphs = (*before.paragraphs, *section.paragraphs)
                section = replace(section if is_bare else before, paragraphs=paragraphs, border=before.border)
        merged.append(section)
    return merged


# --- one section ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Unit:
    """A stretch of a paragraph that is never cut. `cut`: a sentence was cut before it; `shift`: it has another topic
    than the one before; `again`: it repeats the head of a table; `border`: a passage of the edition before began here.
    """

    paragraph: int
    start: int
    end: int
    tokens: int
    cut: bool = False
    shift: bool = False
    again: bool = False
    border: bool = False


def _total_tokens(units: Sequence[_Unit]) -> int:
    return sum(unit.tokens for unit in units)


def _total_letters(units: Sequence[_Unit]) -> int:
    return sum(unit.end - unit.start for unit in units)


@dataclass(frozen=True, slots=True)
class _SectionCutter:
    """Cuts one section into units, fills chunks with them, and drafts the chunks."""

    section: Section
    strategy: Strategy
    count_tokens: CountTokens

    def make_units(self) -> list[_Unit]:
        """Whole paragraphs where they fit, else sentences, else stretches of a sentence. The semantic strategy takes
        sentences wherever it may end a chunk between them."""
        limit = self.strategy.max_tokens
        units: list[_Unit] = []
        for at, paragraph in enumerate(self.section.paragraphs):
            text = paragraph.text
            is_whole = self.strategy.name == "fixed" or paragraph.kind in _TIGHT
            if is_whole and len(text) <= LETTERS_A_TOKEN * limit:
                tokens = self.count_tokens(text)
                if tokens <= limit:
                    units.append(_Unit(at, 0, len(text), tokens))
                    continue
            for sentence in sentences_in(text):
                start = 0
                for end in cut_places(sentence.text, limit, self.count_tokens):
                    stretch = sentence.text[start:end]
                    left = sentence.start + end - len(stretch.lstrip())
                    tokens = self.count_tokens(stretch)
                    units.append(_Unit(at, left, sentence.start + end, tokens, cut=start > 0))
                    start = end
        return units

    def text_of(self, unit: _Unit) -> str:
        return self.section.paragraphs[unit.paragraph].text[unit.start : unit.end]

    def is_bound(self, unit: _Unit) -> bool:
        """Whether it continues what is before it: a row its table, an item its list, a stretch its sentence."""
        if unit.cut or unit.start or not unit.paragraph:
            return unit.cut
        before, kind = (self.section.paragraphs[at].kind for at in (unit.paragraph - 1, unit.paragraph))
        return before == "heading" or (before in _TIGHT and kind in _TIGHT)

    def with_borders(self, units: Sequence[_Unit], borders: Borders) -> list[_Unit]:
        """Units that know where a chunk of the edition before began."""
        place = Place(self.section.number[:40], self.section.heading[:300])
        marks = begins_at([self.text_of(unit) for unit in units], borders.get(place, frozenset()))
        return [replace(unit, border=mark) for unit, mark in zip(units, marks, strict=True)]

    def fill_chunks(self, units: Sequence[_Unit]) -> list[tuple[list[_Unit], list[_Unit]]]:
        """The repeated and the fresh units of each chunk."""
        limit = self.strategy.max_tokens
        chunks: list[tuple[list[_Unit], list[_Unit]]] = []
        repeated: list[_Unit] = []
        fresh: list[_Unit] = []
        for unit in units:
            held = _total_tokens(repeated) + _total_tokens(fresh)
            shifts = unit.shift and held >= conf.SEMANTIC_LEAST
            keeps = unit.border and _total_letters(fresh) >= conf.MIN_LAST_CHUNK
            if fresh and (shifts or keeps or held + unit.tokens > limit):
                chunks.append((repeated, fresh))
                repeated, fresh = self._units_to_repeat(fresh, unit, limit - unit.tokens), []
            fresh.append(unit)
        is_short = _total_letters(fresh) < conf.MIN_LAST_CHUNK
        if chunks and is_short and sum(map(_total_tokens, (*chunks[-1], fresh))) <= limit:
            chunks[-1][1].extend(fresh)
        elif fresh:
            chunks.append((repeated, fresh))
        return chunks

    def _units_to_repeat(self, before: Sequence[_Unit], unit: _Unit, room: int) -> list[_Unit]:
        """What the chunk that begins with `unit` repeats, in at most `room` tokens: of a table its head, else the last
        whole sentences before it."""
        paragraphs = self.section.paragraphs
        if paragraphs[unit.paragraph].kind == "row":
            at = unit.paragraph - 1
            while at >= 0 and paragraphs[at].kind == "row":
                at -= 1
            if at < 0 or paragraphs[at].kind != "header":
                return []
            head = _Unit(at, 0, len(paragraphs[at].text), self.count_tokens(paragraphs[at].text), again=True)
            return [head] if head.tokens <= room else []
        room = min(self.strategy.overlap, room)
        tail: list[_Unit] = []
        for one in reversed(before):
            at, parts = one.paragraph, [one]
            if paragraphs[at].kind not in ("row", "header"):
                parts = [
                    _Unit(at, one.start + said.start, one.start + said.end, self.count_tokens(said.text))
                    for said in sentences_in(self.text_of(one))
                ]
            for part in reversed(parts):
                if _total_tokens(tail) + part.tokens > room:
                    return tail
                tail.insert(0, part)
        return tail

    def draft_chunk(self, repeated: Sequence[_Unit], fresh: Sequence[_Unit]) -> ChunkDraft:
        """The chunk of these units; neighboring units of one paragraph are one stretch of text."""
        text, overlap = "", 0
        lines: list[PrintedLine] = []
        marked: list[int] = []
        letters = Counter[Kind]()
        before: Paragraph | None = None
        numbered = [(unit, False) for unit in repeated] + [(unit, True) for unit in fresh]
        for (at, is_fresh), group in groupby(numbered, key=lambda one: (one[0].paragraph, one[1])):
            members = [unit for unit, _ in group]
            first, start, end = members[0], members[0].start, members[-1].end
            paragraph = self.section.paragraphs[at]
            if before is not None and text:
                is_tight = before.kind in _TIGHT and paragraph.kind in _TIGHT
                text += " " if paragraph is before else "\n" if is_tight else "\n\n"
            if is_fresh and not overlap and repeated:
                overlap = len(text)
            if first.cut:
                marked.append(len(text))
            if not first.again:
                lines += _printed_lines(paragraph, start, end, len(text) - start)
            text += paragraph.text[start:end]
            letters[paragraph.kind] += end - start
            before = paragraph
        pages = [line.page for line in lines]
        dominant = (
            kind
            for kind, kinds in _CHUNK_KINDS.items()
            if 2 * sum(letters[one] for one in kinds) > letters.total()
        )
        return ChunkDraft(
            heading=self.section.heading,
            section_path=self.section.path,
            section=self.section.number,
            anchor=self.section.anchor,
            text=text,
            page_start=min(pages, default=None),
            page_end=max(pages, default=None),
            lines=tuple(lines),
            tokens=self.count_tokens(text),
            content_hash=content_hash(text),
            kind=next(dominant, "body"),
            overlap=overlap,
            marked=tuple(marked),
        )


def _printed_lines(paragraph: Paragraph, start: int, end: int, shift: int) -> Iterator[PrintedLine]:
    """The printed lines of the characters [start, end) of a paragraph, which are moved by `shift` in the chunk."""
    for piece in paragraph.pieces:
        first, last = max(piece.start, start), min(piece.end, end)
        if first < last:
            box, xs = narrow_line(paragraph.text, piece, first, last)
            yield PrintedLine(piece.page, box, first + shift, last + shift, xs, piece.turn)
