"""Lint an item as a question: each fault says what is wrong and what to do. Pure.

The stem must not contain a must point; it is open, short, and about one thing. So is the stem that hangs on a trip. The
second wording differs from it. A risk item has hazard, assessment, and mitigation. Every id that is named exists, and
an element that is named for the talk can be asked at the table.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from exams.bank.schema import RISK_ROLES, ItemText, PointText, builds_on
from exams.bank.trips.trip import read_trips
from exams.domain import question_checks
from exams.domain.keywords import matched_groups, said_wrong
from knowledge.standards.ask_location import where_asked
from knowledge.text.slots import SLOT, SlotValue, fill_slots, fillings_of, is_given
from knowledge.text.tokens import content_words, share_covered

STEM_WORDS_MOST: Final = 60
"""Words of a question as it is asked, slots filled (EXAM.md)."""
ENDS_WORDS_MOST: Final = 25
"""Words in which a situation is closed before the next question."""
SAME_QUESTION: Final = 0.8
"""Share of the longer text's content words that the other text has, from which one rewords the other."""
GIVEN_AWAY: Final = 0.8
"""Share of a must point's content words in the stem from which the stem answers itself; numbers count separately."""
WORDS_TO_GIVE_AWAY: Final = 4
"""Content words of a point from which such a share is meaningful."""
AIRPLANE_OF_A_CLASS: Final = re.compile(
    r"\b(?:the|your)(?: [a-z-]+)? (?:Cessna )?"
    r"(?:1[57]2|182|Skyhawk|Skylane|Cherokee|Archer|Bonanza|Baron|Cub|trainer|single(?=[,.?'])|(?:two|four|six)-seater)\b"
)
"""The student's own airplane by a make, engine, or size that not every class has."""


def faults_in_item(item: ItemText) -> tuple[str, ...]:
    """The faults that the item shows by itself; empty for one that may be loaded."""
    faults = [*_point_faults(item), *_slot_faults(item), *_trip_faults(item), *_talk_faults(item)]
    for name, text in (("stem", item.stem), ("second wording", item.again)):
        for values in fillings_of(item.slots, item.cases):
            musts = [point for point in expected_with(item, values) if point.must]
            faults += (f"{name}: {fault}" for fault in _faults_as_asked(fill_slots(text, values), musts))
    if len(set(item.classes)) < len(item.classes):
        faults.append("names a class twice")
    if not item.classes and (named := AIRPLANE_OF_A_CLASS.search(f"{item.stem} {item.again}")):
        faults.append(
            f"asks every class about “{named[0]}”; write “the airplane”, say whose it is, or name its classes"
        )
    if set(content_words(item.stem)) == set(content_words(item.again)):
        faults.append("the second wording says the same words; put the question differently")
    texts = [item.stem, item.again, item.on_trip, item.why]
    texts += [
        text
        for point in item.points
        for text in (point.text, point.ask, point.hint, *point.accept, *point.reject)
    ]
    texts += [text for mixup in item.mixups for text in (mixup.text, mixup.answer)]
    if any(re.search(r"<[a-zA-Z/!]|&[a-z]+;|\]\(|```", text) for text in texts):
        faults.append("holds markup; write plain text")
    return tuple(dict.fromkeys(faults))


