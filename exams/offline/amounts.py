"""Checks an answer for the amounts that a statement demands: each is given, wrong, or absent.

The question's own amounts are conditions and are not demanded. A correct conversion is right. A different amount of the
same dimension is wrong, and so is the same amount on the other side ("500 above" for "500 below") or with the opposite
comparator ("at most" for "at least"). Words without numbers are compared elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Final, Literal

from exams import conf
from knowledge.conf import AMOUNTS_COMPARED
from knowledge.text.modality import modality_of
from knowledge.text.numbers import SPOKEN_DIGITS
from knowledge.text.quantities import Comparator, Quantity, quantities_in
from knowledge.text.sentences import sentences_in
from knowledge.text.synonyms import idea_of, idea_set
from knowledge.text.text_cache import cached_by_text
from knowledge.text.units import COUNTED, are_convertible, convert_amount, dimension_of, same_amount
from knowledge.text.word_tables import read_phrases

Outcome = Literal["given", "wrong", "absent"]
Stance = Literal["forbids", "excuses", "states"]
"""The modality of the act that an amount belongs to; "you need not" excuses."""

_PHRASES: Final = read_phrases(Path(__file__).with_name("phrases.csv"), ignore_case=True)
_BEFORE: Final = 40  # characters before an amount that are searched for "faster than" and "not about"
_FLIPPED: Final[Mapping[Comparator, Comparator]] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "="}
_TEENS: Final = {"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "seventeen": 17}


@dataclass(frozen=True, slots=True)
class Stated:
    """A quantity as its sentence means it. `sense` is its comparator after the sentence's negation."""

    quantity: Quantity
    sense: Comparator
    stance: Stance
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Amount:
    """One demanded amount and what the answer did with it; `said` is the answer's words for it."""

    demanded: Quantity
    outcome: Outcome
    said: str = ""


def amounts_of(statement: str, question: str, answer: str, *, others: str = "") -> tuple[Amount, ...]:
    """The demanded amounts in the statement's order, with what the answer did with each.

    `others` are the further statements expected of the same answer: an amount that belongs to one of them is no rival.
    """
    in_statement = _stated_in(statement)
    demanded = _demanded_of(in_statement, statement, question)
    spoken = _as_spoken(answer)
    said, elsewhere = _stated_in(spoken), _stated_in(others)
    known = quantities_in(question) + quantities_in(statement) + quantities_in(others)
    rivals = [
        one
        for one in _stated_in(_PHRASES["example"].sub(" ", spoken))
        if not any(_is_same(one.quantity, other) for other in known)
    ]
    found = [_find_amount(one, said, rivals, elsewhere) for one in demanded]
    found = [_with_shared_count(one, found, said, answer) for one in found]
    found = [*_require_each(found, said, rivals)]
    # A circumstance that the question settles need not be said; said with another limit it is wrong.
    for one in in_statement:
        limit = one.quantity
        if one in demanded or limit.comparator == "=" or not limit.datum:
            continue
        if any(_is_same(limit, other.quantity) for other in said):
            continue
        for rival in (other.quantity for other in rivals):
            alike = (limit.comparator, limit.unit, limit.datum) == (rival.comparator, rival.unit, rival.datum)
            if alike and not _is_same(limit, rival):
                found.append(Amount(limit, "wrong", rival.text))
    return tuple(found)


def exchanged_amount(statement: str, question: str, answer: str) -> Amount | None:
    """One of two demanded amounts that each stand in the other's place: "2,000 feet above the obstacle, within 1,000
    feet" for 1,000 above and within 2,000. All figures are given then, and the rule is wrong."""
    demanded = [one.quantity for one in _demanded_of(_stated_in(statement), statement, question)]
    said = [one.quantity for one in _stated_in(_as_spoken(answer))]

    def find(value: Quantity, place: Quantity) -> Quantity | None:
        alike = (one for one in said if (one.unit, _place_of(one)) == (value.unit, _place_of(place)))
        return next((one for one in alike if one.value == value.value), None)

    for one, other in combinations(demanded, 2):
        if one.unit == other.unit and one.value != other.value and _place_of(one) != _place_of(other):
            wrong = find(other, one)
            if wrong and find(one, other) and not (find(one, one) or find(other, other)):
                return Amount(one, "wrong", wrong.text)
    return None


