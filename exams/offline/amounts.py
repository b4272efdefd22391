"""The amounts a statement demands are looked for in an answer: given, wrong or absent.

An amount that the question states itself is a condition and is not demanded. A conversion that is right
is right; a different amount of the same dimension is wrong; the same amount on the other side ("500
above" for "500 below") or with the opposite comparator ("at most" for "at least") is wrong. Words without
numbers are compared elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, Literal

from exams import conf
from exams.offline.statements import lead_end
from exams.offline.wording import idea, idea_set
from knowledge.conf import AMOUNTS_COMPARED
from knowledge.text.modality import modality_of
from knowledge.text.quantities import Comparator, Quantity, quantities_in
from knowledge.text.sentences import sentences_in
from knowledge.text.text_cache import kept
from knowledge.text.units import COUNTED, convert, convertible, same_amount

Standing = Literal["given", "wrong", "absent"]
Stance = Literal["forbids", "excuses", "states"]
"""Towards the act that an amount is said of; it excuses where it says "you need not"."""
_BEFORE: Final = 40  # characters before an amount that "faster than" and "not about" are looked for in
_UPPER: Final = frozenset(("<", "<="))
_LOWER: Final = frozenset((">", ">="))
_FLIPPED: Final[Mapping[Comparator, Comparator]] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "="}
_EXCEPTION: Final = re.compile(r"\b(?:unless|until|except|only|without)\b", re.IGNORECASE)
_COMPARED: Final = re.compile(
    r"\b(?P<not>(?:not?|never) (?:\w+ )?)?(?P<way>faster|quicker|slower) than\s*$", re.IGNORECASE
)
_NOT_JUST_BEFORE: Final = re.compile(r"\b(?:not|never|nothing)\s*$", re.IGNORECASE)
_DENIED: Final = re.compile(r"(?:\b(?:not|never)|n't)(?: just| only)? (?:at |about |the )?$", re.IGNORECASE)
_EVERY_OTHER: Final = re.compile(r"^thousands? (?:feet|foot|ft)$", re.IGNORECASE)
_ASKS_WHEN: Final = re.compile(
    r"\b(?:when|where|(?:at|from|above|below|within|between|up to) (?:what|which)|how (?:high|far|near|close))\b"
    r"[^.?]*\?",
    re.IGNORECASE,
)
_NEGATED: Final = re.compile(r"(?:not?|never)\b", re.IGNORECASE)
_ORDINAL: Final = re.compile(
    r"\b(?P<number>\d+)(?:st|nd|rd|th) (?P<unit>(?:calendar )?month|day|year|hour|minute)\b", re.IGNORECASE
)
_EXAMPLE: Final = re.compile(
    r"\b(?:for example|for instance|e\.g\.|such as|(?:like|say),? (?=\d))[^.;]*", re.IGNORECASE
)
_SPELLED: Final = {
    "zero": "0", "oh": "0", "one": "1", "two": "2", "three": "3", "tree": "3", "four": "4", "five": "5", "fife": "5",
    "six": "6", "seven": "7", "eight": "8", "nine": "9", "niner": "9",
}  # fmt: skip
_DIGITS: Final = re.compile(
    rf"\b(?:{'|'.join(_SPELLED)})(?:[ -](?:{'|'.join(_SPELLED)})){{3}}\b", re.IGNORECASE
)
_YEARLY: Final = re.compile(r"\b(?:every year|once a year|yearly|each year)\b", re.IGNORECASE)
_GUARD: Final = re.compile(r"\bone (?:twenty[- ]one|two one) (?:point |decimal )?five\b", re.IGNORECASE)
_TEENS: Final = {"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "seventeen": 17}
_HALF_THOUSAND: Final = re.compile(rf"\b({'|'.join(_TEENS)}) five\b(?! hundred)", re.IGNORECASE)
_EXCUSES: Final = re.compile(
    r"\b(?:doesn't|don't|does not|do not|didn't|dont|doesnt) (?:really |actually |even )?(?:have|got|matter|care)\b|"
    r"\bno (?:rule|limit|restriction|obligation)\b|\bno \w+(?: \w+)? (?:is |are )?(?:required|needed|necessary)\b|"
    r"\bwithout (?:any |a |the |an |first )?(?:talking|having|getting|asking|calling|needing|clearance|permission|"
    r"contact|radio|placard)\b|\bup to (?:you|me|the pilot)\b"
)
_GROUNDED: Final = re.compile(r"\bgrounded\b|\bnot fit to fly\b|\bstay(?:s|ing)? (?:home|on the ground)\b")
_NOBODY: Final = re.compile(r"\s*no\b(?! more| less)", re.IGNORECASE)
_TIMES: Final = frozenset(
    ("second", "min", "hour", "day", "week", "month", "calendar month", "year", "calendar year")
)


@dataclass(frozen=True, slots=True)
class Stated:
    """A quantity with the sense of the sentence it stands in. `sense` is its comparator after the sentence's
    negation.
    """

    quantity: Quantity
    sense: str
    stance: Stance
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Amount:
    """One demanded amount and what the answer did with it; `said` is the answer's words for it."""

    demanded: Quantity
    standing: Standing
    said: str = ""


