"""Words with opposite meanings, and texts that say one where the other is meant.

A row of `opposites.csv` is a pair. Its `decisive` pairs overrule a verdict (`said_opposite`); those with `beginnings`
contradict a statement wherever they stand (`knowledge.grounding.fact_check`); those for `rules` are compared in
statements about European rules (`rules.statements.entailment`), some of them only there.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain, pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Final

from knowledge.text.sentences import sentences_in
from knowledge.text.text_cache import cached_by_text
from knowledge.text.tokens import content_words, stem_word
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


def denies(text: str) -> bool:
    """Whether a word of the text denies."""
    return bool(re.search(r"\b(?:not|no|never|nor|without)\b|n['’]t\b", text, re.IGNORECASE))


def is_turned_round(expected: str, said: str) -> bool:
    """Whether the words say the opposite comparative of what is expected, both beside the same other word: "more
    stable" where it is "less stable", and deny nothing. Unlike `said_opposite`, this reads one sentence, not a whole
    answer. With two words turned ("less weight, a lower stall speed") it is true again."""
    if denies(said):
        return False
    ours, theirs = _words_with_neighbors(expected), _words_with_neighbors(said)
    turned = [
        (one, other)
        for pair in _pairs()
        for one, other in (pair, pair[::-1])
        if one in ours and other in theirs and not (one in theirs or other in ours)
    ]
    return len(turned) == 1 and all(
        turned[0] in _comparatives() and ours[one] & theirs[other] for one, other in turned
    )


def _words_with_neighbors(text: str) -> Mapping[str, set[str]]:
    """By stem, the stems of the words that stand right before and after it, words without content left out."""
    stems = [
        stem_word(word)
        for word in re.findall(r"[a-z]+(?:-[a-z]+)*", text.lower())
        if stem_word(word) in _paired() or content_words(word)
    ]
    found: dict[str, set[str]] = defaultdict(set)
    for one, following in pairwise(stems):
        found[one].add(following)
        found[following].add(one)
    return found


@cache
def _comparatives() -> frozenset[tuple[str, str]]:
    """The stems of opposites that compare, in both orders."""
    pairs = [
        tuple(stem_word(word) for word in pair)
        for pair in opposite_pairs()
        if all(word.endswith("er") or word in ("more", "less") for word in pair)
    ]
    return frozenset((one, other) for pair in pairs for one, other in (pair, pair[::-1]))


@cache
def _paired() -> frozenset[str]:
    return frozenset(chain.from_iterable(_pairs()))


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
