"""A statement becomes its facets: the separate things that a complete answer says.

"Flight visibility of 1 statute mile and clear of clouds" has two; a list has one for each item. A facet
that holds a demanded amount is carried by that amount; any other by its words, or by a stretch of the
answer that means the same. A facet that says only what the question says is not counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from exams.offline.amounts import Amount
from exams.offline.matching import Embed, Stretch, Vector, cosine, held_share
from exams.offline.meaning import PALE, asked_in, weight_of
from exams.offline.wording import ideas_in, joined, terms_in
from knowledge.grounding.quantities import Quantity, quantities_in
from knowledge.grounding.sentences import sentences_in

FacetKind = Literal["amount", "main", "condition"]

_CUT: Final = re.compile(
    r"\s*;\s*|,\s+(?:and|or|but|nor|so)\s+|(?<!\d),\s+|(?<=\d),\s+(?!\d)|\s+(?:and|or|nor|but|so)\s+"
    r"|\s+(?=(?:because|unless|while|whereas|where|when|if|which|after|before|as soon as|so that)\b)",
    re.IGNORECASE,
)
_CONDITION: Final = re.compile(
    r"(?:and |or )?(?:when|whenever|if|as|at|over|in|on|for|during|from|to|while|where|before|after|under|near|"
    r"by|because|since|no (?:person|pilot|one)|that|who|whose|even|especially|such as|among|apart|except)\b",
    re.IGNORECASE,
)
_RULE: Final = re.compile(
    r"\b(?:must|may|shall|should|needs?|requires?|required|has|have|is|are|unless|cannot)\b", re.IGNORECASE
)
_RELATIVE: Final = re.compile(r"\b(?:that|who|which|whose)\b", re.IGNORECASE)
_LIMIT: Final = re.compile(r"\b(?:lessthan|morethan|atleast|atmost|less|more|equal|only)\b", re.IGNORECASE)
_ASKS_CONDITION: Final = re.compile(
    r"\b(?:when|where|which \w+|how (?:long|often|far|high|low)|(?:at|under|between|in) (?:what|which)\b[^?]*?)\s+"
    r"(?:is|are|was|do|does|did|must|may|can|could|should|shall|will|would|have|has)\b[^?]*\?",
    re.IGNORECASE,
)
_MASK: Final = re.compile(r"^q\d+q$")
_LISTED_WORDS: Final = 3
"""Words of an item that a leading condition lists ("a town", "an open-air assembly")."""
_EMPTY: Final = frozenset(("require", "allow"))
CARRIED_WORDS: Final = 0.6
"""Share of a facet's new ideas that carries it."""
CARRIED_NEAR: Final = 0.6
"""Cosine between a facet and a stretch of the answer from which both say the same (all-MiniLM-L6-v2)."""
NEAR_WORDS: Final = 0.2
"""Share of new ideas that must stand beside that cosine: topic words alone come near as well."""
CONDITION_WEIGHT: Final = 0.4
"""A leading condition ("when converging") beside 1 for what is said of it: the question usually states it."""
IDEA_WEIGHT: Final = 0.6
"""Weight of one new idea of a facet; two or more weigh 1."""
AMOUNT_WEIGHT: Final = 1.25
"""Weight of one demanded amount."""


@dataclass(frozen=True, slots=True)
class Facet:
    """`weight` is what it counts among the others; `carried` in [0, 1]; a `condition` says only when the
    rest holds.
    """

    text: str
    weight: float
    carried: float
    kind: FacetKind = "main"


def facets_of(
    statement: str,
    question: str,
    said: Sequence[Stretch],
    amounts: Sequence[Amount],
    embed: Embed,
    *,
    others: str = "",
    applies: bool = False,
) -> tuple[Facet, ...]:
    """The facets of a statement with how far the stretches of the answer carry each.

    `applies`: the statement is to be applied to the question's own circumstances, so naming them counts.
    An idea that stands in several facets, or in the `others` expected of the same answer, tells little of one.
    """
    asked = frozenset() if applies else asked_in(question)
    quantities = quantities_in(statement)
    settled = bool(amounts) or not _ASKS_CONDITION.search(question)
    pieces = pieces_of(_masked(statement, quantities))
    lead = max(_lead(pieces), _case(statement, quantities)) if settled else 0
    strong = _own_terms([_strong_terms(piece, asked) for piece in pieces], frozenset(ideas_in(others)))
    facets = [
        _amount_facet(piece, amounts, quantities)
        or _word_facet(
            piece,
            terms,
            said,
            embed,
            is_condition=settled and (place < lead or bool(_CONDITION.match(piece))),
        )
        for place, (piece, terms) in enumerate(zip(pieces, strong, strict=True))
    ]
    return tuple(facet for facet in facets if facet.weight > 0)