@kept
def stated_in(text: str) -> tuple[Stated, ...]:
    """The quantities of a text with their sense, sentence by sentence, the first `AMOUNTS_COMPARED` of them."""
    found = (one for sentence in sentences_in(_counted(text)) for one in _in_sentence(sentence.text))
    return tuple(islice(found, AMOUNTS_COMPARED))


def demanded_by(statement: str, question: str) -> tuple[Stated, ...]:
    """The amounts of a statement that an answer has to give.

    Not those that the question states or meets itself, and not those of the opening circumstances unless
    the question asks when or where.
    """
    known = quantities_in(question)
    free = 0 if _ASKS_WHEN.search(question) or not question else lead_end(_counted(statement))
    return tuple(
        one
        for one in stated_in(statement)
        if one.quantity.span[0] >= free
        and not _EVERY_OTHER.search(one.quantity.text)
        and not any(_known(one.quantity, other) for other in known)
    )


def amounts_of(statement: str, question: str, answer: str, *, others: str = "") -> tuple[Amount, ...]:
    """Each demanded amount with its standing in the answer, in the statement's order.

    `others` are the further statements expected of the same answer: an amount that belongs to one of them is no rival.
    """
    demanded = demanded_by(statement, question)
    said = stated_in(_as_spoken(answer))
    known = quantities_in(question) + quantities_in(statement) + quantities_in(others)
    plain = stated_in(_EXAMPLE.sub(" ", _as_spoken(answer)))
    rivals = [one for one in plain if not any(_same(one.quantity, other) for other in known)]
    elsewhere = stated_in(others)
    found = [_amount(one, said, rivals, elsewhere) for one in demanded]
    found = [_shared_count(one, tuple(found), said, answer) for one in found]
    circumstances = [one for one in stated_in(statement) if one not in demanded]
    unsaid = [one for one in circumstances if not any(_same(one.quantity, other.quantity) for other in said)]
    return (*_one_each(found, said, rivals), *_misquoted(unsaid, rivals))


def _one_each(found: Sequence[Amount], said: Sequence[Stated], rivals: Sequence[Stated]) -> Iterator[Amount]:
    """What is demanded twice has to be said twice, if another amount was said in its place."""
    for place, one in enumerate(found):
        twins = [other for other in found[:place] if other.demanded.same_as(one.demanded)]
        times = sum(_same(one.demanded, other.quantity) for other in said)
        rival = next((other for other in rivals if _competes(one.demanded, other.quantity)), None)
        replaced = one.standing == "given" and rival is not None and times <= len(twins)
        yield replace(one, standing="wrong", said=rival.quantity.text) if replaced and rival else one