def faults_between(items: Sequence[ItemText]) -> dict[str, tuple[str, ...]]:
    """Faults between items, by id: duplicate ids, an item that rewords another of its element, scenes that follow no
    item, and elements that require each other in a circle."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    by_element: defaultdict[str, list[ItemText]] = defaultdict(list)
    known: dict[str, ItemText] = {}
    for item in items:
        if item.id in known:
            found[item.id].append("another item has this id")
        known[item.id] = item
        for code in item.elements:
            by_element[code].append(item)
    for code, of_element in by_element.items():
        for one, other in combinations(of_element, 2):
            if one.id == other.id or not _share_most_words(one.stem, other.stem):
                continue
            if one.classes and other.classes and not set(one.classes) & set(other.classes):
                continue  # no oral asks both
            # Another figure or another class of airspace in the answers makes another question.
            wanted, also = (
                " ".join(point.text for point in item.points if point.must) for item in (one, other)
            )
            named, named_also = (set(re.findall(r"\d[\d.,]*|\b[A-Z]\b", text)) for text in (wanted, also))
            if named == named_also and _share_most_words(wanted, also):
                found[other.id].append(
                    f"rewords {one.id}, which asks about {code} already; ask something else"
                )
    for item in items:
        if item.after and item.after not in known:
            found[item.id].append(f"comes after {item.after}, which does not exist")
        met, at = {item.id}, item.after
        while at in known and at not in met:
            met.add(at)
            at = known[at].after
        if at in met:
            found[item.id].append("comes after itself")
    for item, code, element in _circles(items):
        found[item.id].append(f"requires {code}, which itself builds on {element}; leave one of the two out")
    return {key: tuple(dict.fromkeys(faults)) for key, faults in found.items()}


def _circles(items: Sequence[ItemText]) -> Iterator[tuple[ItemText, str, str]]:
    """Each item with what it requires and the element of it on which that builds in turn."""
    known_first: defaultdict[str, set[str]] = defaultdict(set)
    for item in items:
        for element in item.elements:
            known_first[element].update(builds_on(element, item.elements, item.requires))
    below: dict[str, set[str]] = {}
    for code in {code for item in items for code in item.requires}:
        below[code], more = set(), {code}
        while more := more - below[code]:
            below[code] |= more
            more = {deeper for one in more for deeper in known_first.get(one, ())}
    for item in items:
        for element in item.elements:
            for code in builds_on(element, item.elements, item.requires):
                if element in below[code]:
                    yield item, code, element


def expected_with(item: ItemText, values: Mapping[str, SlotValue]) -> tuple[PointText, ...]:
    """The points that are expected with these givens."""
    return tuple(point for point in item.points if is_given(point.when, values))


# --- one item -------------------------------------------------------------------------------------------------


def _point_faults(item: ItemText) -> Iterator[str]:
    """Faults of the points, and of what names them or is named by them."""
    musts = [point for point in item.points if point.must]
    if not musts:
        yield "no point is a must: an answer could not be judged"
    later = [point for point in item.points if point.then]
    if len(later) > 1:
        yield "two points are asked about after the stem; mark one of them as `then`"
    if later and (not later[0].must or len(musts) < 2):
        yield f"point {later[0].id} is asked about after the stem: it must be a must, and the stem must ask for another"
    ids = Counter(point.id for point in item.points)
    yield from (f"two points have the id {one}" for one in sorted(ids) if ids[one] > 1)
    for mixup in item.mixups:
        for unknown in sorted(set(mixup.contradicts) - set(ids)):
            yield f"a mix-up contradicts {unknown}, which is no point of this item"
    right = [said for point in item.points for said in (point.text, *point.accept)]
    right += [SLOT.sub("", said) for said in (item.stem, item.again, item.on_trip)]
    for point in item.points:
        for phrase in point.reject:
            if len(phrase.replace("..", " ").split()) < 2:
                yield f"point {point.id} rejects “{phrase}”, which may stand in a right answer; add what it is about"
        for said in right:
            if phrase := said_wrong(point.reject, said):
                yield f"point {point.id} rejects “{phrase}”, which stands in the right words “{said}”"
        for group in point.keywords:
            if point.accept and not any(
                matched_groups([group], said)[0] for said in (point.text, *point.accept)
            ):
                named = ", ".join(group[:4])
                yield f"no accepted wording of point {point.id}, nor its text, has one of the key words “{named}”"
            if matched_groups([group], "is")[0]:  # else no word of it does, and a pattern for each takes long
                yield from (
                    f"key word “{word}” of point {point.id} stands in nearly every answer; add what it is about"
                    for word in group
                    if matched_groups([(word,)], "is")[0]
                )
        for source in point.sources:
            if source.on_the_table and source.place not in item.needs:
                yield f"point {point.id} rests on {source.place}, which the item does not put on the table"
    if all(source.on_the_table for point in musts for source in point.sources):
        yield "every must rests on the item's own artifacts; one must rests on the library, such as the method"
    code = ".".join(item.id.split(".")[:4]).upper()
    if code not in {one.upper() for one in item.elements}:
        yield f"its id names {code}, which is not among its elements"
    elif code != item.elements[0].upper():
        yield f"its id names {code}; write that first among its elements"
    if any(one.rsplit(".", 1)[-1].startswith("R") for one in item.elements):
        roles = {point.role for point in musts}
        yield from (
            f"a risk item needs a must point of role {role}" for role in RISK_ROLES if role not in roles
        )


def _slot_faults(item: ItemText) -> Iterator[str]:
    in_stem, in_again = (set(SLOT.findall(text)) for text in (item.stem, item.again))
    followed = " ".join(text for point in item.points for text in (point.ask, point.hint))
    for unknown in sorted((in_stem | in_again | set(SLOT.findall(followed))) - item.slot_names):
        yield f"slot {{{unknown}}} has no values"
    fixed = [
        item.why,
        *(text for point in item.points for text in (point.text, *point.accept, *point.reject)),
    ]
    fixed += [text for mixup in item.mixups for text in (mixup.text, mixup.answer)]
    if misplaced := SLOT.search(" ".join(fixed)):
        yield f"slot {misplaced[0]} stands where none is filled; only stem, again, ask, and hint have slots"
    unfilled = sorted(in_stem - in_again)
    if unfilled and "same" not in item.again.lower():
        yield f"the second wording leaves out the given {{{unfilled[0]}}}; repeat it, or say “the same …”"
    for point in item.points:
        for slot, wanted in point.when.items():
            for value in wanted:
                if value not in item.values_of(slot):
                    yield f"point {point.id} is expected when {slot} is {value!r}, which it never is"
    for values in fillings_of(item.slots, item.cases):
        if not any(point.must for point in expected_with(item, values)):
            yield f"with {values} no must point is expected"
            return


def _talk_faults(item: ItemText) -> Iterator[str]:
    """Faults of the elements to which the talk goes back (`requires`) or on (`leads_to`)."""
    own = item.elements[0]
    certificate = own.partition(".")[0]
    for code in (*item.requires, *item.leads_to):
        kind = code.rsplit(".", 1)[1][0]
        if code == own:
            yield f"the talk goes from {code} to {code}; name another element, or none"
        elif code.partition(".")[0] != certificate:
            yield f"names {code}, but an oral asks the elements of one certificate, here {certificate}"
        elif where_asked(code, "skill" if kind == "S" else "") != "table":
            yield f"names {code}, which is shown in the airplane; name an element that is asked at the table"
    if both := sorted(set(item.requires) & set(item.leads_to)):
        yield f"both builds on {both[0]} and leads to it; keep one"


def _trip_faults(item: ItemText) -> Iterator[str]:
    """Faults of the stem that hangs on a trip: filled from one it is a question as any other, with each it is short.
    So is the stem that asks about an event."""
    for trip in read_trips():
        for said in (one.stem for event in trip.events for one in event.asks if one.item == item.id):
            if item.classes and trip.airplane.aircraft_class not in item.classes:
                yield f"{trip.id} asks it in {trip.airplane.aircraft_class}, which is not among its classes"
            for values in fillings_of(item.slots, item.cases):
                musts = [point for point in expected_with(item, values) if point.must]
                yield from (f"stem on {trip.id}: {fault}" for fault in _faults_as_asked(said, musts))
    if item.ends and not item.on_trip:
        yield "ends: only a situation on a trip has to be closed; leave it out, or write on_trip"
    if not item.on_trip:
        return
    used, slots = set(SLOT.findall(item.on_trip)), [trip.all_slots for trip in read_trips()]
    of_trips = {name for filled in slots for name in filled}
    if both := sorted(item.slot_names & of_trips):
        yield f"slot {{{both[0]}}} is one that trips fill; give it another name"
    if unknown := sorted(used - item.slot_names - of_trips):
        yield f"stem on a trip: no trip fills {{{unknown[0]}}}"
    if lost := sorted(set(SLOT.findall(item.stem)) - used):
        yield f"stem on a trip: leaves out the given {{{lost[0]}}}"
    if not used & of_trips:
        yield "stem on a trip: names nothing of a trip; leave it out, or use the slots of trips"
    if item.ends.endswith("?") or len(item.ends.split()) > ENDS_WORDS_MOST:
        yield f"ends: say in {ENDS_WORDS_MOST} words at most how the situation ends, and ask nothing"
    used |= set(SLOT.findall(item.ends))
    fitting = [filled for filled in slots if used <= item.slot_names | filled.keys()]
    if not fitting:
        yield "stem on a trip: no trip fills all of its slots"
    for values in fillings_of(item.slots, item.cases):
        asked = [fill_slots(item.on_trip, {**filled, **values}) for filled in fitting]
        longest = max((len(one.split()) for one in asked), default=0)
        if longest > STEM_WORDS_MOST:
            yield f"stem on a trip: {longest} words with the longest trip; {STEM_WORDS_MOST} is the most"
        musts = [point for point in expected_with(item, values) if point.must]
        yield from (f"stem on a trip: {fault}" for one in asked[:1] for fault in _faults_as_asked(one, musts))


def _faults_as_asked(asked: str, musts: Iterable[PointText]) -> Iterator[str]:
    """Faults of a question with its slots filled."""
    words = len(asked.split())
    if words > STEM_WORDS_MOST:
        yield f"{words} words; {STEM_WORDS_MOST} is the most"
    if asked.count("?") > 2:
        yield "asks more than one thing; one question mark, two at most"
    if question_checks.is_yes_no(asked):
        yield "can be answered by yes or no; ask how, what or why"
    if question_checks.offers_choice(asked):
        yield "offers a choice; ask openly"
    if question_checks.tells_rule(asked):
        yield "states a rule; state only a situation"
    if re.search(r"\baccording to\b|\bthe (?:passage|text|handbook|acs)\b", asked, re.IGNORECASE):
        yield "points at a text; ask about the matter"
    for point in musts:
        if question_checks.shares_words(asked, point.text):
            yield f"takes five words in a row from the point {point.id}"
        if _gives_answer_away(asked, point):
            yield f"contains the answer {point.id}"


def _gives_answer_away(asked: str, point: PointText) -> bool:
    """Whether the question states the point: all its figures, or without figures most of its words."""
    figures = question_checks.figures_in(point.text)
    if not figures:
        words = set(content_words(point.text))
        return len(words) >= WORDS_TO_GIVE_AWAY and share_covered(words, content_words(asked)) >= GIVEN_AWAY
    given = question_checks.figures_in(asked)
    return (
        question_checks.leaks_number(asked, point.text)
        and point.role in ("rule", "decide")
        and all(any(figure.same_as(one) for one in given) for figure in figures)
    )


def _share_most_words(one: str, other: str) -> bool:
    first, second = set(content_words(one)), set(content_words(other))
    return len(first & second) >= SAME_QUESTION * max(len(first), len(second), WORDS_TO_GIVE_AWAY)
