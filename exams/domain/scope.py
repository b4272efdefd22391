"""A standard and a request become the scope of an oral: whole Tasks, in order, with the elements to ask.

Named before the start ("2 of 28 Tasks"), kept with the exam, and what the result speaks of. Elements of other
classes, archived ones, those only flown and those without support in the library are never in it. A number of
questions that is too small for everything narrows the scope to the whole Tasks that it completes. How hard
the questions are plays no part here. Pure: no database, no clock; equal input and seed give an equal scope.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import Any

from exams.conf import (
    DRILL_OTHERS_EVERY,
    MINUTES_PER_QUESTION,
    MINUTES_PER_QUESTION_SHORT,
    MISSING_NAMED,
    QUESTIONS_AREA_FLOOR,
    QUESTIONS_AREA_PER_TASK,
    QUESTIONS_DRILL,
    QUESTIONS_MOCK_LEAST,
    QUESTIONS_MOCK_MOST,
    QUESTIONS_MOST,
)
from exams.domain.sampling import ElementFact, Planned, TaskScope, Unit, lot, task_scope
from exams.domain.scope_request import (
    AIRCRAFT_CLASSES,
    DIFFICULTIES,
    MODES,
    ScopeError,
    ScopeRequest,
    check_request,
    elements_in_reach,
    reference_for,
    report_codes,
    standard_order,
    supported,
    weak_in_reach,
)
from exams.domain.serialization import from_stored, to_stored
from exams.domain.values import ElementKind
from knowledge.standards.ask_location import task_set

__all__ = [
    "AIRCRAFT_CLASSES",
    "DIFFICULTIES",
    "MODES",
    "ElementFact",
    "NotAskable",
    "Planned",
    "Scope",
    "ScopeError",
    "ScopeRequest",
    "ShortTask",
    "TaskScope",
    "Unit",
    "elements_in_reach",
    "scope_for",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class NotAskable:
    """Elements of one Task that the library cannot support, and the reference that is missing."""

    task: str
    reference: str
    elements: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortTask:
    """A Task that cannot reach its least with the library at hand, and the kinds it lacks."""

    task: str
    lacks: tuple[ElementKind, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What one oral covers. `all_tasks` is the ground portion it is a part of, in the standard's order."""

    certificate: str
    aircraft_class: str
    mode: str
    questions: int
    tasks: tuple[TaskScope, ...]
    all_tasks: tuple[str, ...]
    short: tuple[ShortTask, ...] = ()
    not_askable: tuple[NotAskable, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def plan(self) -> tuple[Planned, ...]:
        """The elements to ask, in order."""
        return tuple(item for task in self.tasks for item in task.planned)

    @property
    def reserve(self) -> tuple[Planned, ...]:
        return tuple(item for task in self.tasks for item in task.reserve)

    @property
    def task_codes(self) -> tuple[str, ...]:
        return tuple(task.task for task in self.tasks)

    @property
    def title(self) -> str:
        """ "2 of 28 Tasks", or "All 28 Tasks of the ground portion"."""
        if self.whole:
            return f"All {len(self.all_tasks)} Tasks of the ground portion"
        return f"{len(self.tasks)} of {len(self.all_tasks)} Tasks"

    @property
    def whole(self) -> bool:
        return len(self.tasks) == len(self.all_tasks) and not self.drill

    @property
    def drill(self) -> bool:
        """Whether it speaks of chosen elements and not of Tasks with their least."""
        return not any(task.kinds for task in self.tasks)

    @property
    def minutes(self) -> int:
        """About how long it takes."""
        usual = self.whole or self.drill or self.questions >= QUESTIONS_MOCK_LEAST
        rate = MINUTES_PER_QUESTION[self.mode] if usual else MINUTES_PER_QUESTION_SHORT
        return max(1, round(self.questions * rate))

    def to_dict(self) -> dict[str, Any]:
        return to_stored(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Scope":
        return from_stored(cls, data)


def scope_for(facts: Iterable[ElementFact], request: ScopeRequest, *, seed: str) -> Scope:
    """The scope of the exam `seed`. Raises ScopeError, naming the field and what exists."""
    standard = sorted(facts, key=lambda fact: standard_order(fact.code))
    check_request(request, standard)
    reach = elements_in_reach(standard, request)
    codes, code_notices = report_codes(standard, reach, request)
    weak = weak_in_reach(reach, request)
    tasks, notices = (
        _drill_tasks(reach, weak, request, seed)
        if weak
        else _standard_tasks(_offered(reach, request), request, codes, seed)
    )
    if not any(task.planned for task in tasks):
        raise ScopeError("areas", _nothing_askable(reach))
    return Scope(
        certificate=request.certificate,
        aircraft_class=request.aircraft_class,
        mode=request.mode,
        questions=sum(len(task.planned) for task in tasks),
        tasks=tasks,
        all_tasks=_ground_portion(standard, reach, request),
        short=_short_tasks(reach, seed),
        not_askable=_not_askable(reach),
        notices=(*code_notices, *_no_weak_notice(request, weak), *notices),
    )


# --- standard orals -------------------------------------------------------------------------------------


def _offered(reach: Sequence[ElementFact], request: ScopeRequest) -> tuple[ElementFact, ...]:
    if request.mode != "mock":
        return tuple(reach)
    return tuple(fact for fact in reach if task_set(fact.task) == "core")


def _standard_tasks(
    reach: Sequence[ElementFact], request: ScopeRequest, codes: frozenset[str], seed: str
) -> tuple[tuple[TaskScope, ...], tuple[str, ...]]:
    """Whole Tasks that the number of questions completes, each with its least, then what the rest allows."""
    drawn = _draw(reach, codes, seed)
    able = [task for task in drawn if task.planned and not task.lacks]
    offered, short = (able, False) if able else ([task for task in drawn if task.planned], True)
    wanted = _wanted_questions(request, offered)
    chosen, notices = _narrow(offered, wanted, seed)
    spare = wanted - sum(len(task.planned) for task in chosen)
    tasks = _with_extras(chosen, spare, whole=len(chosen) == len(offered))
    total = sum(len(task.planned) for task in tasks)
    return tasks, (*notices, *_size_notices(request, reach, total, short))


def _draw(reach: Sequence[ElementFact], codes: frozenset[str], seed: str) -> list[TaskScope]:
    by_task: dict[str, list[ElementFact]] = defaultdict(list)
    for fact in reach:
        by_task[fact.task].append(fact)
    return [task_scope(facts, codes & {fact.code for fact in facts}, seed) for facts in by_task.values()]


def _wanted_questions(request: ScopeRequest, offered: Sequence[TaskScope]) -> int:
    if request.questions is not None:
        return request.questions
    least = sum(len(task.planned) for task in offered)
    skills = sum(item.kind == "skill" for task in offered for item in task.reserve)
    match request.mode:
        case "mock":
            return min(least + skills, QUESTIONS_MOCK_MOST)
        case "area":
            return min(max(least, QUESTIONS_AREA_FLOOR), QUESTIONS_AREA_PER_TASK * len(offered) or least)
        case "weak" | "drill":
            return QUESTIONS_DRILL
        case _:
            return min(least + skills, QUESTIONS_MOST)


def _narrow(
    offered: Sequence[TaskScope], wanted: int, seed: str
) -> tuple[tuple[TaskScope, ...], tuple[str, ...]]:
    """The Tasks that `wanted` questions complete: the report's first, then those with a reserve, by lot."""
    chosen: list[TaskScope] = []
    left = wanted
    for task in sorted(offered, key=lambda task: _preference(task, seed)):
        if len(task.planned) <= left:
            chosen.append(task)
            left -= len(task.planned)
    if not chosen and offered:
        chosen = [min(offered, key=lambda task: (len(task.planned), lot(seed, task.task)))]
    too_large = [task for task in offered if task.named and task not in chosen]
    return tuple(task for task in offered if task in chosen), tuple(map(_too_large_notice, too_large))


def _preference(task: TaskScope, seed: str) -> tuple[bool, bool, str]:
    return not task.named, not task.has_reserve, lot(seed, task.task)


def _too_large_notice(task: TaskScope) -> str:
    codes = ", ".join(unit.code for unit in task.named)
    return f"{codes}: Task {task.task} needs {len(task.planned)} questions and does not fit into this number."


def _with_extras(tasks: Sequence[TaskScope], spare: int, *, whole: bool) -> tuple[TaskScope, ...]:
    """The spare questions, as extra elements: each may give way to an element in doubt."""
    order = _extras_when_whole(tasks) if whole else _extras_when_narrow(tasks)
    extras = {item.code for item in order[: max(0, spare)]}
    return tuple(_add_extras(task, extras) for task in tasks)


def _extras_when_whole(tasks: Sequence[TaskScope]) -> list[Planned]:
    """Table skills in the standard's order, then one more element a Task, and again."""
    skills = [item for task in tasks for item in task.reserve if item.kind == "skill"]
    rounds = zip_longest(*([item for item in task.reserve if item.kind != "skill"] for task in tasks))
    return [*skills, *(item for item in chain.from_iterable(rounds) if item is not None)]


def _extras_when_narrow(tasks: Sequence[TaskScope]) -> list[Planned]:
    """From the last Task backwards, so that a doubt in an earlier one can still take their place."""
    items = [item for task in reversed(tasks) for item in task.reserve]
    return sorted(items, key=lambda item: item.kind == "skill")


def _add_extras(task: TaskScope, extras: set[str]) -> TaskScope:
    added = tuple(replace(item, role="extra") for item in task.reserve if item.code in extras)
    rest = tuple(item for item in task.reserve if item.code not in extras)
    return replace(task, planned=task.planned + added, reserve=rest)


def _size_notices(
    request: ScopeRequest, reach: Sequence[ElementFact], total: int, short: bool
) -> tuple[str, ...]:
    asked = request.questions
    notices: list[str] = []
    if short:
        notices.append("No Task can be completed with this library, so the result will read incomplete.")
    if asked is not None and total > asked:
        notices.append(f"The smallest Task takes {total} questions, so {total} are asked.")
    if asked is not None and total < asked:
        notices.append(f"You asked for {asked} questions; this library supports {total}.{_why_fewer(reach)}")
    return tuple(notices)


def _why_fewer(reach: Sequence[ElementFact]) -> str:
    """The documents that most elements wait for, most first."""
    waiting = Counter[str]()
    for item in _not_askable(reach):
        waiting[item.reference] += len(item.elements)
    if not waiting:
        return ""
    named = ", ".join(reference for reference, _ in waiting.most_common(MISSING_NAMED))
    return f" {sum(waiting.values())} elements cannot be asked yet. They lack: {named}."


# --- drills ---------------------------------------------------------------------------------------------


def _drill_tasks(
    reach: Sequence[ElementFact], weak: Sequence[str], request: ScopeRequest, seed: str
) -> tuple[tuple[TaskScope, ...], tuple[str, ...]]:
    """The weakest elements, in a drill with one prerequisite for every four; all have to be covered."""
    wanted = request.questions or QUESTIONS_DRILL
    others_at_most = wanted // DRILL_OTHERS_EVERY if request.mode == "drill" else 0
    asked = set(weak[: wanted - others_at_most])
    others_at_most = min(others_at_most, len(asked) // (DRILL_OTHERS_EVERY - 1))
    near = [task for task in _draw(reach, frozenset(), seed) if asked & _codes(task)]
    asked |= set(_prerequisites(near, set(weak))[:others_at_most])
    return tuple(_drill_task(task, asked) for task in near), _few_weak_notice(request, len(asked))


def _few_weak_notice(request: ScopeRequest, asked: int) -> tuple[str, ...]:
    if request.questions is None or asked >= request.questions:
        return ()
    return (f"Too few elements are weak for {request.questions} questions, so {asked} are asked.",)


def _codes(task: TaskScope) -> set[str]:
    return {item.code for item in (*task.planned, *task.reserve)}


def _prerequisites(tasks: Sequence[TaskScope], weak: set[str]) -> list[str]:
    """Knowledge of the same Tasks that is not weak: what the weak elements rest on."""
    items = [item for task in tasks for item in (*task.planned, *task.reserve)]
    return [item.code for item in items if item.kind == "knowledge" and item.code not in weak]


def _drill_task(task: TaskScope, asked: set[str]) -> TaskScope:
    items = (*task.planned, *task.reserve)
    return replace(
        task,
        kinds=(),
        named=tuple(
            Unit(code=item.code, kind=item.kind, leaves=(item.code,)) for item in items if item.code in asked
        ),
        planned=tuple(item for item in items if item.code in asked),
        reserve=tuple(item for item in items if item.code not in asked),
    )


# --- what is said beside it -----------------------------------------------------------------------------


def _no_weak_notice(request: ScopeRequest, weak: Sequence[str]) -> tuple[str, ...]:
    if request.mode in ("weak", "drill") and not weak:
        return ("Nothing is weak yet, so this is a standard oral.",)
    return ()


def _ground_portion(
    standard: Sequence[ElementFact], reach: Sequence[ElementFact], request: ScopeRequest
) -> tuple[str, ...]:
    """The Tasks of the whole ground portion, and with them flown Tasks whose Area was picked."""
    at_the_table = elements_in_reach(standard, replace(request, areas=()))
    tasks = {fact.task for fact in (*at_the_table, *reach)}
    return tuple(dict.fromkeys(fact.task for fact in standard if fact.task in tasks))


def _short_tasks(reach: Sequence[ElementFact], seed: str) -> tuple[ShortTask, ...]:
    drawn = _draw(reach, frozenset(), seed)
    return tuple(ShortTask(task=task.task, lacks=task.lacks) for task in drawn if task.lacks)


def _not_askable(reach: Sequence[ElementFact]) -> tuple[NotAskable, ...]:
    """Unsupported elements by Task and missing reference; parent and sub-elements stand for each other."""
    missing: dict[tuple[str, str], list[str]] = defaultdict(list)
    parents_asked = {fact.code for fact in reach if fact.askable}
    for fact in reach:
        if not supported(fact, reach) and fact.parent not in parents_asked:
            missing[fact.task, reference_for(fact)].append(fact.code)
    return tuple(
        NotAskable(task=task, reference=reference, elements=tuple(codes))
        for (task, reference), codes in missing.items()
    )


def _nothing_askable(reach: Sequence[ElementFact]) -> str:
    if not reach:
        return "This choice holds no element that is asked at the table; pick another Area or class."
    references = sorted({item.reference for item in _not_askable(reach)})
    return f"The library supports no question for this choice. It lacks: {', '.join(references)}."