def _misquoted(circumstances: Sequence[Stated], rivals: Sequence[Stated]) -> Iterator[Amount]:
    """A circumstance that the question settles need not be said; said with another limit it is wrong."""
    for one in circumstances:
        limit = one.quantity
        for other in rivals:
            said = other.quantity
            alike = (
                limit.comparator != "=" and said.comparator == limit.comparator and said.unit == limit.unit
            )
            if alike and limit.datum is not None and said.datum == limit.datum and not _same(limit, said):
                yield Amount(limit, "wrong", said.text)


def _known(demanded: Quantity, asked: Quantity) -> bool:
    """Stated in the question, or a height band that the question's own height lies in."""
    if _same(demanded, asked):
        return True
    if demanded.unit != "ft" or asked.unit != "ft" or not demanded.datum:
        return False
    return _meets(asked.value, demanded.comparator, demanded.value)


def _meets(value: float, comparator: str, limit: float) -> bool:
    return {"<": value < limit, "<=": value <= limit, ">": value > limit, ">=": value >= limit}.get(
        comparator, False
    )


def _counted(text: str) -> str:
    """ "The 60th month" counts sixty months."""
    return _ORDINAL.sub(lambda found: f"{found['number']} {found['unit']}s", text)


def _as_spoken(answer: str) -> str:
    """Numbers the way pilots say them: "twelve five", "one twenty-one five", "every year"."""
    answer = _YEARLY.sub("every 12 calendar months", answer)
    answer = _GUARD.sub("121.5", _counted(answer))
    answer = _DIGITS.sub(
        lambda found: "".join(_SPELLED[w.lower()] for w in re.split(r"[ -]", found[0])), answer
    )
    return _HALF_THOUSAND.sub(lambda found: f"{_TEENS[found[1].lower()]},500", answer)


def _shared_count(amount: Amount, found: tuple[Amount, ...], said: tuple[Stated, ...], answer: str) -> Amount:
    """ "Three takeoffs and landings" and "took off and landed three times" count both."""
    unit, value = amount.demanded.unit, amount.demanded.value
    if amount.standing != "absent" or unit not in COUNTED:
        return amount
    twin = any(
        one.standing == "given" and one.demanded.value == value and one.demanded.unit in COUNTED
        for one in found
    )
    twin = twin or any(one.quantity.unit in ("time", "") and one.quantity.value == value for one in said)
    named = idea(unit) in idea_set(answer)
    return replace(amount, standing="given", said=unit) if twin and named else amount


def _in_sentence(sentence: str) -> list[Stated]:
    exception = _EXCEPTION.search(sentence)
    limit = exception.start() if exception else len(sentence)
    before = stance_of(sentence[:limit])
    after = stance_of(sentence[limit:])
    return [
        _stated(sentence, quantity, before if quantity.span[0] < limit else after)
        for quantity in quantities_in(sentence)[:AMOUNTS_COMPARED]
    ]


def stance_of(text: str) -> Stance:
    """The stance of the whole text, with the words that students have for no duty and for staying on the ground."""
    lowered = text.lower().replace("’", "'")
    modality = modality_of(text)
    if _EXCUSES.search(lowered) or (modality == "not_required" and not _GROUNDED.search(lowered)):
        return "excuses"
    forbids = modality == "may_not" or (modality in (None, "may") and _NOBODY.match(text))
    return "forbids" if forbids or _GROUNDED.search(lowered) else "states"


def _stated(sentence: str, quantity: Quantity, stance: Stance) -> Stated:
    quantity = _spoken_limit(sentence, quantity)
    turned = stance == "forbids" and not _NEGATED.match(quantity.text) and not _is_scope(quantity)
    sense = _FLIPPED[quantity.comparator] if turned else quantity.comparator
    denied = quantity.comparator == "=" and bool(_DENIED.search(_words_before(sentence, quantity)))
    return Stated(quantity, sense, stance, denied)


def _words_before(sentence: str, quantity: Quantity) -> str:
    return sentence[max(0, quantity.span[0] - _BEFORE) : quantity.span[0]]