def _own_terms(pieces: Sequence[dict[str, str]], elsewhere: frozenset[str]) -> list[dict[str, str]]:
    counts = Counter(one for terms in pieces for one in terms)
    own = [{one: word for one, word in terms.items() if counts[one] == 1} or terms for terms in pieces]
    return [{one: word for one, word in terms.items() if one not in elsewhere} or terms for terms in own]


def _lead(pieces: Sequence[str]) -> int:
    """How many pieces lead in to the rule ("Over a city, a town or a settlement, no person may..."): they
    say when.
    """
    if (
        not pieces
        or _RULE.search(pieces[0])
        or not (_CONDITION.match(pieces[0]) or _RELATIVE.search(pieces[0]))
    ):
        return 0
    for place, piece in enumerate(pieces[1:], start=1):
        if len(piece.split()) > _LISTED_WORDS or _RULE.search(piece):
            return place
    return 1


def _case(statement: str, quantities: Sequence[Quantity]) -> int:
    """How many pieces the opening case has ("If you see a red and a green light together, ..."): up to its
    comma.
    """
    opening, comma, _ = _masked(statement, quantities).partition(", ")
    is_case = comma and re.match(r"(?:if|when|whenever|where)\b", opening, re.IGNORECASE)
    return len(pieces_of(opening)) if is_case else 0


def pieces_of(statement: str) -> tuple[str, ...]:
    """The stretches between joints, numbers never cut."""
    found = [
        piece.strip(" .,:")
        for sentence in sentences_in(statement)
        for piece in _CUT.split(joined(sentence.text))
    ]
    return tuple(piece for piece in found if piece)


def limit_missed(facets: Sequence[Facet]) -> bool:
    """Whether a facet that sets a limit in words ("not less than an equal share") was not carried."""
    return any(facet.kind == "main" and facet.carried < 0.5 and _sets_limit(facet.text) for facet in facets)


def _sets_limit(text: str) -> bool:
    return bool(_LIMIT.search(text)) and not re.match(r"(?:if|when|whenever|and if)\b", text, re.IGNORECASE)


def share_carried(facets: Sequence[Facet]) -> float:
    """The carried share of all facets by weight; 1 where there is nothing to carry."""
    total = sum(facet.weight for facet in facets)
    return sum(facet.weight * facet.carried for facet in facets) / total if total else 1.0


def _masked(statement: str, quantities: Sequence[Quantity]) -> str:
    """Each quantity behind a mark, so that no joint inside it ("1,200 feet or less") cuts it."""
    for number, quantity in reversed(list(enumerate(quantities))):
        start, end = quantity.span
        statement = f"{statement[:start]}q{number}q{statement[end:]}"
    return statement


def _amount_facet(piece: str, amounts: Sequence[Amount], quantities: Sequence[Quantity]) -> Facet | None:
    held = [quantities[int(number)] for number in re.findall(r"\bq(\d+)q\b", piece)]
    mine = [one for one in amounts if any(one.demanded.same_as(other) for other in held)]
    if not mine:
        return None
    given = sum(one.standing == "given" for one in mine)
    return Facet(piece, AMOUNT_WEIGHT * len(mine), given / len(mine), "amount")


def _word_facet(
    piece: str, strong: Mapping[str, str], said: Sequence[Stretch], embed: Embed, *, is_condition: bool
) -> Facet:
    piece = " ".join(word for word in piece.split() if not _MASK.match(word))
    if not strong or not piece:
        return Facet(piece, 0.0, 0.0)
    kind: FacetKind = "condition" if is_condition else "main"
    weight = min(1.0, IDEA_WEIGHT * len(strong)) * (CONDITION_WEIGHT if kind == "condition" else 1.0)
    target = embed(piece)
    carried = max((_carried(strong, stretch, target, embed) for stretch in said), default=0.0)
    return Facet(piece, weight, carried, kind)


def _strong_terms(piece: str, asked: frozenset[str]) -> dict[str, str]:
    """The ideas that count: new ones, or the pale ones where there is nothing else."""
    terms = terms_in(piece)
    weights = {one: weight_of(one, asked) for one in terms}
    strong = {one: word for one, word in terms.items() if weights[one] > PALE}
    pale = {one: word for one, word in terms.items() if weights[one] == PALE and one not in _EMPTY}
    return strong or pale


def _carried(strong: Mapping[str, str], stretch: Stretch, target: Vector, embed: Embed) -> float:
    words = held_share(strong, stretch, embed)
    near = cosine(target, stretch.vector)
    if words >= CARRIED_WORDS or (near >= CARRIED_NEAR and words >= NEAR_WORDS):
        return 1.0
    return words
