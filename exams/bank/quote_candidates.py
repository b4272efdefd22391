"""List the possible quotes of a passage: paragraphs with lead-ins, table rows, runs of sentences. Pure.

A quote must make sense alone. One that begins with "this" or "they" includes the sentence before it, a list item its
lead-in. A run-in heading stays with its words, and words that a figure or page break divides are joined. A quote that
still begins or ends in the middle is marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final

from exams.domain.question_checks import figures_in
from knowledge.grounding.citations import find_quote
from knowledge.grounding.outline import Node, outline_of
from knowledge.text.quantities import Quantity
from knowledge.text.sentences import sentences_in
from knowledge.text.tokens import content_words, plain_words
from knowledge.text.word_tables import read_phrases

QUOTE_WORDS_MOST: Final = 110
"""Words of one candidate: the longest paragraph of part 91 that states one rule has about a hundred."""
NAMED_WORDS_MOST: Final = 150
"""The same if the source names its words: a list whose items the point repeats may be longer."""
ROWS_TOGETHER: Final = 4
"""Rows of one first cell that are quoted together: the weather minimums of a class of airspace have three."""
SENTENCES_IN_A_ROW: Final = 3
"""Sentences that may support one point together."""
SENTENCES_BEFORE: Final = 3
"""Sentences taken along before one that begins with a pronoun."""
HEADING_WORDS_MOST: Final = 8
"""Words of a line without a full stop that is what the paragraph below it speaks of."""
LEAD_IN_WORDS_MOST: Final = 40
"""A lead-in without a label is quoted by its last sentence, since a page's prose runs into the line that ends with the
colon; if that points back, it is quoted whole up to this length."""

_ROW: Final = re.compile(r"^[^\n|]*\|[^\n]*$", re.MULTILINE)
_CAPTION: Final = re.compile(r"^[ \t]*Figure \d{1,2}-\d{1,3}\.[^\n]*$", re.MULTILINE)
_FULL_STOP: Final = re.compile(r"[.!?][\"'”’)\]*]*(?:\s*\[[^\]]*\]\.?)?$")
_LEADS_ON: Final = re.compile(r"[:—–]\s*$")
_PHRASES: Final = read_phrases(Path(__file__).with_name("phrases.csv"), ignore_case=True)


@dataclass(frozen=True)
class Candidate:
    """Words that may support a point.

    `quotes` stand verbatim in the passage, lead-ins first; `read` is all of them under their heading, `alone` the last
    without lead-ins; `path` is the paragraph, "(b)(1)"; `whole` is false for a quote that begins or ends in the middle.
    `forms` are the passage's short forms and what they stand for; `long` is true for one that only a source may name.
    Words and amounts are read once and when they are wanted: a chapter's candidates are compared with many points, and
    most of those that a search finds are never near.
    """

    chunk: str
    quotes: tuple[str, ...]
    read: str
    alone: str
    path: str
    whole: bool
    forms: tuple[tuple[str, str], ...]
    long: bool = False

    @cached_property
    def words(self) -> frozenset[str]:
        """Content words of `read`, with short forms spelled out and the other way round."""
        return _words_with_short_forms(self.read, self.forms)

    @cached_property
    def own_words(self) -> frozenset[str]:
        """The same of `alone`."""
        return _words_with_short_forms(self.alone, self.forms)

    @cached_property
    def quoted_words(self) -> frozenset[str]:
        """The same of `quotes`."""
        return _words_with_short_forms(" ".join(self.quotes), self.forms)

    @cached_property
    def amounts(self) -> tuple[Quantity, ...]:
        """The figures in `read`."""
        return figures_in(self.read)

    def says(self, words: str, *, last: bool = False) -> bool:
        """Whether its quotes have these words, or only the last of them; "…" stands for words left out."""
        said = plain_words(" ".join(self.quotes[-1:] if last else self.quotes))
        parts = filter(None, map(plain_words, words.replace("...", "…").split("…")))
        return all(f" {part} " in f" {said} " for part in parts)

    def beside(self, other: Candidate) -> Candidate:
        """Both candidates as one, the other one first, as a lead-in is."""
        return replace(
            self,
            quotes=(*other.quotes, *self.quotes),
            read=f"{self.read} {other.read}",
            alone=f"{self.alone} {other.alone}",
            whole=self.whole and other.whole,
        )


def candidates_in(
    chunk: str, text: str, heading: str, names: Mapping[str, Sequence[str]] | None = None
) -> Iterator[Candidate]:
    """All that may be quoted from one passage. `names` maps short forms to what they stand for, in small letters."""
    yield from _Passage(chunk, text, heading, names or {}).candidates()


def forms_said_in(text: str, names: Mapping[str, Sequence[str]]) -> tuple[tuple[str, str], ...]:
    """The short forms and what they stand for, of those that the text has either of."""
    small = text.lower()
    said = set(re.findall(r"[a-z0-9/&-]+", small))
    return tuple(
        (short, long) for short, longs in names.items() for long in longs if short in said or long in small
    )


@dataclass(frozen=True, slots=True)
class _Run:
    """Sentences in a row, by their characters in the passage."""

    start: int
    end: int
    whole: bool
    led_in: bool = True  # whether the paragraph's lead-in leads in to it
    before: tuple[str, ...] = ()  # the sentence or heading before, which it speaks of


class _Passage:
    """One passage: `_text` is what quotes are taken from, `_prose` what is read as sentences.

    `_title` is the heading where it stands above the text, else empty. `_forms` are the short forms and what they stand
    for, of those that the text has either of.
    """

    def __init__(self, chunk: str, text: str, heading: str, names: Mapping[str, Sequence[str]]) -> None:
        self._chunk, self._text, self._heading = chunk, text, heading
        # The prose leaves rows and captions out and joins the lines that they or a page break cut. Every character but
        # a label's keeps its place, so that a quote can be taken from the text.
        prose = text
        broken_line = r"(?<=[^\s.:;!?…—|])\s*\n\s*(?=[a-z]{2}|a\s)"
        for aside in (_ROW, _CAPTION, broken_line):
            prose = re.sub(aside, lambda found: " " * len(found.group()), prose)
        label_alone = r"^(\d{1,2}\.)\s*\n\s*(?=[A-Z])"
        self._prose = re.sub(
            label_alone, lambda found: f"{found[1]} ".rjust(len(found.group())), prose, flags=re.MULTILINE
        )
        self._forms = forms_said_in(text, names)
        self._nodes = [node for node in outline_of(self._prose, heading) if node.text.strip() or node.heading]
        # A glossary's term in capitals belongs to its definition, which does not name it again.
        line, _, _ = text.strip().partition("\n")
        is_title = line and re.findall(r"\w+", line) == re.findall(r"\w+", heading)
        self._title = line.strip() if is_title else ""

    def candidates(self) -> Iterator[Candidate]:
        """Rows of tables with their head, those of one first cell together, too; then captions, then paragraphs."""
        tables: list[list[re.Match[str]]] = []
        for row in _ROW.finditer(self._text):
            if tables and not self._text[tables[-1][-1].end() : row.start()].strip():
                tables[-1].append(row)
            else:
                tables.append([row])
        for table in tables:
            # A table at the beginning of the passage goes on from the one before, and its first row is no head.
            continued = not self._text[: table[0].start()].strip()
            head = "" if continued else table[0].group()
            for size in range(1, ROWS_TOGETHER + 1):
                for start in range(len(table) - size + 1):
                    group = table[start : start + size]
                    if len({row.group().split("|")[0].strip() for row in group}) > 1:
                        continue
                    quote = " ".join(self._text[group[0].start() : group[-1].end()].split())
                    read = f"{self._heading}: {head}. {'. '.join(row.group() for row in group)}"
                    quotes = (quote,) if start == 0 or continued else (" ".join(head.split()), quote)
                    yield self._make_candidate(quotes, read, read)
        for caption in _CAPTION.finditer(self._text):
            said = " ".join(caption.group().split())
            read = f"{self._heading}: {said}"
            yield self._make_candidate((said,), read, read, whole=bool(_FULL_STOP.search(said)))
        before: Node | None = None
        for node in self._nodes:
            yield from self._paragraph_candidates(node, before)
            before = node

    def _make_candidate(
        self,
        quotes: tuple[str, ...],
        read: str,
        alone: str,
        path: str = "",
        *,
        whole: bool = True,
        long: bool = False,
    ) -> Candidate:
        return Candidate(self._chunk, quotes, read, alone, path, whole, self._forms, long)

    def _paragraph_candidates(self, node: Node, before: Node | None) -> Iterator[Candidate]:
        """The paragraph as a whole, its sentences alone and in a row, and the paragraph with the first ones below it:
        what ends in a colon says nothing without them."""
        lead_ins = self._lead_ins(node)
        under = ". ".join((self._heading, *node.headings()))
        at = self._prose.rfind(node.heading, 0, node.start) if node.heading else -1
        has_run_in_heading = at >= 0 and node.start - at <= len(node.heading) + 4
        start = at if has_run_in_heading else node.start
        sentences = [
            (start + one.start, start + one.end) for one in sentences_in(self._prose[start : node.end])
        ]
        runs = [
            self._run_between(sentences, first, first + length, node, before, listed=bool(lead_ins))
            for length in (len(sentences), *range(1, SENTENCES_IN_A_ROW + 1))
            for first in range(len(sentences) - length + 1)
        ]
        if node.children:
            whole = not sentences or not self._points_back(sentences[0])
            runs += [_Run(start, _end_of(child), whole=whole) for child in node.children]
        seen: set[tuple[str, ...]] = set()
        for run in runs:
            pieces = self._pieces_between(run.start, run.end)
            length = sum(len(one.split()) for one in pieces)
            if not pieces or pieces in seen or length > NAMED_WORDS_MOST:
                continue
            seen.add(pieces)
            leading = lead_ins if run.led_in else ()
            quotes = (*leading, *run.before, *pieces)
            whole = run.whole and len(run.before) + len(pieces) < (2 if leading else 3)
            read, alone = f"{under}: {' '.join(quotes)}", f"{under}: {' '.join(pieces)}"
            long = length > QUOTE_WORDS_MOST
            yield self._make_candidate(quotes, read, alone, node.path, whole=whole, long=long)

    def _run_between(
        self,
        sentences: Sequence[tuple[int, int]],
        first: int,
        stop: int,
        node: Node,
        before: Node | None,
        *,
        listed: bool,
    ) -> _Run:
        opening = first
        while opening > 0 and first - opening < SENTENCES_BEFORE and self._points_back(sentences[opening]):
            opening -= 1
        if listed and node.heading and sentences[opening][0] >= node.start:
            opening = 0
        start, end = sentences[opening][0], sentences[stop - 1][1]
        at_end = stop == len(sentences)
        ends = bool(_FULL_STOP.search(self._prose[start:end])) or (listed and at_end)
        if node.label and at_end:  # a list's item is long enough to be quoted and ends "…;" or "…; and"
            item = re.sub(r"; (?:and|or)$", ";", self._prose[start:end])
            ends = ends or (item.endswith(";") and len(item.split()) > 8)
        ends = ends and not _LEADS_ON.search(self._prose[start:end])
        begins = bool(node.label) or not self._prose[start].islower()
        first_words = before is None and opening == 0 and not node.label
        if not self._points_back(sentences[opening]) or (listed and opening == 0):
            term = (self._title,) if first_words and self._title.partition("(")[0].isupper() else ()
            return _Run(start, end, ends and begins, led_in=opening == 0, before=term)
        antecedent = self._title if first_words else ""
        if before and opening == 0 and not listed:
            antecedent = self._last_sentence(before)
        return _Run(start, end, ends and bool(antecedent), before=(antecedent,) if antecedent else ())

    def _points_back(self, sentence: tuple[int, int]) -> bool:
        said = " ".join(self._prose[slice(*sentence)].split())
        return bool(_PHRASES["points back"].match(said)) and not _PHRASES["points nowhere"].match(said)

    def _last_sentence(self, node: Node | None) -> str:
        """What a paragraph ends with, if it is a heading or can be quoted and points to nothing before it."""
        sentences = sentences_in(self._prose[node.start : node.end]) if node else ()
        if not node or not sentences:
            return ""
        if not _FULL_STOP.search(sentences[-1].text) and len(node.text.split()) > HEADING_WORDS_MOST:
            return ""
        place = (node.start + sentences[-1].start, node.start + sentences[-1].end)
        pieces = self._pieces_between(*place)
        return pieces[0] if len(pieces) == 1 and not self._points_back(place) else ""

    def _lead_ins(self, node: Node) -> tuple[str, ...]:
        """The last two lead-ins, outermost first; they are one quote if one directly follows the other."""
        nodes = node.lead_ins()[-2:]
        lead_ins = tuple(self._lead_in(one) for one in nodes)
        if len(nodes) == 2 and nodes[0].children[0] is nodes[1]:
            between = self._pieces_between(nodes[0].end, nodes[1].start)
            joined = " ".join((lead_ins[0], *between, lead_ins[1]))
            if find_quote(self._text, joined):
                return (joined,)
        return lead_ins

    def _lead_in(self, node: Node) -> str:
        pieces = self._pieces_between(node.start, node.end)
        said = pieces[-1] if pieces else ""
        sentences = sentences_in(said)
        if node.label or len(sentences) < 2:
            return said
        last = sentences[-1].text
        return (
            said if _PHRASES["points back"].match(last) and len(said.split()) <= LEAD_IN_WORDS_MOST else last
        )

    def _pieces_between(self, start: int, end: int) -> tuple[str, ...]:
        """The words of the passage there, in one piece but for a caption or row between them."""
        pieces: list[str] = []
        last = start
        for found in re.finditer(r"\S+", self._prose[start:end]):
            between = self._text[last : start + found.start()]
            if pieces and not between.strip():
                pieces[-1] += f" {found.group()}"
            else:
                pieces.append(found.group())
            last = start + found.end()
        return tuple(pieces)


def _words_with_short_forms(text: str, forms: Sequence[tuple[str, str]]) -> frozenset[str]:
    """Its content words, and those of what its short forms stand for and the other way round."""
    words = frozenset(content_words(text))
    small = text.lower()
    for short, long in forms:
        if long in small or (short in words and re.search(rf"\b{re.escape(short)}\b", small)):
            words |= {*content_words(short), *content_words(long)}
    return words


def _end_of(node: Node) -> int:
    """Where the last of the paragraphs below it ends."""
    return max((node.end, *(_end_of(child) for child in node.children)))
