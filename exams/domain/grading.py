"""Final verdicts on elements become the result: element, Task, Area, test.

The rules, all of them; they are the standard's own but for the one-doubt rule, which is ours:

* A Task is **satisfactory** when its least is met and no doubt is open. Its least: every element that had
  to be covered, and one satisfactory element of each kind it samples.
* The first element of a Task that is not satisfactory is a **doubt**. One more element of that kind, asked
  after it, closes the doubt if it is satisfactory: a weak spot. A second element that is not satisfactory
  fails the Task. A wrong P0 fact that survives the probe, or an unsafe decision held to, fails it at once.
* A Task with an open doubt, or short of its least, is **incomplete**: never a pass.
* An Area is the worst of its Tasks, the test the worst of its Areas: fail, else incomplete, else pass, for
  the scope that was chosen. No score plays a part, and no percentage is shown.

Pure: outcomes may arrive in any order, they carry their own.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from exams.conf import STUDY_FIRST
from exams.domain.sampling import TaskScope, Unit
from exams.domain.scope import NotAskable, Scope
from exams.domain.serialization import from_stored, to_stored
from exams.domain.values import SCORED_VERDICTS, ElementKind, Verdict

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
_IN_WORDS: Mapping[TestResult, str] = {
    "pass": "satisfactory",
    "fail": "not satisfactory",
    "incomplete": "not completed",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The final verdict on one element. `order` says when it was asked, `fatal` that it fails its Task at
    once, `omitted` how many expectations were left out that are not required."""

    code: str
    task: str
    kind: ElementKind
    verdict: Verdict
    order: int
    fatal: bool = False
    omitted: int = 0

    @property
    def scored(self) -> bool:
        return self.verdict in SCORED_VERDICTS

    @property
    def fails_at_once(self) -> bool:
        return self.fatal and self.verdict == "unsatisfactory"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a Task stands by the one-doubt rule. `doubt` is the kind that one more element must clear."""

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
class Grade:
    """The result of one oral, for its scope and nothing beyond it."""

    result: TestResult
    scope: str
    areas: tuple[GradedArea, ...]
    not_tested: tuple[str, ...]
    not_askable: tuple[NotAskable, ...]
    weak: tuple[str, ...]
    study: tuple[StudyItem, ...]

    def to_dict(self) -> dict[str, Any]:
        return to_stored(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Grade":
        return from_stored(cls, data)


def grade(scope: Scope, outcomes: Iterable[Outcome]) -> Grade:
    """The grade of an oral from its final verdicts; ungraded ones and other Tasks' earn nothing."""
    by_task = _by_task(scope, outcomes)
    tasks = [grade_task(task, by_task[task.task]) for task in scope.tasks]
    areas = _areas(tasks)
    result = _TEST_RESULT[_worst(area.result for area in areas)]
    asked = [task.task for task in tasks if task.elements]
    return Grade(
        result=result,
        scope=scope_sentence(scope, result, asked, sum(len(task.elements) for task in tasks)),
        areas=areas,
        not_tested=tuple(task for task in scope.all_tasks if task not in asked),
        not_askable=scope.not_askable,
        weak=tuple(outcome.code for task in tasks for outcome in task.elements if _is_bad(outcome)),
        study=_study_first(scope, tasks),
    )


def grade_task(task: TaskScope, outcomes: Sequence[Outcome]) -> GradedTask:
    """One Task's result from the outcomes of its elements."""
    scored = scored_in_order(outcomes)
    result, why = _task_result(task, scored)
    return GradedTask(task=task.task, area=task.area, result=result, elements=scored, why=why)


def standing_of(outcomes: Iterable[Outcome]) -> Standing:
    """The one-doubt rule over one Task's outcomes; planner and grade both ask here."""
    scored = scored_in_order(outcomes)
    bad = [outcome for outcome in scored if _is_bad(outcome)]
    if len(bad) > 1 or any(outcome.fails_at_once for outcome in bad):
        return Standing(failed=True)
    if not bad or _closed(bad[0], scored):
        return Standing()
    return Standing(doubt=bad[0].kind)


def scored_in_order(outcomes: Iterable[Outcome]) -> tuple[Outcome, ...]:
    """Scored outcomes as they were asked; of an element judged more than once the last word counts."""
    ordered = sorted((outcome for outcome in outcomes if outcome.scored), key=lambda outcome: outcome.order)
    last = {outcome.code: outcome for outcome in ordered}
    return tuple(sorted(last.values(), key=lambda outcome: outcome.order))


