"""Words with opposite meanings, and texts that say one where the other is meant.

A row of `opposites.csv` is a pair. Its `decisive` pairs overrule a verdict (`said_opposite`); those with `beginnings`
contradict a statement wherever they stand (`knowledge.grounding.fact_check`); those for `rules` are compared in
statements about European rules (`rules.statements.entailment`), some of them only there.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from knowledge.text.sentences import sentences_in
from knowledge.text.text_cache import cached_by_text
from knowledge.text.tokens import stem_word
from knowledge.text.word_tables import read_rows

_ROWS: Final = tuple(read_rows(Path(__file__).with_name("opposites.csv")))


def opposite_pairs() -> tuple[tuple[str, str], ...]:
    return tuple((row["one"], row["other"]) for row in _ROWS if row["rules"] != "only")


@cache
def opposites_in_rules() -> tuple[tuple[str, str], ...]:
    return tuple((row["one"], row["other"]) for row in _ROWS if row["rules"])


@cache
def opposite_beginnings() -> tuple[tuple[str, ...], ...]:
    """For each pair that contradicts wherever it stands, how its two words begin."""
    return tuple(tuple(row["beginnings"].split("|")) for row in _ROWS if row["beginnings"])


def is_opposed(clause: str, said: str) -> bool:
    """Whether the clause holds one word alone of a pair of opposites and the other text the other alone."""
    ours, theirs = _word_stems(clause), _word_stems(said)
    return any(
        (one in ours) != (other in ours)
        and (one in theirs) != (other in theirs)
        and (one in ours) != (one in theirs)
        for one, other in _pairs()
    )


def said_opposite(expected: str, other_words: Iterable[str], answer: str) -> str:
    """The sentence of the answer that comes nearest to what is expected, where it says the opposite of a word of it
    that the answer never says; "" if it does not. The opposite stands in none of the `other_words`: accepted wordings
    and the question. Only decisive pairs count, which are wrong in at least five of six graded answers
    (`tools/training/graded/items.jsonl`); "before" for "after" often is another way to say the same."""
    wanted, said = _word_stems(expected), _word_stems(answer)
    unsaid = {one: _decisive()[one] for one in wanted - said if one in _decisive()}
    if not unsaid or not any(others & said for others in unsaid.values()):
        return ""
    meant = wanted.union(*map(_word_stems, other_words))
    nearest = max((one.text for one in sentences_in(answer)), key=lambda one: len(_word_stems(one) & meant))
    told = {one for one in _word_stems(nearest) - meant if one in _decisive() and not _decisive()[one] & said}
    return nearest if any(others & told for others in unsaid.values()) else ""


@cache
def _pairs() -> tuple[tuple[str, str], ...]:
    return tuple((stem_word(one), stem_word(other)) for one, other in opposite_pairs())


@cache
def _decisive() -> Mapping[str, frozenset[str]]:
    """By stem of a word, the stems of its decisive opposites."""
    found: dict[str, frozenset[str]] = {}
    for row in _ROWS:
        if row["decisive"]:
            one, other = stem_word(row["one"]), stem_word(row["other"])
            found[one] = found.get(one, frozenset()) | {other}
            found[other] = found.get(other, frozenset()) | {one}
    return MappingProxyType(found)


@cached_by_text
def _word_stems(text: str) -> frozenset[str]:
    return frozenset(stem_word(word) for word in re.findall(r"[a-z]+(?:-[a-z]+)*", text.lower()))
