"""How far an answer goes along with a text word by word, in the same order: what was said as it stands, what was moved,
what was put in and what was left out.

Nearness of meaning hardly sees a swapped figure, and shares of words see no order; a text that is repeated differs from
it in nothing. Words count by what they stand for ("airplane" and "aircraft" are one), articles and pronouns not at all,
negations and relations always. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from exams.offline.wording import idea, is_number, words_in
from knowledge.grounding.numbers import NUMBER_PATTERN, number_from, plain


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_SILENT: Final = _words(
    """
    a am an and are as at be been being do does for from get give gives given got had has have he her here his i i'd
    i'll i'm i've if in into is it it's its just me mean means must my of oh okay on one or our own say says so tell
    tells than that that's the their them then there they this those to uh um us was we well were what when where which
    who will with would yeah yes you you'd your
    """
)
_DENIALS: Final = _words("no not never none nothing neither nor cannot nobody")
_NEGATIONS: Final = _words("not without unless only except")
_CLAUSE: Final = re.compile(r"[,;:.!?](?!\d)|\b(?:and|but|or|while|then)\b")
MOSTLY: Final = 0.5
"""Share of the statement's words that an answer must repeat to be told as saying only those."""
_SLACK: Final = 1
"""Words of the statement that a clause may leap over and still stand together in it."""
_NUMBER: Final = re.compile(rf"(?<![a-z\d.]){NUMBER_PATTERN}")

Words = tuple[str, ...]


@lru_cache(maxsize=40_000)
def words_of(text: str) -> Words:
    """The words of a text in order, each as what it stands for; numbers in digits, "n't" as a word."""
    whole = _NUMBER.sub(_digits, plain(text)).replace("can't", "can not").replace("won't", "will not")
    return tuple(_sense(word) for word in words_in(whole.replace("n't", " not")) if word not in _SILENT)


def _sense(word: str) -> str:
    if word in _DENIALS:
        return "not"
    return word if is_number(word) or word in _NEGATIONS else idea(word)


def _digits(found: re.Match[str]) -> str:
    """A number in digits; "one" alone may count nothing."""
    return found[0] if found[0] == "one" else f"{number_from(found[0]):g}"


def in_order(one: Sequence[str], other: Sequence[str]) -> int:
    """Length of the longest common subsequence, by bits (Hyyrö, 2004)."""
    places: dict[str, int] = {}
    for place, word in enumerate(one):
        places[word] = places.get(word, 0) | 1 << place
    full = (1 << len(one)) - 1
    row = full
    for word in other:
        taken = row & places.get(word, 0)
        row = ((row + taken) | (row - taken)) & full
    return len(one) - row.bit_count()


def likeness(one: Sequence[str], other: Sequence[str]) -> float:
    """Share of both texts' words that stand in both in the same order, in [0, 1]."""
    together = len(one) + len(other)
    return 2 * in_order(one, other) / together if together else 0.0


def stands_together(clause: Sequence[str], stated: Sequence[str]) -> bool:
    """Whether what a clause shares with the statement stands there in the same order, with hardly a word between.
    "500 above" does not stand in "500 below, 1,000 above".
    """
    known = [word for word in clause if word in stated]
    width = len(known) + _SLACK
    return not known or any(
        in_order(known, stated[start : start + width]) == len(known)
        for start in range(max(1, len(stated) - len(known) + 1))
    )


def says_only(signs: Mapping[str, float]) -> bool:
    """Whether the answer, by its `signs_along`, says most of the statement's own words as they stand there, and no
    others. It may have left something out, but no figure and no negation: then it contradicts nothing.
    """
    changed = ("foreign", "lost_figures", "lost_negations", "foreign_negations")
    in_place = not signs["moved"] or not signs["scattered"]
    return in_place and signs["kept"] >= MOSTLY and not any(signs[name] for name in changed)


def signs_along(statement: str, question: str, answer: str, others: str = "") -> dict[str, float]:
    """How the answer goes along with the statement. Words of the question were said for it, and words of the other
    statements are none of its matter.
    """
    stated, said = words_of(statement), words_of(answer)
    asked, elsewhere = frozenset(words_of(question)), frozenset(words_of(others))
    new = tuple(word for word in stated if word not in asked)
    shared = sum((Counter(stated) & Counter(said)).values())
    foreign = [word for word in said if word not in stated and word not in asked and word not in elsewhere]
    lost = Counter(new) - Counter(said)
    clauses = [words_of(clause) for clause in _CLAUSE.split(plain(answer))]
    return {
        "along": in_order(stated, said) / max(1, len(stated)),
        "along_new": in_order(new, said) / len(new) if new else 1.0,
        "kept": shared / max(1, len(stated)),
        "moved": shared - in_order(stated, said),
        "scattered": sum(not stands_together(clause, stated) for clause in clauses),
        "foreign": len(foreign),
        "foreign_share": len(foreign) / max(1, len(said)),
        "foreign_figures": sum(map(is_number, foreign)),
        "foreign_negations": sum(word in _NEGATIONS for word in foreign),
        "lost": sum(lost.values()),
        "lost_figures": sum(map(is_number, lost)),
        "lost_negations": sum(word in _NEGATIONS for word in lost),
    }


def signs_beside(answer: str, graded: Mapping[str, Iterable[str]]) -> dict[str, float]:
    """The greatest likeness of the answer to a text of each grade, and by how much a right one is the likest."""
    said = words_of(answer)
    found = {
        f"order_{grade}": max((likeness(said, words_of(text)) for text in texts), default=0.0)
        for grade, texts in graded.items()
    }
    worst = max((value for name, value in found.items() if name != "order_met"), default=0.0)
    return found | {"order_lead": found.get("order_met", 0.0) - worst}
