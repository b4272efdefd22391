"""Grades an oral: final verdicts on elements give the result of each Task, Area, and the whole test.

All rules are the standard's own except the one-doubt rule, which is ours:

* A Task is **satisfactory** when its least is met and no doubt is open. Its least is every element that had to be
  covered, and of each kind it samples one satisfactory element, or one whose doubt was closed.
* The first element of a Task that is not satisfactory is a **doubt**. One more element of that kind, asked after
  it, closes the doubt if it is satisfactory: the first one counts as a weak spot. A second element that is not
  satisfactory fails the Task. A wrong P0 fact that survives the probe, or an unsafe decision held to, fails it at once.
* A Task with an open doubt, or short of its least, is **incomplete**: never a pass.
* An Area is the worst of its Tasks, the test the worst of its Areas: fail, else incomplete, else pass, for the
  chosen scope. No score plays a part, and no percentage is shown.

Outcomes may arrive in any order; each carries its own.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, get_args

from exams.conf import DRILLED_MOST, STUDY_FIRST
from exams.domain.sampling import Because, TaskScope
from exams.domain.scope import NotAskable, Scope
from exams.domain.values import SCORED_VERDICTS, ElementKind, StoredValue, Verdict

TaskResult = Literal["satisfactory", "unsatisfactory", "incomplete"]
TestResult = Literal["pass", "fail", "incomplete"]
StudyReason = Literal[
    "failed the Task",
    "not satisfactory",
    "partly answered",
    "corrected after a follow-up",
    "wrong about the papers",
    "you were not sure",
    "complete after a follow-up",
    "not asked",
]

_WORST_FIRST: tuple[TaskResult, ...] = ("unsatisfactory", "incomplete", "satisfactory")
_TEST_RESULT: Mapping[TaskResult, TestResult] = {
    "satisfactory": "pass",
    "unsatisfactory": "fail",
    "incomplete": "incomplete",
}
RESULT_WORDS: Mapping[TestResult, str] = {
    "pass": "satisfactory",
    "fail": "not satisfactory",
    "incomplete": "not completed",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The final verdict on one element.

    `order` is its place in the oral; `fatal` means that it fails its Task at once. `because` and `because_of` say why
    it was asked; one that is `by_mention` was not: the satisfactory answer on `because_of` showed it as well.
    """

    code: str
    task: str
    kind: ElementKind
    verdict: Verdict
    order: int
    fatal: bool = False
    because: Because = "sampled"
    because_of: str = ""
    by_mention: bool = False

    @property
    def is_bad(self) -> bool:
        return self.verdict in ("partial", "unsatisfactory")

    @property
    def fails_at_once(self) -> bool:
        return self.fatal and self.verdict == "unsatisfactory"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskStatus:
    """A Task by the one-doubt rule. `doubt` is the kind that one more element must clear."""

    failed: bool = False
    doubt: ElementKind | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedTask:
    """A Task's result; `why` says as a sentence what failed it, what it lacks, or what it passed in spite of, `drill`
    by which elements that can be made up."""

    task: str
    area: str
    result: TaskResult
    elements: tuple[Outcome, ...]
    why: str = ""
    drill: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedArea:
    area: str
    result: TaskResult
    tasks: tuple[GradedTask, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What makes an element urgent beside its verdict: a P0 fact of it was not met, something said wrongly was
    `corrected` only after a follow-up, a paper of the qualification was `misjudged`, the student was `unsure` of
    something about it, something required was `prompted` by a follow-up, it was missed in so many orals before, and it
    is due at (ISO 8601)."""

    p0: bool = False
    corrected: bool = False
    misjudged: bool = False
    unsure: bool = False
    prompted: bool = False
    missed_before: int = 0
    due: str = ""

    @property
    def shown_weak(self) -> bool:
        """Whether something else than a verdict of this exam says that it is to be studied."""
        return self.corrected or self.misjudged


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyItem:
    """An element to study. `missed` counts the orals in which it was, with this one; `p0` says that a fact was missed
    on which safety depends."""

    code: str
    reason: StudyReason
    missed: int = 0
    p0: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade(StoredValue):
    """The result of one oral, for its scope only."""

    result: TestResult
    scope: str
    areas: tuple[GradedArea, ...]
    not_tested: tuple[str, ...]
    not_askable: tuple[NotAskable, ...]
    weak: tuple[str, ...]
    study: tuple[StudyItem, ...]


def grade_oral(
    scope: Scope, outcomes: Iterable[Outcome], needs: Mapping[str, Need] = MappingProxyType({})
) -> Grade:
    """The grade of an oral from its final verdicts; ungraded ones and those of other Tasks earn nothing.

    `needs` by element code say what is weak beside the verdicts and order what to study; they touch no result.
    """
    of_task: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        of_task[outcome.task].append(outcome)
    tasks = [grade_task(task, of_task[task.task]) for task in scope.tasks]
    of_area: dict[str, list[GradedTask]] = defaultdict(list)
    for task in tasks:
        of_area[task.area].append(task)
    areas = tuple(
        GradedArea(area=area, result=_worst_of(task.result for task in graded), tasks=tuple(graded))
        for area, graded in of_area.items()
    )
    result = _TEST_RESULT[_worst_of(area.result for area in areas)]
    asked = [task.task for task in tasks if task.elements]
    elements = [outcome for task in tasks for outcome in task.elements]
    corrected = [one.code for one in elements if not one.is_bad and needs.get(one.code, Need()).corrected]
    left = len(scope.all_tasks) - len(asked)
    covered = f"{len(asked)} of {len(scope.all_tasks)} Tasks"
    if scope.drill:
        covered = f"{len(elements)} chosen elements from {covered}"
    elif not left:
        covered = f"All {len(asked)} Tasks of the ground portion"
    rest = f"; {left} not tested" if left else ""
    return Grade(
        result=result,
        scope=f"{covered} asked: {RESULT_WORDS[result]}{rest}",
        areas=areas,
        not_tested=tuple(task for task in scope.all_tasks if task not in asked),
        not_askable=scope.not_askable,
        weak=(*(outcome.code for outcome in elements if outcome.is_bad), *corrected),
        study=_to_study(scope, tasks, needs),
    )


def grade_task(task: TaskScope, outcomes: Sequence[Outcome]) -> GradedTask:
    """One Task's result from the outcomes of its elements; `why` says what failed it or what its least still lacks."""
    scored = _scored_in_order(outcomes)
    status = task_status(scored)
    asked = {outcome.code for outcome in scored}
    uncovered = [unit.code for unit in task.named if not unit.is_covered_by(asked)]
    lacking = lacking_kinds(task, scored)
    result: TaskResult = "incomplete"
    why, drill = "", [outcome.code for outcome in scored if outcome.is_bad]
    if status.failed:
        result = "unsatisfactory"
        fatal = next((outcome.code for outcome in scored if outcome.fails_at_once), "")
        why = (
            f"{fatal} fails the Task by itself"
            if fatal
            else f"{len(drill)} elements were not satisfactory, and a second one fails the Task"
        )
    elif status.doubt is not None:
        why = f"{drill[0]} was not satisfactory, and no other {status.doubt} question came to make up for it"
        why += f": study {drill[0]}, then drill it"
    elif uncovered:
        why, drill = (
            f"the oral ended before it asked about {', '.join(uncovered)}: a drill asks about it",
            uncovered,
        )
    elif lacking:
        kinds = " and no ".join(lacking)
        why = f"no {kinds} question was answered satisfactorily before the oral ended: study the Task, then drill it"
        drill = drill or [unit.code for unit in task.units if unit.kind in lacking][:DRILLED_MOST]
    else:
        result = "satisfactory"
        if drill and (closed_by := _closed_by(scored)):
            why = (
                f"{drill[0]} was not satisfactory. {closed_by.code}, a {closed_by.kind} element covered later, was,"
                f" so the Task passes; that did not make up for {drill[0]}: study it"
            )
    return GradedTask(
        task=task.task, area=task.area, result=result, elements=scored, why=why, drill=tuple(drill)
    )


def lacking_kinds(task: TaskScope, outcomes: Iterable[Outcome]) -> list[ElementKind]:
    """The kinds of which the Task's least is still owed."""
    scored = _scored_in_order(outcomes)
    good = {outcome.code for outcome in scored if not outcome.is_bad}
    shown = {unit.kind for unit in task.units if unit.is_covered_by(good)}
    if task_status(scored) == TaskStatus():
        # An element whose doubt is closed counts, also if what closed it is a part of another.
        asked = {outcome.code for outcome in scored}
        weak = {outcome.kind for outcome in scored if outcome.is_bad}
        shown |= {unit.kind for unit in task.units if unit.kind in weak and unit.is_covered_by(asked)}
    return [kind for kind in task.kinds if kind not in shown]


def task_status(outcomes: Iterable[Outcome]) -> TaskStatus:
    """The one-doubt rule over one Task's outcomes, for the planner and for the grade."""
    scored = _scored_in_order(outcomes)
    bad = [outcome for outcome in scored if outcome.is_bad]
    if len(bad) > 1 or any(outcome.fails_at_once for outcome in bad):
        return TaskStatus(failed=True)
    if not bad:
        return TaskStatus()
    return TaskStatus() if _closed_by(scored) else TaskStatus(doubt=bad[0].kind)


def _closed_by(scored: Sequence[Outcome]) -> Outcome | None:
    """The outcome that closed the doubt of a Task that has one: the first satisfactory one of its kind after it."""
    place, bad = next((at, one) for at, one in enumerate(scored) if one.is_bad)
    return next((one for one in scored[place + 1 :] if one.kind == bad.kind and not one.is_bad), None)


def _scored_in_order(outcomes: Iterable[Outcome]) -> tuple[Outcome, ...]:
    """Scored outcomes in the order of asking; of an element judged more than once the last verdict counts."""
    scored = [outcome for outcome in outcomes if outcome.verdict in SCORED_VERDICTS]
    last = {outcome.code: outcome for outcome in sorted(scored, key=lambda outcome: outcome.order)}
    return tuple(sorted(last.values(), key=lambda outcome: outcome.order))


def _worst_of(results: Iterable[TaskResult]) -> TaskResult:
    """The worst result; of nothing at all: incomplete."""
    found = set(results)
    return next((result for result in _WORST_FIRST if result in found), "incomplete")


def _to_study(scope: Scope, tasks: Sequence[GradedTask], needs: Mapping[str, Need]) -> tuple[StudyItem, ...]:
    """All that was not known, most needed first: a P0 fact missed, a failed Task, what was wrong or left out before
    what was heard in part (all of it may have been said), missed often, due early. Then what was known only after a
    follow-up and papers that were misjudged, what the student was not sure of or left out until a follow-up, and what
    the scope left unasked as far as STUDY_FIRST items are not full."""
    reasons = get_args(StudyReason)
    nothing = Need()
    found: list[tuple[tuple[Any, ...], StudyItem]] = []
    for task in tasks:
        for outcome in task.elements:
            need = needs.get(outcome.code, nothing)
            reason = _reason_to_study(outcome, need)
            if reason is None:
                continue
            p0 = outcome.is_bad and (need.p0 or outcome.fails_at_once)
            missed = need.missed_before + outcome.is_bad
            in_failed = outcome.is_bad and task.result == "unsatisfactory"
            key = (
                *(
                    not outcome.is_bad,
                    not need.shown_weak,
                    not p0,
                    not in_failed,
                    outcome.verdict == "partial",
                ),
                *(-missed, need.due or "~"),
                *(reasons.index(reason), outcome.order),
            )
            found.append((key, StudyItem(code=outcome.code, reason=reason, missed=missed, p0=p0)))
    asked = {outcome.code for task in tasks for outcome in task.elements}
    for code, need in needs.items():
        if need.misjudged and code not in asked:
            item = StudyItem(code=code, reason="wrong about the papers", missed=need.missed_before)
            order = (
                True,
                False,
                True,
                True,
                False,
                -need.missed_before,
                need.due or "~",
                reasons.index(item.reason),
            )
            found.append((order, item))
    items = [item for _, item in sorted(found, key=lambda row: row[0])]
    listed = asked | {item.code for item in items}
    unasked = [item.code for item in (*scope.plan, *scope.reserve) if item.code not in listed]
    unasked.sort(
        key=lambda code: needs.get(code, nothing).due or "~"
    )  # stable: else in the order of the plan
    room = max(0, STUDY_FIRST - len(items))
    return (*items, *(StudyItem(code=code, reason="not asked") for code in unasked[:room]))


def _reason_to_study(outcome: Outcome, need: Need) -> StudyReason | None:
    if outcome.fails_at_once:
        return "failed the Task"
    if outcome.is_bad:
        return "not satisfactory" if outcome.verdict == "unsatisfactory" else "partly answered"
    if need.corrected:
        return "corrected after a follow-up"
    if need.misjudged:
        return "wrong about the papers"
    if need.unsure:
        return "you were not sure"
    return "complete after a follow-up" if need.prompted else None
