"""Whatever happens in whatever order, and wherever elements lead: what every oral keeps to."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

import pytest

from exams.conf import DOUBT_EVERY, DOUBTS_BEYOND, DRILL_DOWN_DEPTH
from exams.domain.exam_request import ExamOrder
from exams.domain.grading import Outcome, grade_oral, task_status
from exams.domain.planner import Event, EventName, IllegalEvent, PlannerState, advance_oral, start_oral
from exams.domain.sampling import ElementFact
from exams.domain.scenes.scene import AFTER_THE_FLIGHT, Scheduled
from exams.domain.scope import Scope, along_the_flight, scope_for
from exams.domain.values import Manner
from tests.doubles.orals import facts_for, stored
from tests.sampling import WHOLE

TASKS = ("PA.I.A", "PA.I.B", "PA.I.E", "PA.II.A", "PA.III.A")
FACTS = facts_for(*TASKS, elements=("K1", "K2", "K3", "R1", "R2"))
CODES = [fact.code for fact in FACTS]
ORALS = 50_000 if WHOLE else 150
"""Of each kind of student; each oral has its own graph."""
ANSWERS: list[EventName] = [
    "satisfactory",
    "partial",
    "unsatisfactory",
    "ungraded",
    "skip",
    "hint_asked",
    "pause",
]


def some_codes(chance: Random) -> tuple[str, ...]:
    return tuple(chance.sample(CODES, chance.randint(0, 3)))


def graph(chance: Random) -> tuple[ElementFact, ...]:
    """The elements with random prerequisites and continuations, in circles, too."""
    return tuple(replace(fact, requires=some_codes(chance), leads_to=some_codes(chance)) for fact in FACTS)


def oral(chance: Random, answers: Sequence[EventName]) -> tuple[Scope, PlannerState]:
    """A whole oral with random events; every tenth is stored and read again after each."""
    order = ExamOrder(questions=chance.randint(1, 12), codes=list(some_codes(chance)))
    scope = scope_for(graph(chance), order, seed=str(chance.random()))
    if chance.random() < 0.5:  # a mock
        known = chance.sample(CODES, chance.randint(0, len(CODES)))
        scope = along_the_flight(
            scope, {code: Scheduled(place=chance.randrange(AFTER_THE_FLIGHT)) for code in known}
        )
    manner: Manner = chance.choice(["coach", "checkride"])
    step = advance_oral(start_oral(scope, manner, papers=chance.random() < 0.3), "begin")
    keeps = chance.random() < 0.1
    while step.action.kind != "finish":
        step = advance_oral(step.state, _event(chance, step.state, answers))
        step = stored(step) if keeps else step
    return scope, step.state


def _event(chance: Random, state: PlannerState, answers: Sequence[EventName]) -> Event | EventName:
    if state.state == "paused":
        return "resume"
    if state.state == "consenting":
        return "consent_go_on"
    if state.state == "qualifying":
        return Event(name="qualified", mentioned=some_codes(chance))
    name = chance.choice([name for name in answers if _is_legal(state, name)])
    return Event(name=name, mentioned=some_codes(chance)) if name == "satisfactory" else name


def _is_legal(state: PlannerState, event: EventName) -> bool:
    try:
        advance_oral(state, event)
    except IllegalEvent:
        return False
    return True


def violations(scope: Scope, state: PlannerState) -> Iterator[str]:
    """What the oral did that none may do."""
    outcomes, by_code = state.outcomes, {outcome.code: outcome for outcome in state.outcomes}
    codes = [*(outcome.code for outcome in outcomes), *(item.code for item in state.left_out)]
    known = {item.code: item for item in (*scope.plan, *scope.reserve)}
    failed_at = {task: _failed_at(outcomes, task) for task in scope.task_codes}
    most = scope.questions + (0 if scope.drill else min(scope.questions // DOUBT_EVERY, DOUBTS_BEYOND))
    if state.ended_by != "plan" or state.asked > most or state.hints > scope.questions // 2:
        yield "it went beyond its plan"
    if len(codes) != len(set(codes)) or not set(codes) <= known.keys():
        yield "something was asked twice, or from outside the scope"
    if not any(failed_at.values()) and state.asked < scope.questions - len(state.left_out):
        yield "a question of the budget was not asked"
    for task, at in failed_at.items():
        later = {one.code for one in outcomes[at:] if one.task == task} if at else set()
        if not later <= {code for code, item in known.items() if item.fixed}:
            yield f"{task} was asked on after it had failed"
    moments = [known[outcome.code].moment for outcome in outcomes if not outcome.by_mention]
    if not any(outcome.is_bad for outcome in outcomes) and not state.left_out and moments != sorted(moments):
        yield "the flight went back in time without a doubt"
    for outcome in outcomes:
        if outcome.because == "doubt" and not outcome.by_mention and not by_code[outcome.because_of].is_bad:
            yield f"{outcome.code} was asked in doubt of what was right"
    for outcome in outcomes:
        depth, at_outcome = 0, outcome
        while at_outcome.because == "drill_down" and not at_outcome.by_mention:
            depth, at_outcome = depth + 1, by_code[at_outcome.because_of]
            if not at_outcome.is_bad:
                yield f"{outcome.code} was drilled down from what was right"
        if depth > DRILL_DOWN_DEPTH:
            yield f"{outcome.code} is {depth} steps deep"


def _failed_at(outcomes: Sequence[Outcome], task: str) -> int:
    """After how many outcomes the Task had failed; 0 if it has not."""
    of_task = (
        at
        for at in range(1, len(outcomes) + 1)
        if task_status(one for one in outcomes[:at] if one.task == task).failed
    )
    return next(of_task, 0)


@pytest.mark.parametrize("answers", [ANSWERS, ["satisfactory", "pause"]], ids=["any", "good"])
def test_what_every_oral_keeps_to(answers: list[EventName]) -> None:
    chance, found = Random(22), list[str]()
    steps = 0
    for _ in range(ORALS):
        scope, state = oral(chance, answers)
        found += violations(scope, state)
        steps += any(one.because in ("bridging", "drill_down") for one in state.outcomes)
        if answers != ANSWERS and grade_oral(scope, state.outcomes).result != "pass":
            found.append("a good student did not pass")
    assert not found, found[:5]
    assert steps > ORALS / 4