def undecided_amount(statement: str, question: str, answer: str, *, others: str = "") -> str:
    """The sentence that offers a demanded amount and one that breaks the rule to choose from ("a mile or 2,000 feet");
    "" if none does. Amounts of the question or of `others`, and one said for a case of its own, are no rivals."""
    demanded = [one.quantity for one in _demanded_of(_stated_in(statement), statement, question)]
    known = (*quantities_in(question), *quantities_in(statement), *quantities_in(others))
    for sentence in sentences_in(_as_spoken(answer)) if demanded else ():
        for pair in pairwise(quantities_in(sentence.text)[:AMOUNTS_COMPARED]):
            between, after = (
                sentence.text[pair[0].span[1] : pair[1].span[0]],
                sentence.text[pair[1].span[1] :],
            )
            if not _PHRASES["or"].search(between) or _PHRASES["for a case"].search(after):
                continue
            for right, rival in (pair, pair[::-1]):
                wanted = next((one for one in demanded if _is_same(one, right)), None)
                if (
                    wanted
                    and _breaks(wanted, rival, right)
                    and not any(_is_same(rival, one) for one in known)
                ):
                    return sentence.text
    return ""


def _breaks(wanted: Quantity, rival: Quantity, beside: Quantity) -> bool:
    """Whether the rival amount, which may have its unit from the one `beside` it, is of the same dimension as what is
    wanted and no rounding of it ("15 or 20 miles" for up to 15)."""
    if wanted.high is not None or _measure_of(rival, beside) != _measure_of(wanted, beside):
        return False
    alike = "" in (rival.unit, beside.unit) or rival.unit == beside.unit
    is_less = alike and rival.value < beside.value
    return wanted.comparator == "=" or (wanted.comparator.startswith(">") and is_less)


def _measure_of(quantity: Quantity, beside: Quantity) -> str:
    """The dimension of an amount, or of the one beside it where it has no unit of its own."""
    unit = quantity.unit or beside.unit
    return "length" if unit == "mile" else dimension_of(unit)


def _place_of(quantity: Quantity) -> tuple[str | None, str | None, str]:
    """Side, datum, and whether it is a limit: what tells two amounts of one rule apart."""
    return quantity.direction, quantity.datum, quantity.comparator[0]


def _demanded_of(stated: Sequence[Stated], statement: str, question: str) -> tuple[Stated, ...]:
    """The amounts that an answer has to give: not those that the question states or meets itself, and not those of the
    opening circumstances unless the question asks when or where."""
    known, counted = quantities_in(question), _count_ordinals(statement)
    asks_when = not question or _PHRASES["asks when"].search(question)
    rule = _PHRASES["subject of a rule"].search(counted)
    opens = rule and not asks_when and _PHRASES["opening circumstances"].search(counted)
    start = rule.start() if rule and opens else 0
    return tuple(
        one
        for one in stated
        if one.quantity.span[0] >= start
        and not re.fullmatch(r"thousands? (?:feet|foot|ft)", one.quantity.text.lower())
        and not any(_is_asked(one.quantity, other) for other in known)
    )


def _is_asked(demanded: Quantity, asked: Quantity) -> bool:
    """Whether the question states the amount, or a height that lies in the demanded band."""
    if _is_same(demanded, asked):
        return True
    if not (demanded.unit == asked.unit == "ft" and demanded.datum):
        return False
    value, limit = asked.value, demanded.value
    meets = {"<": value < limit, "<=": value <= limit, ">": value > limit, ">=": value >= limit}
    return meets.get(demanded.comparator, False)


# --- Amounts in their sentences ----------------------------------------------------------------------------------


