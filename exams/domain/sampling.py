"""The elements of a standard become, Task by Task, the few that an oral samples and those kept in reserve.

Sampling is right, asking everything is not: the least of a Task is one knowledge element, one risk element
and whatever the knowledge test report names. The draw is a lot made from the exam's seed, so the same exam is
always planned the same way, in whatever order the elements were read. Pure: knows elements, no students.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Literal

from exams.conf import SUBELEMENTS_USUAL
from exams.domain.values import ElementKind
from knowledge.standards.ask_location import SUBELEMENTS_NEEDED, Where

Role = Literal["needed", "extra"]

LEAST_KINDS: tuple[ElementKind, ...] = ("knowledge", "risk")
"""The kinds a Task's least asks for at the table; skills are for the flight."""
KIND_ORDER: dict[ElementKind, int] = {"knowledge": 0, "risk": 1, "skill": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementFact:
    """One element of the standard and whether the library at hand lets it be asked.

    `area` is a roman numeral, `classes` the classes its Task is for (none = all), `askable` says that the
    library supports it, by how many `items`, and `missing_reference` names what would be needed where it does not.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """An element that may be asked. `unit` is the element it satisfies: itself or its parent."""

    code: str
    task: str
    kind: ElementKind
    unit: str
    role: Role = "needed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """What counts as one element of the least: `count` of its `leaves` have to be answered."""

    code: str
    kind: ElementKind
    leaves: tuple[str, ...]
    count: int = SUBELEMENTS_USUAL

    @property
    def complete(self) -> bool:
        return len(self.leaves) >= self.count


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskScope:
    """One Task of an exam. `kinds` are those its least needs one satisfactory unit of, `named` the units
    that have to be covered whatever happens (the knowledge test report's, or a drill's)."""

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
        able = {unit.kind for unit in self.units if unit.complete}
        return tuple(kind for kind in self.kinds if kind not in able)

    @property
    def has_reserve(self) -> bool:
        """Whether an element in doubt can be followed by another of the least's kinds."""
        return any(item.kind in self.kinds for item in self.reserve)


def lot(seed: str, code: str) -> str:
    """A number drawn for `code` in the exam `seed`: sorting by it is a shuffle that never changes."""
    return sha256(f"{seed}\x00{code}".encode()).hexdigest()


def task_scope(facts: Sequence[ElementFact], named: Iterable[str], seed: str) -> TaskScope:
    """What an exam would sample of one Task; `facts` are its elements in reach, askable or not."""
    units = units_of(facts, seed)
    wanted = tuple(unit for code in sorted(named) if (unit := _named_unit(code, units)) is not None)
    kinds = tuple(kind for kind in LEAST_KINDS if any(fact.kind == kind for fact in facts))
    codes = _sample(units, wanted, kinds, seed)
    return TaskScope(
        task=facts[0].task,
        area=facts[0].area,
        kinds=kinds,
        units=units,
        named=wanted,
        planned=_in_order(item for item in _leaves(facts, units) if item.code in codes),
        reserve=_reserve(facts, units, codes, seed),
    )


def units_of(facts: Sequence[ElementFact], seed: str) -> tuple[Unit, ...]:
    """The elements that can be asked, sub-elements gathered under the parent they satisfy."""
    tops = sorted({fact.parent or fact.code for fact in facts if fact.askable})
    return tuple(_unit(top, facts, seed) for top in tops)


def _unit(top: str, facts: Sequence[ElementFact], seed: str) -> Unit:
    askable = [fact for fact in facts if fact.askable]
    below = [fact.code for fact in askable if fact.parent == top]
    subs = sorted(below, key=lambda code: lot(seed, code))
    kind = next(fact.kind for fact in askable if top in (fact.parent, fact.code))
    return Unit(
        code=top,
        kind=kind,
        leaves=tuple(subs) or (top,),
        count=SUBELEMENTS_NEEDED.get(top, SUBELEMENTS_USUAL),
    )


def _named_unit(code: str, units: Sequence[Unit]) -> Unit | None:
    """The unit a report's code asks for: a parent's own, as far as supported, or the sub-element named."""
    for unit in units:
        if unit.code == code:
            return replace(unit, count=min(unit.count, len(unit.leaves)))
        if code in unit.leaves:
            return Unit(code=code, kind=unit.kind, leaves=(code,))
    return None


def _sample(
    units: Sequence[Unit], named: Sequence[Unit], kinds: Sequence[ElementKind], seed: str
) -> frozenset[str]:
    """The codes to ask: every named unit, then the cheapest unit of each kind that still lacks one."""
    codes: frozenset[str] = frozenset()
    for unit in named:
        codes |= _missing_leaves(unit, codes)
    for kind in kinds:
        of_kind = [unit for unit in units if unit.kind == kind and unit.complete]
        if of_kind:
            codes |= _missing_leaves(min(of_kind, key=lambda unit: _price(unit, codes, seed)), codes)
    return codes


def _price(unit: Unit, codes: frozenset[str], seed: str) -> tuple[int, str]:
    return len(_missing_leaves(unit, codes)), lot(seed, unit.code)


def _missing_leaves(unit: Unit, codes: frozenset[str]) -> frozenset[str]:
    have = sum(leaf in codes for leaf in unit.leaves)
    unasked = [leaf for leaf in unit.leaves if leaf not in codes]
    return frozenset(unasked[: max(0, unit.count - have)])


def _leaves(facts: Sequence[ElementFact], units: Sequence[Unit]) -> tuple[Planned, ...]:
    task = facts[0].task
    return tuple(
        Planned(code=leaf, task=task, kind=unit.kind, unit=unit.code)
        for unit in units
        for leaf in unit.leaves
    )


def _reserve(
    facts: Sequence[ElementFact], units: Sequence[Unit], codes: frozenset[str], seed: str
) -> tuple[Planned, ...]:
    """Elements kept back, those that say something new before the siblings of what is asked anyway."""
    rest = [item for item in _leaves(facts, units) if item.code not in codes]
    asked_units = {unit.code for unit in units if codes & set(unit.leaves)}
    return tuple(
        sorted(
            rest,
            key=lambda item: (
                KIND_ORDER[item.kind],
                item.unit in asked_units,
                lot(seed, item.code),
            ),
        )
    )


def _in_order(items: Iterable[Planned]) -> tuple[Planned, ...]:
    return tuple(sorted(items, key=lambda item: (KIND_ORDER[item.kind], item.code)))
