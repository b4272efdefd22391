"""Plans the scope of an oral: whole Tasks, in the standard's order, with the elements to ask.

The scope is shown before the start ("2 of 28 Tasks"), kept with the exam, and named by the result. A number of
questions that is too small for everything narrows it to the whole Tasks that fit. Equal input and seed give an
equal scope, however hard the questions are. This module knows no database and no clock.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from math import ceil

from exams import conf
from exams.domain.exam_request import (
    ExamOrder,
    OrderRefused,
    check_order,
    elements_in_reach,
    is_supported,
    reference_for,
    report_codes,
    standard_order,
    weak_in_reach,
)
from exams.domain.sampling import (
    LAST,
    NOTHING_HANGS,
    ElementFact,
    Planned,
    TaskScope,
    Unit,
    asks_again,
    draw_lot,
    task_scope,
)
from exams.domain.scenes.scene import AFTER_THE_FLIGHT, HANGING_LEAST, Scheduled, is_enough_of
from exams.domain.values import StoredValue
from knowledge.standards.ask_location import task_set


@dataclass(frozen=True, slots=True, kw_only=True)
class NotAskable:
    """Elements of one Task that the library cannot support, and the reference that is missing."""

    task: str
    reference: str
    elements: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope(StoredValue):
    """What one oral covers. `all_tasks` are those of the whole ground portion, in the standard's order."""

    certificate: str
    aircraft_class: str
    mode: str
    questions: int
    tasks: tuple[TaskScope, ...]
    all_tasks: tuple[str, ...]
    not_askable: tuple[NotAskable, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def plan(self) -> tuple[Planned, ...]:
        """The elements to ask, in order: at one place of a flight those of one Task after the other."""
        items = (item for task in self.tasks for item in task.planned)
        return tuple(sorted(items, key=lambda item: item.moment))

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
        """Whether it covers chosen elements and not Tasks with their least."""
        return not any(task.kinds for task in self.tasks)

    @property
    def minutes(self) -> int:
        """About how long the oral takes."""
        usual = self.whole or self.drill or self.questions >= conf.QUESTIONS_MOCK_LEAST
        rate = conf.MINUTES_PER_QUESTION[self.mode] if usual else conf.MINUTES_PER_QUESTION_SHORT
        return max(1, round(self.questions * rate))


def scope_for(
    facts: Iterable[ElementFact],
    order: ExamOrder,
    *,
    seed: str,
    weak: Sequence[str] = (),
    hanging: Mapping[str, int] = NOTHING_HANGS,
    missed: Collection[str] = (),
) -> Scope:
    """The scope of the exam `seed`; `weak` are the student's weak elements, weakest first, and `hanging` those that can
    be asked about the flight of a mock, the smaller number first (`sampling.LAST`, `SHOWN`). `missed` are the codes on
    the knowledge test report in the applicant's folder, asked if they can be and the order names none.

    Raises OrderRefused, naming the field and what exists.
    """
    standard = sorted(facts, key=lambda fact: standard_order(fact.code))
    check_order(order, standard)
    areas = set(order.areas)
    if order.mode == "drill":  # who names an element picks its Area
        areas = areas or {fact.area for fact in standard if fact.code.upper() in order.codes}
    reach = elements_in_reach(standard, order.aircraft_class, areas)
    codes, code_notices = report_codes(standard, reach, order)
    if not order.codes:
        codes = frozenset(fact.code for fact in reach if fact.code in missed and is_supported(fact, reach))
    drilled = weak_in_reach(reach, order, weak)
    if order.mode == "drill" and order.codes and not (drilled or codes):
        raise OrderRefused.of("codes", *code_notices)
    not_askable = _not_askable(reach)
    if drilled:
        tasks, notices = _plan_drill(reach, drilled, order, seed)
    else:
        tasks, notices = _plan_standard(reach, codes, order, seed, hanging)
        if order.mode in ("weak", "drill"):
            notices = ["Nothing is weak yet, so this is a standard oral.", *notices]
    if not reach:
        nothing = "This choice holds no element that is asked at the table; pick another Area or class."
        raise OrderRefused.of("areas", nothing)
    if not any(task.planned for task in tasks):
        lacks = ", ".join(sorted({item.reference for item in not_askable}))
        nothing = f"The library supports no question for this choice. It lacks: {lacks}."
        raise OrderRefused.of("areas", nothing)
    # Flown Tasks whose Area was picked count as part of the ground portion.
    at_the_table = elements_in_reach(standard, order.aircraft_class)
    ground = {fact.task for fact in (*at_the_table, *reach)}
    return Scope(
        certificate=order.certificate,
        aircraft_class=order.aircraft_class,
        mode=order.mode,
        questions=sum(len(task.planned) for task in tasks),
        tasks=tuple(tasks),
        all_tasks=tuple(dict.fromkeys(fact.task for fact in standard if fact.task in ground)),
        not_askable=not_askable,
        notices=(*code_notices, *notices),
    )


def along_the_flight(scope: Scope, scheduled: Mapping[str, Scheduled]) -> Scope:
    """The scope of a mock with each element at its place on the flight; what has none comes after it. An element whose
    topic has been asked about, or of which the oral has asked for too much, gives way to another of its Task and kind.
    Without one, the former comes after the flight, as long as enough of the questions are about that."""

    def at_its_place(item: Planned) -> Planned:
        planned = scheduled.get(item.code, Scheduled(place=AFTER_THE_FLIGHT))
        return replace(item, moment=planned.place, item=planned.item)

    tasks = {
        task.task: replace(
            task,
            planned=tuple(map(at_its_place, task.planned)),
            reserve=tuple(map(at_its_place, task.reserve)),
        )
        for task in scope.tasks
    }
    topics = {code: one.topic for code, one in scheduled.items()}
    musts = {code: one.musts for code, one in scheduled.items()}
    plan = replace(scope, tasks=tuple(tasks.values())).plan
    changes = [item.code for item in plan if item.code in scheduled and scheduled[item.code].by_change]
    told = [topics[code] for code in changes]
    asked = set[frozenset[str]]().union(*(musts[code] for code in changes))

    def is_known(code: str) -> bool:
        return is_enough_of(topics.get(code, ""), told) or asks_again(musts.get(code, ()), asked)

    on_flight = sum(item.moment < AFTER_THE_FLIGHT for item in plan)
    spare = on_flight - ceil(HANGING_LEAST * len(plan))
    for item in plan:
        if item.code in changes:
            continue
        if is_known(item.code):
            others = (one for one in _replacements_of(item, tasks[item.task]) if not is_known(one.code))
            other = next(others, None)
            of_topic = is_enough_of(topics.get(item.code, ""), told)
            if other is None and of_topic and item.moment < AFTER_THE_FLIGHT and spare > 0:
                other, spare = replace(item, moment=AFTER_THE_FLIGHT), spare - 1
                task = tasks[item.task]
                planned = tuple(other if one == item else one for one in task.planned)
                tasks[item.task] = replace(task, planned=planned)
            elif other:
                tasks[item.task] = _with_replaced(tasks[item.task], item, other)
                item = other
        told.append(topics.get(item.code, ""))
        asked |= musts.get(item.code, frozenset())
    return replace(scope, tasks=tuple(tasks.values()))


def _replacements_of(item: Planned, task: TaskScope) -> list[Planned]:
    """What of the reserve can be asked in place of a planned element: on the flight as well if that is, and without
    leaving the Task short of its least."""
    alone = {code for unit in task.units if unit.count == 1 for code in unit.leaves}
    if item.fixed or item.code not in alone:
        return []
    hangs = item.moment < AFTER_THE_FLIGHT
    alike = (one for one in task.reserve if one.kind == item.kind and one.code in alone and not one.fixed)
    return [one for one in alike if not hangs or one.moment < AFTER_THE_FLIGHT]


def _with_replaced(task: TaskScope, item: Planned, other: Planned) -> TaskScope:
    asked = replace(other, role=item.role, because=item.because, because_of=item.because_of)
    return replace(
        task,
        planned=tuple(asked if one == item else one for one in task.planned),
        reserve=(
            *(one for one in task.reserve if one != other),
            replace(item, role="needed", because="sampled"),
        ),
    )


def _draw_tasks(
    reach: Sequence[ElementFact],
    codes: frozenset[str],
    seed: str,
    preferred: Mapping[str, int] = NOTHING_HANGS,
) -> list[TaskScope]:
    by_task: dict[str, list[ElementFact]] = defaultdict(list)
    for fact in reach:
        by_task[fact.task].append(fact)
    return [
        task_scope(facts, codes & {fact.code for fact in facts}, seed, preferred)
        for facts in by_task.values()
    ]


def _not_askable(reach: Sequence[ElementFact]) -> tuple[NotAskable, ...]:
    """Unsupported elements by Task and missing reference; a parent and its sub-elements stand for each other."""
    missing: dict[tuple[str, str], list[str]] = defaultdict(list)
    asked = {fact.code for fact in reach if fact.askable}
    for fact in reach:
        if not is_supported(fact, reach) and fact.parent not in asked:
            missing[fact.task, reference_for(fact)].append(fact.code)
    return tuple(
        NotAskable(task=task, reference=reference, elements=tuple(codes))
        for (task, reference), codes in missing.items()
    )


# --- standard orals -------------------------------------------------------------------------------------


def _plan_standard(
    reach: Sequence[ElementFact],
    codes: frozenset[str],
    order: ExamOrder,
    seed: str,
    hanging: Mapping[str, int],
) -> tuple[list[TaskScope], list[str]]:
    """The whole Tasks that the number of questions completes, then extra elements with what is left of it."""
    offered = [fact for fact in reach if order.mode != "mock" or task_set(fact.task) == "core"]
    if reach and not offered:
        nothing = (
            "A mock oral covers the core Tasks, and these Areas have none of them. Pick others, or none."
        )
        raise OrderRefused.of("areas", nothing)
    drawn = [task for task in _draw_tasks(offered, codes, seed, hanging) if task.planned]
    able = [task for task in drawn if not task.lacks]
    tasks = able or drawn
    wanted = _questions_for(order, tasks)
    # Where not every Task fits, room is left for doubts: a Task in doubt with no question left would be incomplete.
    every = sum(len(task.planned) for task in tasks) <= wanted
    room = wanted if every else wanted - wanted // conf.DOUBT_EVERY
    chosen, notices = _tasks_that_fit(tasks, room, seed, by_area=bool(order.areas), by_code=bool(order.codes))
    if order.areas:
        reached = dict.fromkeys(fact.area for fact in offered)
        askable = {task.area for task in tasks}
        notices += [
            f"Nothing of Area {one} can be asked with this library." for one in reached if one not in askable
        ]
    if not able:
        notices.append("No Task can be completed with this library, so the result will read incomplete.")
    spare = wanted - sum(len(task.planned) for task in chosen)
    chosen = _add_extras(chosen, max(0, spare), hanging, all_covered=len(chosen) == len(tasks))
    asked, total = order.questions, sum(len(task.planned) for task in chosen)
    if asked is not None and total > asked:
        notices.append(f"The smallest Task takes {total} questions, so {total} are asked.")
    if asked is not None and total < asked:
        waiting = Counter[str]()
        for lack in _not_askable(offered):
            waiting[lack.reference] += len(lack.elements)
        notice = f"You asked for {asked} questions; this library supports {total}."
        if waiting:
            named = ", ".join(reference for reference, _ in waiting.most_common(conf.MISSING_NAMED))
            notice += f" {waiting.total()} elements cannot be asked yet. They lack: {named}."
        notices.append(notice)
    about = sum(hanging.get(item.code, LAST) < LAST for task in chosen for item in task.planned)
    if order.mode == "mock" and about < HANGING_LEAST * total:
        notices.append(f"With this library, {about} of the {total} questions can be about the flight.")
    return chosen, notices


def _questions_for(order: ExamOrder, tasks: Sequence[TaskScope]) -> int:
    if order.questions is not None:
        return order.questions
    least = sum(len(task.planned) for task in tasks)
    skills = sum(item.kind == "skill" for task in tasks for item in task.reserve)
    match order.mode:
        case "mock":
            return min(least + skills, conf.QUESTIONS_MOCK_MOST - conf.DOUBTS_BEYOND)
        case "area":
            return min(
                max(least, conf.QUESTIONS_AREA_FLOOR), conf.QUESTIONS_AREA_PER_TASK * len(tasks) or least
            )
        case "weak" | "drill":
            return conf.QUESTIONS_DRILL
        case _:
            return min(least + skills, conf.QUESTIONS_MOST)


def _tasks_that_fit(
    tasks: Sequence[TaskScope], wanted: int, seed: str, *, by_area: bool, by_code: bool
) -> tuple[list[TaskScope], list[str]]:
    """The Tasks that `wanted` questions complete: the report's first, then those with a reserve, by lot; `by_area`, one
    of each Area before a second of any.

    The notices name the codes that do not fit, if the student named them (`by_code`), and the Areas that none of whose
    Tasks do.
    """

    def preference(task: TaskScope) -> tuple[bool, bool, str]:
        return not task.named, not task.has_reserve, draw_lot(seed, task.task)

    ordered = sorted(tasks, key=preference)
    if by_area:
        of_area = Counter[str]()
        nth_of_area = {}
        for task in ordered:
            nth_of_area[task.task] = of_area[task.area]
            of_area[task.area] += 1
        ordered.sort(key=lambda task: (not task.named, nth_of_area[task.task]))
    chosen: list[TaskScope] = []
    left = wanted
    for task in ordered:
        if len(task.planned) <= left:
            chosen.append(task)
            left -= len(task.planned)
    if not chosen and tasks:
        chosen = [min(tasks, key=lambda task: (len(task.planned), draw_lot(seed, task.task)))]
    notices = [
        f"{', '.join(unit.code for unit in task.named)}: Task {task.task} needs {len(task.planned)} questions and"
        " does not fit into this number."
        for task in tasks
        if by_code and task.named and task not in chosen
    ]
    if by_area:
        covered = {task.area for task in chosen}
        left_out = dict.fromkeys(task.area for task in tasks)
        notices += [
            f"Area {area} does not fit into this number of questions."
            for area in left_out
            if area not in covered
        ]
    return [task for task in tasks if task in chosen], notices


def _add_extras(
    tasks: Sequence[TaskScope], room: int, hanging: Mapping[str, int] = NOTHING_HANGS, *, all_covered: bool
) -> list[TaskScope]:
    """The Tasks with up to `room` more elements planned as extras: each may give way to an element in doubt.

    Where every Task is covered, skills come first, in the standard's order, then one more element a Task, and again. In
    a mock those that are `hanging` on the flight come first, and what its events ask about before all.
    Otherwise extras come from the last Task backward, so that a doubt in an earlier one can still take their place.
    """
    if all_covered:
        skills = [item for task in tasks for item in task.reserve if item.kind == "skill"]
        rounds = zip_longest(*([item for item in task.reserve if item.kind != "skill"] for task in tasks))
        order = [*skills, *filter(None, chain.from_iterable(rounds))]
    else:
        items = [item for task in reversed(tasks) for item in task.reserve]
        order = sorted(items, key=lambda item: item.kind == "skill")
    if hanging:
        order = sorted(order, key=lambda one: hanging.get(one.code, LAST))
    extras = {item.code for item in order[:room]}
    return [
        replace(
            task,
            planned=task.planned
            + tuple(
                replace(item, role="extra", because="extra") for item in task.reserve if item.code in extras
            ),
            reserve=tuple(item for item in task.reserve if item.code not in extras),
        )
        for task in tasks
    ]


# --- drills ---------------------------------------------------------------------------------------------


def _plan_drill(
    reach: Sequence[ElementFact], weak: Sequence[str], order: ExamOrder, seed: str
) -> tuple[list[TaskScope], list[str]]:
    """The weakest elements, in a drill with one prerequisite for every four; all have to be covered.

    A prerequisite is a knowledge element of the same Task that is not weak. A drill of named elements has none.
    """
    wanted = order.questions or conf.QUESTIONS_DRILL
    others = wanted // conf.DRILL_OTHERS_EVERY if order.mode == "drill" and not order.codes else 0
    asked = set(weak[: wanted - others])
    others = min(others, len(asked) // (conf.DRILL_OTHERS_EVERY - 1))
    drawn = [(task, (*task.planned, *task.reserve)) for task in _draw_tasks(reach, frozenset(), seed)]
    near = [(task, items) for task, items in drawn if any(item.code in asked for item in items)]
    known = [
        item.code for _, items in near for item in items if item.kind == "knowledge" and item.code not in weak
    ]
    asked |= set(known[:others])
    tasks = [
        replace(
            task,
            kinds=(),
            named=tuple(
                Unit(code=item.code, kind=item.kind, leaves=(item.code,))
                for item in items
                if item.code in asked
            ),
            planned=tuple(replace(item, fixed=True, because="named") for item in items if item.code in asked),
            reserve=tuple(item for item in items if item.code not in asked),
        )
        for task, items in near
    ]
    if order.questions is None or len(asked) >= order.questions:
        return tasks, []
    return tasks, [f"Too few elements are weak for {order.questions} questions, so {len(asked)} are asked."]
