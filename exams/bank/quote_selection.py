"""A key point and the text of passages become the shortest exact quotes that bear the point.

Candidates are paragraphs of a regulation with the lead-ins above them, rows of a table, and one to three sentences in a
row. A candidate has to state every amount of the point; among those that do, nearness of meaning and shared words
decide, and of two that are as near the shorter wins. Pure: meaning comes as a function that is handed in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from exams.question_rules import figures_in
from knowledge.grounding.facts import Quantity, compare, content_words, coverage
from knowledge.grounding.outline import Node, outline_of
from knowledge.grounding.sentences import sentences_in

Nearness = Callable[[str, Sequence[str]], Sequence[float]]
"""How near each of several texts is to one, -1 to 1."""

QUOTE_WORDS_MOST: Final = 110
"""Words of one candidate: the longest paragraph of part 91 that states one rule has about a hundred."""
SENTENCES_IN_A_ROW: Final = 3
"""Sentences that may bear one point together."""
READ_CLOSELY: Final = 24
"""Candidates whose meaning is compared: those that share most words with the point."""
MEANING_SHARE: Final = 0.6
"""Weight of nearness beside shared words, measured on the points of the project's own bank."""
LENGTH_PRICE: Final = 0.0015
"""What each word of a quote beyond thirty costs, lead-ins aside: of two as near, the shorter says it more plainly."""
PLACE_BONUS: Final = 0.15
"""For a candidate in the very paragraph that the source names."""
CLEAN: Final = 0.6
"""Score from which a quote bears its point without being read first (docs/architecture/item-bank.md has the
figures)."""
POSSIBLE: Final = 0.45
"""Score below which nothing bears it."""
RIVAL_FACTS: Final = ("number", "unit", "datum")
"""Disagreements that keep a quote from being clean. What an author wrote from the section that they name agrees
with it;
negations of clauses that only look alike would hold back one good quote in eight."""

