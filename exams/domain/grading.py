"""Grades an oral: final verdicts on elements give the result of each Task, Area, and the whole test.

All rules are the standard's own except the one-doubt rule, which is ours:

* A Task is **satisfactory** when its least is met and no doubt is open. Its least is every element that had to be
  covered, and one satisfactory element of each kind it samples.
* The first element of a Task that is not satisfactory is a **doubt**. One more element of that kind, asked after
  it, closes the doubt if it is satisfactory: a weak spot. A second element that is not satisfactory fails the Task.
  A wrong P0 fact that survives the probe, or an unsafe decision held to, fails it at once.
* A Task with an open doubt, or short of its least, is **incomplete**: never a pass.
* An Area is the worst of its Tasks, the test the worst of its Areas: fail, else incomplete, else pass, for the
  chosen scope. No score plays a part, and no percentage is shown.

Outcomes may arrive in any order; each carries its own.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from exams.conf import STUDY_FIRST
from exams.domain.sampling import Because, TaskScope
from exams.domain.scope import NotAskable, Scope
from exams.domain.values import SCORED_VERDICTS, ElementKind, StoredValue, Verdict

TaskResult = Literal["satisfactory", "unsatisfactory", "incomplete"]
TestResult = Literal["pass", "fail", "incomplete"]
StudyReason = Literal[
    "failed the Task", "not satisfactory", "partly answered", "details left out", "not asked"
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

    `order` is its place in the oral; `fatal` means that it fails its Task at once; `omitted` counts the expectations
    left out that are not required. `because` and `because_of` say why it was asked; one that is `by_mention` was not:
    the satisfactory answer on `because_of` showed it as well.
    """

    code: str
    task: str
    kind: ElementKind
    verdict: Verdict
    order: int
    fatal: bool = False
    omitted: int = 0
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
    task: str
    area: str
    result: TaskResult
    elements: tuple[Outcome, ...]
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedArea:
    area: str
    result: TaskResult
    tasks: tuple[GradedTask, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyItem:
    code: str
    reason: StudyReason


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


def grade_oral(scope: Scope, outcomes: Iterable[Outcome]) -> Grade:
    """The grade of an oral from its final verdicts; ungraded ones and those of other Tasks earn nothing."""
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
        weak=tuple(outcome.code for outcome in elements if outcome.is_bad),
        study=_study_first(scope, elements),
    )


def grade_task(task: TaskScope, outcomes: Sequence[Outcome]) -> GradedTask:
    """One Task's result from the outcomes of its elements; `why` says what failed it or what its least still lacks."""
    scored = _scored_in_order(outcomes)
    status = task_status(scored)
    asked = {outcome.code for outcome in scored}
    good = {outcome.code for outcome in scored if not outcome.is_bad}
    uncovered = [unit.code for unit in task.named if not unit.is_covered_by(asked)]
    shown = {unit.kind for unit in task.units if unit.is_covered_by(good)}
    lacking = [kind for kind in task.kinds if kind not in shown]
    result: TaskResult = "incomplete"
    why = ""
    if status.failed:
        result = "unsatisfactory"
        fatal = next((outcome.code for outcome in scored if outcome.fails_at_once), "")
        why = f"{fatal} fails it by itself" if fatal else "a second element was not satisfactory"
    elif status.doubt is not None:
        why = f"a {status.doubt} element is in doubt and none was asked after it"
    elif uncovered:
        why = f"not asked: {', '.join(uncovered)}"
    elif lacking:
        why = f"no satisfactory {' and no satisfactory '.join(lacking)} element"
    else:
        result = "satisfactory"
    return GradedTask(task=task.task, area=task.area, result=result, elements=scored, why=why)


def task_status(outcomes: Iterable[Outcome]) -> TaskStatus:
    """The one-doubt rule over one Task's outcomes, for the planner and for the grade."""
    scored = _scored_in_order(outcomes)
    bad = [outcome for outcome in scored if outcome.is_bad]
    if len(bad) > 1 or any(outcome.fails_at_once for outcome in bad):
        return TaskStatus(failed=True)
    if not bad:
        return TaskStatus()
    later = scored[scored.index(bad[0]) + 1 :]
    closed = any(outcome.kind == bad[0].kind and not outcome.is_bad for outcome in later)
    return TaskStatus() if closed else TaskStatus(doubt=bad[0].kind)


def _scored_in_order(outcomes: Iterable[Outcome]) -> tuple[Outcome, ...]:
    """Scored outcomes in the order of asking; of an element judged more than once the last verdict counts."""
    scored = [outcome for outcome in outcomes if outcome.verdict in SCORED_VERDICTS]
    last = {outcome.code: outcome for outcome in sorted(scored, key=lambda outcome: outcome.order)}
    return tuple(sorted(last.values(), key=lambda outcome: outcome.order))


def _worst_of(results: Iterable[TaskResult]) -> TaskResult:
    """The worst result; of nothing at all: incomplete."""
    found = set(results)
    return next((result for result in _WORST_FIRST if result in found), "incomplete")


def _study_first(scope: Scope, elements: Sequence[Outcome]) -> tuple[StudyItem, ...]:
    """A few elements to study: what failed, then what was thin, then what the scope left unasked."""
    reasons = get_args(StudyReason)
    found: list[tuple[int, int, int, StudyItem]] = []
    for outcome in elements:
        reason: StudyReason | None = "details left out" if outcome.omitted else None
        if outcome.fails_at_once:
            reason = "failed the Task"
        elif outcome.verdict == "unsatisfactory":
            reason = "not satisfactory"
        elif outcome.verdict == "partial":
            reason = "partly answered"
        if reason is not None:
            item = StudyItem(code=outcome.code, reason=reason)
            found.append((reasons.index(reason), -outcome.omitted, outcome.order, item))
    asked = {outcome.code for outcome in elements}
    items = [item for *_, item in sorted(found, key=lambda row: row[:3])]
    items += [
        StudyItem(code=item.code, reason="not asked")
        for item in (*scope.plan, *scope.reserve)
        if item.code not in asked
    ]
    return tuple(items[:STUDY_FIRST])