@cached_by_text
def _stated_in(text: str) -> tuple[Stated, ...]:
    """The quantities of a text as its sentences mean them, the first `AMOUNTS_COMPARED` of them."""
    found: list[Stated] = []
    for each in sentences_in(_count_ordinals(text)):
        sentence = each.text
        exception = _PHRASES["exception"].search(sentence)
        limit = exception.start() if exception else len(sentence)
        before, after = stance_of(sentence[:limit]), stance_of(sentence[limit:])
        for one in quantities_in(sentence)[:AMOUNTS_COMPARED]:
            words = sentence[max(0, one.span[0] - _BEFORE) : one.span[0]]
            stance = before if one.span[0] < limit else after
            quantity = _with_spoken_limit(one, words)
            said = quantity.text.lower()
            # "Within 2,000 feet" says where and not how much, so a prohibition does not turn it.
            is_scope = quantity.comparator == "<=" and said.startswith("within") and not _is_time(quantity)
            is_negated = said.split()[:1] in (["no"], ["not"], ["never"])
            turned = stance == "forbids" and not is_negated and not is_scope
            denied = quantity.comparator == "=" and bool(_PHRASES["denied"].search(words))
            sense = _FLIPPED[quantity.comparator] if turned else quantity.comparator
            found.append(Stated(quantity, sense, stance, denied))
        if len(found) >= AMOUNTS_COMPARED:
            break
    return tuple(found[:AMOUNTS_COMPARED])


def stance_of(text: str) -> Stance:
    """The stance of the whole text, with the words that students have for no duty and for staying on the ground."""
    lowered = text.lower().replace("’", "'")
    modality = modality_of(text)
    grounded = _PHRASES["grounded"].search(lowered)
    if _PHRASES["excuses"].search(lowered) or (modality == "not_required" and not grounded):
        return "excuses"
    says_nobody = modality in (None, "may") and _PHRASES["nobody"].match(lowered.lstrip())
    return "forbids" if modality == "may_not" or says_nobody or grounded else "states"


def _with_spoken_limit(quantity: Quantity, words: str) -> Quantity:
    """ "Faster than 250 knots" has the comparator of what is measured; "not over 250 knots" has one turned round."""
    if quantity.comparator in ("<", ">") and _PHRASES["just negated"].search(words):
        return replace(quantity, comparator=_FLIPPED[quantity.comparator], text=f"not {quantity.text}")
    compared = _PHRASES["speed compared"].search(words)
    if quantity.comparator != "=" or not compared:
        return quantity
    comparator: Comparator = "<" if "slower" in compared.group().lower() else ">"
    if compared.group().lower().startswith("n"):
        return replace(quantity, comparator=_FLIPPED[comparator], text=f"not {quantity.text}")
    return replace(quantity, comparator=comparator)


def _count_ordinals(text: str) -> str:
    """ "The 60th month" counts sixty months."""
    ordinal = r"\b(\d+)(?:st|nd|rd|th) ((?:calendar )?month|day|year|hour|minute)\b"
    return re.sub(ordinal, r"\1 \2s", text, flags=re.IGNORECASE)


def _as_spoken(answer: str) -> str:
    """Numbers the way pilots say them: "twelve five", "one twenty-one five", "every year"."""
    answer = _PHRASES["yearly"].sub("every 12 calendar months", answer)
    answer = _PHRASES["guard frequency"].sub("121.5", _count_ordinals(answer))
    digit = f"(?:{'|'.join(SPOKEN_DIGITS)})"
    answer = re.sub(
        rf"\b{digit}(?:[ -]{digit}){{3}}\b",
        lambda found: "".join(SPOKEN_DIGITS[word] for word in re.split(r"[ -]", found[0].lower())),
        answer,
        flags=re.IGNORECASE,
    )
    half_thousand = rf"\b({'|'.join(_TEENS)}) five\b(?! hundred)"
    return re.sub(half_thousand, lambda found: f"{_TEENS[found[1].lower()]},500", answer, flags=re.IGNORECASE)


# --- What the answer did with an amount --------------------------------------------------------------------------