_ROW: Final = re.compile(r"^[^\n|]*\|[^\n]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Candidate:
    """Words that may bear a point. `quotes` stand verbatim in the passage, lead-ins first; `read` is what they say
    together, with the heading they stand under, and `alone` what the last says without lead-ins; `path` is the
    paragraph, "(b)(1)". Words and amounts are read once: a chapter's candidates are compared with many points."""

    chunk: str
    quotes: tuple[str, ...]
    read: str
    alone: str
    path: str
    words: frozenset[str]
    own_words: frozenset[str]
    amounts: tuple[Quantity, ...]

    @classmethod
    def of(cls, chunk: str, quotes: tuple[str, ...], read: str, alone: str, path: str = "") -> Candidate:
        words, own = frozenset(content_words(read)), frozenset(content_words(alone))
        return cls(chunk, quotes, read, alone, path, words, own, figures_in(read))


@dataclass(frozen=True, slots=True)
class Bearing:
    """The best candidate for a point. `clean` says that it may be approved without being read."""

    candidate: Candidate
    score: float
    clean: bool
    faults: tuple[str, ...] = ()


def candidates_in(chunk: str, text: str, heading: str) -> Iterator[Candidate]:
    """All that may be quoted from one passage."""
    rows = list(_ROW.finditer(text))
    yield from _table_rows(chunk, text, rows, heading)
    prose = _ROW.sub(lambda row: " " * len(row.group()), text)
    for node in outline_of(prose, heading):
        if node.text.strip():
            yield from _paragraph(chunk, text, node, heading)


def best_bearing(
    point: str, candidates: Sequence[Candidate], near: Nearness, *, paragraph: str = "", givens: str = ""
) -> Bearing | None:
    """The candidate that bears the point best; None where nothing comes near. `paragraph` is where the source says that
    it stands; amounts of the `givens` of the question need not stand in the source."""
    words = set(content_words(point))
    given = figures_in(givens)
    amounts = [one for one in figures_in(point) if not any(one.same_as(other) for other in given)]
    shares = [_share(words, one) for one in candidates]
    ranked = sorted(range(len(candidates)), key=lambda at: -shares[at] - _placed(candidates[at], paragraph))
    stating = [at for at in ranked if _states(candidates[at], amounts)][:READ_CLOSELY]
    if not stating:
        return None
    together = near(point, [candidates[at].read for at in stating])
    alone = near(point, [candidates[at].alone for at in stating])
    scores = {
        at: MEANING_SHARE * max(with_lead_in, by_itself)
        + (1 - MEANING_SHARE) * shares[at]
        + _placed(candidates[at], paragraph)
        - LENGTH_PRICE * max(0, len(candidates[at].quotes[-1].split()) - 30)
        for at, with_lead_in, by_itself in zip(stating, together, alone, strict=True)
    }
    best = max(scores, key=lambda at: scores[at])
    if scores[best] < POSSIBLE:
        return None
    found = compare(point, candidates[best].read).contradictions
    faults = tuple(str(one) for one in found if one.kind in RIVAL_FACTS)
    return Bearing(candidates[best], round(scores[best], 3), scores[best] >= CLEAN and not faults, faults)


def _share(words: set[str], candidate: Candidate) -> float:
    """Shared words: half of them have to be the quote's own, so that a lead-in that says it all is quoted itself."""
    return (coverage(words, candidate.words) + coverage(words, candidate.own_words)) / 2


def _placed(candidate: Candidate, paragraph: str) -> float:
    """Full for the paragraph named or one below it, half for one that it stands under."""
    if not paragraph or not candidate.path:
        return 0.0
    if candidate.path.startswith(paragraph):
        return PLACE_BONUS
    return PLACE_BONUS / 2 if paragraph.startswith(candidate.path) else 0.0


def _states(candidate: Candidate, amounts: Sequence[Quantity]) -> bool:
    return all(any(one.same_as(other) for other in candidate.amounts) for one in amounts)


def _paragraph(chunk: str, text: str, node: Node, heading: str) -> Iterator[Candidate]:
    """The paragraph as a whole where it is short, and its sentences, alone and in a row."""
    lead_ins = tuple(" ".join(text[one.start : one.end].split()) for one in node.lead_ins())[-2:]
    said = text[node.start : node.end]
    sentences = [one.text for one in sentences_in(said)] or [said.strip()]
    runs: dict[str, None] = {}
    if len(said.split()) <= QUOTE_WORDS_MOST:
        runs[" ".join(said.split())] = None
    for length in range(1, SENTENCES_IN_A_ROW + 1):
        for start in range(len(sentences) - length + 1):
            run = " ".join(" ".join(sentences[start : start + length]).split())
            if len(run.split()) <= QUOTE_WORDS_MOST:
                runs[run] = None
    if node.children:
        end = max(child.end for child in node.children)
        with_children = " ".join(text[node.start : end].split())
        if len(with_children.split()) <= QUOTE_WORDS_MOST:
            runs[with_children] = None
    under = ". ".join((heading, *node.headings()))
    for run in runs:
        read = " ".join((f"{under}:", *lead_ins, run))
        yield Candidate.of(chunk, (*lead_ins, run), read, f"{under}: {run}", node.path)


def _table_rows(chunk: str, text: str, rows: Sequence[re.Match[str]], heading: str) -> Iterator[Candidate]:
    """Each row, and the rows of one first cell together, read with the table's head."""
    for block in _blocks(text, rows):
        head = block[0].group()
        for size in range(1, 5):
            for start in range(len(block) - size + 1):
                group = block[start : start + size]
                if size > 1 and len({row.group().split("|")[0].strip() for row in group}) > 1:
                    continue
                quote = text[group[0].start() : group[-1].end()]
                read = f"{heading}: {head}. {'. '.join(row.group() for row in group)}"
                yield Candidate.of(chunk, (" ".join(quote.split()),), read, read)


def _blocks(text: str, rows: Iterable[re.Match[str]]) -> list[list[re.Match[str]]]:
    """Rows that follow each other without a line between them."""
    blocks: list[list[re.Match[str]]] = []
    for row in rows:
        if blocks and not text[blocks[-1][-1].end() : row.start()].strip():
            blocks[-1].append(row)
        else:
            blocks.append([row])
    return blocks