def _spoken_limit(sentence: str, quantity: Quantity) -> Quantity:
    """ "Faster than 250 knots": a comparator that belongs to what is measured; "not over 250 knots": one turned."""
    words = _words_before(sentence, quantity)
    if quantity.comparator in ("<", ">") and _NOT_JUST_BEFORE.search(words):
        return replace(quantity, comparator=_FLIPPED[quantity.comparator], text=f"not {quantity.text}")
    before = _COMPARED.search(words)
    if quantity.comparator != "=" or not before:
        return quantity
    more = before["way"].lower() in ("faster", "quicker")
    if before["not"]:
        return replace(quantity, comparator="<=" if more else ">=", text=f"not {quantity.text}")
    return replace(quantity, comparator=">" if more else "<")


def _is_scope(quantity: Quantity) -> bool:
    """ "Within 2,000 feet" says where, not how much: a prohibition does not turn it."""
    return (
        quantity.comparator == "<="
        and quantity.unit not in _TIMES
        and quantity.text.lower().startswith("within")
    )


def _amount(
    demand: Stated, said: tuple[Stated, ...], rivals: list[Stated], elsewhere: tuple[Stated, ...]
) -> Amount:
    equal = [one for one in said if _same(demand.quantity, one.quantity)]
    right = [one for one in equal if _agrees(demand, one)]
    if right:
        return Amount(demand.quantity, "given", right[0].quantity.text)
    unclaimed = [
        one
        for one in equal
        if not any(_same(it.quantity, one.quantity) and _agrees(it, one) for it in elsewhere)
    ]
    if unclaimed:
        return Amount(demand.quantity, "wrong", unclaimed[0].quantity.text)
    rivals = [*rivals, *(one for one in said if _takes_the_place(demand, one))]
    rival = next((one for one in rivals if _competes(demand.quantity, one.quantity)), None)
    if rival:
        return Amount(demand.quantity, "wrong", rival.quantity.text)
    return Amount(demand.quantity, "absent")


def _takes_the_place(demand: Stated, said: Stated) -> bool:
    """The question's own figure put where the demanded limit belongs ("longer than 60 minutes" for 30)."""
    limit = demand.quantity.comparator
    return (
        limit in ("<", ">")
        and said.quantity.comparator == limit
        and not _same(demand.quantity, said.quantity)
    )


def _same(one: Quantity, other: Quantity) -> bool:
    return one.same_as(other) or _rounded(one, other) or _ends_of_range(one, other)


def _rounded(one: Quantity, other: Quantity) -> bool:
    """A conversion as pilots round it: 300 meters for 1,000 feet. Within one unit nothing is rounded."""
    if (
        one.unit == other.unit
        or not one.unit
        or not other.unit
        or one.high is not None
        or other.high is not None
    ):
        return False
    if not convertible(one.unit, other.unit):
        return False
    return same_amount(one.value, convert(other.value, other.unit, one.unit), conf.ROUNDED_CONVERSION)


def _ends_of_range(one: Quantity, other: Quantity) -> bool:
    """ "Between 12,500 and 14,000" gives both of its ends."""
    if other.high is None or one.high is not None:
        return False
    low = Quantity(other.value, other.unit)
    high = Quantity(other.high, other.unit)
    return one.same_as(low) or one.same_as(high)


def _competes(demand: Quantity, said: Quantity) -> bool:
    if not said.unit:
        return True
    if not demand.unit or not convertible(demand.unit, said.unit):
        return bool(demand.unit in _TIMES and said.unit in _TIMES)
    return demand.direction is None or said.direction is None or demand.direction == said.direction


def _agrees(demand: Stated, said: Stated) -> bool:
    """Side, datum and comparator do not exclude each other."""
    one, other = demand.quantity, said.quantity
    if one.direction and other.direction and one.direction != other.direction:
        return False
    if (
        one.datum
        and other.datum
        and {one.datum, other.datum} in ({"msl", "agl"}, {"after sunset", "before sunrise"})
    ):
        return False
    if said.denied or (said.stance == "excuses" and demand.stance != "excuses"):
        return False
    return not _oppose(demand.sense, said.sense)


def _oppose(one: str, other: str) -> bool:
    return (one in _UPPER and other in _LOWER) or (one in _LOWER and other in _UPPER)