def _find_amount(
    demand: Stated, said: Sequence[Stated], rivals: Sequence[Stated], elsewhere: Sequence[Stated]
) -> Amount:
    wanted = demand.quantity
    equal = [one for one in said if _is_same(wanted, one.quantity)]
    if right := next((one for one in equal if _agrees_with(demand, one)), None):
        return Amount(wanted, "given", right.quantity.text)
    unclaimed = (
        one
        for one in equal
        if not any(_is_same(other.quantity, one.quantity) and _agrees_with(other, one) for other in elsewhere)
    )
    # The question's own figure may stand where the demanded limit belongs ("longer than 60 minutes" for 30).
    in_its_place = (
        one
        for one in said
        if wanted.comparator in ("<", ">")
        and one.quantity.comparator == wanted.comparator
        and not _is_same(wanted, one.quantity)
    )
    competing = (one for one in (*rivals, *in_its_place) if _could_replace(wanted, one.quantity))
    wrong = next(unclaimed, None) or next(competing, None)
    return Amount(wanted, "wrong", wrong.quantity.text) if wrong else Amount(wanted, "absent")


def _with_shared_count(
    amount: Amount, found: Sequence[Amount], said: Sequence[Stated], answer: str
) -> Amount:
    """ "Three takeoffs and landings" and "took off and landed three times" count both."""
    unit, value = amount.demanded.unit, amount.demanded.value
    if amount.outcome != "absent" or unit not in COUNTED or idea_of(unit) not in idea_set(answer):
        return amount
    counted = [one.demanded for one in found if one.outcome == "given" and one.demanded.unit in COUNTED]
    counted += [one.quantity for one in said if one.quantity.unit in ("time", "")]
    is_counted = any(one.value == value for one in counted)
    return replace(amount, outcome="given", said=unit) if is_counted else amount


def _require_each(
    found: Sequence[Amount], said: Sequence[Stated], rivals: Sequence[Stated]
) -> Iterator[Amount]:
    """What is demanded twice has to be said twice, if another amount was said in its place."""
    for place, one in enumerate(found):
        twins = sum(other.demanded.same_as(one.demanded) for other in found[:place])
        times = sum(_is_same(one.demanded, other.quantity) for other in said)
        rival = next((other for other in rivals if _could_replace(one.demanded, other.quantity)), None)
        replaced = one.outcome == "given" and rival and times <= twins
        yield replace(one, outcome="wrong", said=rival.quantity.text) if replaced and rival else one


def _is_same(one: Quantity, other: Quantity) -> bool:
    """Whether two amounts are the same, also as pilots round a conversion (300 meters for 1,000 feet), or where the
    other is a range that begins or ends with it ("between 12,500 and 14,000")."""
    if one.same_as(other):
        return True
    if one.high is not None:
        return False
    if other.high is not None:
        return any(one.same_as(Quantity(end, other.unit)) for end in (other.value, other.high))
    if one.unit == other.unit or not one.unit or not other.unit or not are_convertible(one.unit, other.unit):
        return False
    return same_amount(one.value, convert_amount(other.value, other.unit, one.unit), conf.ROUNDED_CONVERSION)


def _is_time(quantity: Quantity) -> bool:
    """Whether it is a span of time; "one time" is not, but counted."""
    return quantity.unit not in COUNTED and dimension_of(quantity.unit) in ("time", "calendar")


def _could_replace(demand: Quantity, said: Quantity) -> bool:
    """Whether the amount could replace the demanded one."""
    if not said.unit:
        return True
    if not demand.unit or not are_convertible(demand.unit, said.unit):
        return _is_time(demand) and _is_time(said)
    return demand.direction is None or said.direction is None or demand.direction == said.direction


def _agrees_with(demand: Stated, said: Stated) -> bool:
    """Whether side, datum, stance and comparator do not exclude each other."""
    one, other = demand.quantity, said.quantity
    if one.direction and other.direction and one.direction != other.direction:
        return False
    if {one.datum, other.datum} in ({"msl", "agl"}, {"after sunset", "before sunrise"}):
        return False
    if said.denied or (said.stance == "excuses" and demand.stance != "excuses"):
        return False
    return {demand.sense[0], said.sense[0]} != {"<", ">"}