def scope_sentence(scope: Scope, result: TestResult, asked: Sequence[str], elements: int) -> str:
    """One sentence that names the scope: "2 of 28 Tasks asked: satisfactory; 26 not tested"."""
    left = len(scope.all_tasks) - len(asked)
    whole = not left and not scope.drill
    tasks = f"{len(asked)} of {len(scope.all_tasks)} Tasks"
    if whole:
        tasks = f"All {len(asked)} Tasks of the ground portion"
    subject = f"{elements} chosen elements from {tasks}" if scope.drill else tasks
    rest = f"; {left} not tested" if left else ""
    return f"{subject} asked: {_IN_WORDS[result]}{rest}"


def _by_task(scope: Scope, outcomes: Iterable[Outcome]) -> Mapping[str, list[Outcome]]:
    by_task: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_task[outcome.task].append(outcome)
    return by_task


def _task_result(task: TaskScope, scored: Sequence[Outcome]) -> tuple[TaskResult, str]:
    standing = standing_of(scored)
    if standing.failed:
        return "unsatisfactory", _why_failed(scored)
    if standing.doubt is not None:
        return "incomplete", f"a {standing.doubt} element is in doubt and none was asked after it"
    short = _short_of(task, scored)
    return ("incomplete", short) if short else ("satisfactory", "")


def _why_failed(scored: Sequence[Outcome]) -> str:
    fatal = next((outcome.code for outcome in scored if outcome.fails_at_once), "")
    return f"{fatal} fails it by itself" if fatal else "a second element was not satisfactory"


def _short_of(task: TaskScope, scored: Sequence[Outcome]) -> str:
    """What the least still lacks, in words; empty when it is met."""
    asked = {outcome.code for outcome in scored}
    uncovered = [unit.code for unit in task.named if not _covered(unit, asked)]
    if uncovered:
        return f"not asked: {', '.join(uncovered)}"
    good = {outcome.code for outcome in scored if not _is_bad(outcome)}
    lacking = [kind for kind in task.kinds if not _has_kind(task, kind, good)]
    return f"no satisfactory {' and no satisfactory '.join(lacking)} element" if lacking else ""


def _has_kind(task: TaskScope, kind: ElementKind, good: set[str]) -> bool:
    return any(_covered(unit, good) for unit in task.units if unit.kind == kind)


def _covered(unit: Unit, codes: set[str]) -> bool:
    return sum(leaf in codes for leaf in unit.leaves) >= unit.count


def _closed(bad: Outcome, scored: Sequence[Outcome]) -> bool:
    """Whether another element of the same kind, asked after the doubt, was satisfactory."""
    later = [outcome for outcome in scored if outcome.order > bad.order and outcome.kind == bad.kind]
    return any(not _is_bad(outcome) for outcome in later)


def _is_bad(outcome: Outcome) -> bool:
    return outcome.verdict in ("partial", "unsatisfactory")


def _areas(tasks: Sequence[GradedTask]) -> tuple[GradedArea, ...]:
    by_area: dict[str, list[GradedTask]] = defaultdict(list)
    for task in tasks:
        by_area[task.area].append(task)
    return tuple(
        GradedArea(area=area, result=_worst(task.result for task in of_area), tasks=tuple(of_area))
        for area, of_area in by_area.items()
    )


def _worst(results: Iterable[TaskResult]) -> TaskResult:
    """The worst of them; of nothing at all: incomplete."""
    found = set(results)
    return next((result for result in _WORST_FIRST if result in found), "incomplete")


# --- what to study first --------------------------------------------------------------------------------


def _study_first(scope: Scope, tasks: Sequence[GradedTask]) -> tuple[StudyItem, ...]:
    """Up to three elements: what failed, then what was thin, then what the scope left unasked."""
    outcomes = [outcome for task in tasks for outcome in task.elements]
    shown = [(reason, outcome) for outcome in outcomes if (reason := _reason(outcome)) is not None]
    shown.sort(key=lambda pair: (_REASONS.index(pair[0]), -pair[1].omitted, pair[1].order))
    items = [StudyItem(code=outcome.code, reason=reason) for reason, outcome in shown]
    asked = {outcome.code for outcome in outcomes}
    unasked = [item.code for item in (*scope.plan, *scope.reserve) if item.code not in asked]
    items += [StudyItem(code=code, reason="not asked") for code in unasked]
    return tuple(items[:STUDY_FIRST])


_REASONS: tuple[StudyReason, ...] = (
    "failed the Task",
    "not satisfactory",
    "partly answered",
    "details left out",
    "not asked",
)


def _reason(outcome: Outcome) -> StudyReason | None:
    if outcome.fails_at_once:
        return "failed the Task"
    if outcome.verdict == "unsatisfactory":
        return "not satisfactory"
    if outcome.verdict == "partial":
        return "partly answered"
    return "details left out" if outcome.omitted else None
