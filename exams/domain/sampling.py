"""Picks the elements that an oral samples of each Task, and those it keeps in reserve.

The minimum of a Task is one knowledge element, one risk element, and those that the knowledge test report names. What
must not be wrong is drawn more often. The draw depends only on the exam's seed, so the same exam is always planned the
same way, in whatever order the elements are read. This module knows elements, but no students.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from types import MappingProxyType
from typing import Final, Literal

from exams.conf import SUBELEMENTS_USUAL
from exams.domain.values import ElementKind
from knowledge.standards.ask_location import SUBELEMENTS_NEEDED, Where

Role = Literal["needed", "extra"]
Because = Literal["sampled", "named", "extra", "doubt", "drill_down", "bridging", "instead"]
"""Why an element is asked: for its Task's least, as the order names it, to fill the number of questions, to clear a
doubt, as what another one builds on, as where another one leads, or instead of one that cannot be asked."""

LEAST_KINDS: tuple[ElementKind, ...] = ("knowledge", "risk")
"""The kinds that a Task's least needs at the table; skills are shown in flight."""
NOTHING_HANGS: Final[Mapping[str, int]] = MappingProxyType({})
"""No element is preferred."""
LAST: Final = 4
"""The place of an element that is not preferred. Before it come what an event of the flight asks about (0), what hangs
on something that few flights have (1), on what all have (2), and on the flight if something is supposed (3)."""
SHOWN: Final = LAST + 1
"""The place of an element that the papers of a qualification show knowledge of: an examiner goes on to another."""
SAME_MUST: Final = 0.65
"""Dice coefficient of the ideas of two musts from which both want the same, if their figures, times, and airspace are
the same. Of the pairs of private pilot musts of different elements whose vectors have a cosine of 0.86 or more, 94 %
reach it; the pairs that reach it with the least cosines say the same in other words."""
ASKED_ALREADY: Final = 1 / 3
"""Share of an item's musts that this oral has asked for from which it would be the same question once more."""
LOTS_BY_FIT: Final = 3
"""Lots more that an element has for each step by which it fits the flight better."""
KIND_ORDER: dict[ElementKind, int] = {"knowledge": 0, "risk": 1, "skill": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementFact:
    """One element of the standard, and whether the library lets it be asked.

    `area` is a roman numeral; `classes` are the classes its Task is for (none = all); `items` counts the items that
    can be asked about it, `critical` those that begin with it and have a point that must not be wrong (P0);
    `missing_reference` names what the library lacks where it is not `askable`. `requires` are elements that are known
    first, `leads_to` those where the talk goes next, by its items.
    """

    code: str
    task: str
    area: str
    kind: ElementKind
    parent: str = ""
    classes: tuple[str, ...] = ()
    archived: bool = False
    where: Where = "table"
    askable: bool = True
    missing_reference: str = ""
    items: int = 0
    critical: int = 0
    requires: tuple[str, ...] = ()
    leads_to: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """An element that may be asked. `unit` is the element it satisfies: itself or its parent.

    One that is `fixed` has to be covered whatever happens, and gives way to no other. `because` and `because_of` (an
    element's code) say why it is asked; `depth` is how many steps of drill-down led to it. `moment` is its place
    on the flight of a mock (`place_on_flight`), 0 without one, and `item` the one that the element is asked with there.
    """

    code: str
    task: str
    kind: ElementKind
    unit: str
    role: Role = "needed"
    requires: tuple[str, ...] = ()
    leads_to: tuple[str, ...] = ()
    fixed: bool = False
    because: Because = "sampled"
    because_of: str = ""
    depth: int = 0
    moment: int = 0
    item: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """What counts as one element of the least: `count` of its `leaves` have to be answered."""

    code: str
    kind: ElementKind
    leaves: tuple[str, ...]
    count: int = SUBELEMENTS_USUAL

    @property
    def is_complete(self) -> bool:
        return len(self.leaves) >= self.count

    def is_covered_by(self, codes: Iterable[str]) -> bool:
        return len(set(self.leaves) & set(codes)) >= self.count


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskScope:
    """One Task of an exam.

    `kinds` are those its least needs one satisfactory unit of; `named` are units that must be covered whatever
    happens (the knowledge test report's, or a drill's).
    """

    task: str
    area: str
    kinds: tuple[ElementKind, ...]
    units: tuple[Unit, ...]
    named: tuple[Unit, ...] = ()
    planned: tuple[Planned, ...] = ()
    reserve: tuple[Planned, ...] = ()

    @property
    def lacks(self) -> tuple[ElementKind, ...]:
        """Kinds of the least that the library cannot support here."""
        able = {unit.kind for unit in self.units if unit.is_complete}
        return tuple(kind for kind in self.kinds if kind not in able)

    @property
    def has_reserve(self) -> bool:
        """Whether an element in doubt can be followed by another of the least's kinds."""
        return any(item.kind in self.kinds for item in self.reserve)


def draw_lot(seed: str, code: str) -> str:
    """A number drawn for `code` in the exam `seed`: sorting by it is a shuffle that never changes."""
    return sha256(f"{seed}\x00{code}".encode()).hexdigest()


def _lots_of(facts: Sequence[ElementFact], seed: str, preferred: Mapping[str, int]) -> dict[str, str]:
    """The lot of each element: the lowest of one, of one more for each critical item, since an examiner asks more often
    about what must not be wrong, and of more the better it fits the flight. An element of which parts are asked has as
    many lots as the part with the most."""
    more = {
        fact.code: fact.critical + LOTS_BY_FIT * max(0, LAST - 1 - preferred.get(fact.code, LAST))
        for fact in facts
    }
    parts = [fact for fact in facts if fact.parent]
    more |= {part.parent: 0 for part in parts}
    for part in parts:
        more[part.parent] = max(more[part.code], more[part.parent])
    return {
        code: min(draw_lot(seed, f"{code}/{number}" if number else code) for number in range(count + 1))
        for code, count in more.items()
    }


def _place_of(code: str, preferred: Mapping[str, int]) -> int:
    """Where an element is drawn among its like: what an event asks about, what hangs on the flight, the rest, what
    papers have shown. How well it hangs there only adds lots, or the same few would be asked on every flight."""
    place = preferred.get(code, LAST)
    return min(place, 1) if place < LAST else place


def task_scope(
    facts: Sequence[ElementFact],
    named: Iterable[str],
    seed: str,
    preferred: Mapping[str, int] = NOTHING_HANGS,
) -> TaskScope:
    """What an exam would sample of one Task; `facts` are its elements in reach, askable or not.

    Of elements that would do as well, those that are `preferred` are drawn, more often the smaller their number (see
    `LAST`, `SHOWN`), and the talk leads to those alone that hang on the flight.
    """
    task = facts[0].task
    askable = [fact for fact in facts if fact.askable]
    lots = _lots_of(askable, seed, preferred)
    units = []
    for top in sorted({fact.parent or fact.code for fact in askable}):
        below = [fact.code for fact in askable if fact.parent == top]
        units.append(
            Unit(
                code=top,
                kind=next(fact.kind for fact in askable if top in (fact.parent, fact.code)),
                leaves=tuple(sorted(below, key=lambda code: (_place_of(code, preferred), lots[code])))
                or (top,),
                count=SUBELEMENTS_NEEDED.get(top, SUBELEMENTS_USUAL),
            )
        )
    wanted = tuple(unit for code in sorted(named) if (unit := _named_unit(code, units)) is not None)
    kinds = tuple(kind for kind in LEAST_KINDS if any(fact.kind == kind for fact in facts))
    codes = _sample_codes(units, wanted, kinds, lots, preferred)
    by_code = {fact.code: fact for fact in askable}
    hanging = {code for code, place in preferred.items() if place < LAST}
    must = {leaf for unit in wanted for leaf in unit.leaves}
    leaves = [
        Planned(
            code=leaf,
            task=task,
            kind=unit.kind,
            unit=unit.code,
            requires=by_code[leaf].requires,
            leads_to=tuple(code for code in by_code[leaf].leads_to if not hanging or code in hanging),
            fixed=leaf in must or unit.count > 1,
            because="named" if leaf in must else "sampled",
        )
        for unit in units
        for leaf in unit.leaves
    ]
    asked_units = {item.unit for item in leaves if item.code in codes}

    def new_units_first(item: Planned) -> tuple[int, bool, int, str]:
        known = item.unit in asked_units
        return KIND_ORDER[item.kind], known, _place_of(item.code, preferred), lots[item.code]

    planned = [item for item in leaves if item.code in codes]
    return TaskScope(
        task=task,
        area=facts[0].area,
        kinds=kinds,
        units=tuple(units),
        named=wanted,
        planned=tuple(sorted(planned, key=lambda item: (KIND_ORDER[item.kind], item.code))),
        reserve=tuple(sorted((item for item in leaves if item.code not in codes), key=new_units_first)),
    )


def asks_again(musts: Collection[frozenset[str]], asked: Collection[frozenset[str]]) -> bool:
    """Whether too many of an item's `musts` are among those that an oral has `asked` for. Each is the ideas of one; its
    figures, times, and airspace have a "#" before them."""
    known = sum(any(_want_the_same(must, one) for one in asked) for must in musts)
    return known > 0 and known >= ASKED_ALREADY * len(musts)


def _want_the_same(one: frozenset[str], other: frozenset[str]) -> bool:
    alike = 2 * len(one & other) >= SAME_MUST * (len(one) + len(other))
    return alike and not any(word.startswith("#") for word in one ^ other)


def _named_unit(code: str, units: Sequence[Unit]) -> Unit | None:
    """The unit that a report's code asks for: the parent as far as it is supported, or the sub-element."""
    for unit in units:
        if unit.code == code:
            return replace(unit, count=min(unit.count, len(unit.leaves)))
        if code in unit.leaves:
            return Unit(code=code, kind=unit.kind, leaves=(code,))
    return None


def _sample_codes(
    units: Sequence[Unit],
    named: Sequence[Unit],
    kinds: Sequence[ElementKind],
    lots: Mapping[str, str],
    preferred: Mapping[str, int],
) -> frozenset[str]:
    """The codes to ask: every named unit, then of each kind the unit that takes the fewest more questions."""
    codes: set[str] = set()

    def missing_leaves(unit: Unit) -> list[str]:
        unasked = [leaf for leaf in unit.leaves if leaf not in codes]
        return unasked[: max(0, unit.count - len(unit.leaves) + len(unasked))]

    for unit in named:
        codes.update(missing_leaves(unit))
    for kind in kinds:
        of_kind = [unit for unit in units if unit.kind == kind and unit.is_complete]
        if of_kind:

            def cost_of(unit: Unit) -> tuple[int, int, str]:
                return (
                    len(missing_leaves(unit)),
                    _place_of(unit.leaves[0], preferred),
                    lots[unit.code],
                )

            cheapest = min(of_kind, key=cost_of)
            codes.update(missing_leaves(cheapest))
    return frozenset(codes)
