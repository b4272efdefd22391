"""Plans an oral: a state machine that decides what the examiner does next after each event.

Theory
======

An oral is a queue of elements, each with a ladder: an open question; what its item asks for `then`, if it was not said
already, counted as one of the probes; a neutral probe about a missing or wrong point, if the answer is not
satisfactory, or about something false in one that is; a second probe, if only points are open that nobody asked about;
a hint, if the student asks for one, in the manner `coach` only. The last verdict on the ladder is the element's final
verdict.

The state is what the oral waits for:

    ready        the oral is planned and has not begun
    qualifying   the student shows that the oral may begin; papers are asked about, and nothing is scored
    asking       an open question was asked; an answer is awaited
    probing      the probe was asked
    hinting      the hint was given; the next verdict is final
    moving_on    an element is done; never stored, because the planner leaves this state at once
    consenting   a Task has failed in the manner `checkride`: does the student want to go on?
    paused       nothing is awaited; `resume` returns to the same place
    finished     over: by plan, by the student, or because the student did not want to go on

`TABLE` below is the whole machine. For a state and an event, the first row whose condition holds applies. If no row
applies, the event is illegal: it raises `IllegalEvent` and changes nothing, because states are values. `CONDITIONS`
holds the conditions, `_EFFECTS` what a transition does to the queue. The diagram in docs/architecture/planner.md is
drawn from the table.

The table and the queue enforce these rules:

* **The budget is the number of scored elements.** An oral asks that many different elements, and a few more for doubts
  of its last questions, and then ends by itself. Every element has at most two probes; an oral has at most half as many
  hints as elements.
* **One doubt per Task** (`grading.task_status`): after the first element that is not satisfactory, one more of its
  kind from the same Task comes next, in a mock at its own moment; one that is a part of the same element first (K2a
  after K2c). A planned one is moved forward; otherwise one from the reserve replaces the last extra element. Once the
  extra elements are asked, up to two doubts go beyond the plan (`conf.DOUBTS_BEYOND`; one in an oral of six to eleven
  elements, none in a shorter one or a drill). If there is no room, the doubt stays open.
* **Drill-down.** After a missed element, the elements that it builds on come next, if they are owed anyway or clear the
  doubt: two steps deep, each once, and never as additional questions.
* **Bridging.** After a satisfactory answer comes an element that it leads to, if one is owed, in the same Task and
  between Tasks. It may replace an element of its Task and kind that was drawn by lot.
* **A mock follows its flight.** Its queue is in the order of the flight. An element that is moved forward comes next,
  or at its own moment if that is ahead. Bridging stays within a moment.
* **Decided Tasks end.** The rest of a failed Task is dropped, except elements that must be covered. If a satisfactory
  answer showed another element that is owed, that element counts as asked (credit by mention).
* **Failure is never a grade.** An ungraded answer earns nothing. The same question is asked again, a few times; then
  the oral pauses, and `resume` returns to the same question. An element is left out (`skip`) only if the library
  cannot support it; it is listed, and another of its kind replaces it.
* **The qualification scores nothing.** Right answers in it count for elements that are owed, as by mention; at least
  one element is always left to ask.
* **Nothing is asked twice.** An element leaves the queue or the reserve when it is asked.

The planner knows no texts, models, database, or clock. It receives verdicts and makes none.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, Self, get_args

from exams.conf import (
    DOUBT_EVERY,
    DOUBTS_BEYOND,
    DRILL_DOWN_DEPTH,
    HINTS_PER_QUESTION,
    PROBES_MOST,
    UNGRADED_TRIES,
)
from exams.domain.grading import Outcome, TaskStatus, task_status
from exams.domain.sampling import Planned, Role
from exams.domain.scenes.scene import STAGE_USUAL, STAGES
from exams.domain.scope import Scope
from exams.domain.values import Form, Manner, StoredValue, StoredValueError
from exams.domain.verdicts import Decision

State = Literal[
    "ready",
    "qualifying",
    "asking",
    "probing",
    "hinting",
    "moving_on",
    "consenting",
    "paused",
    "finished",
]
EventName = Literal[
    "begin",
    "qualified",
    "satisfactory",
    "partial",
    "unsatisfactory",
    "ungraded",
    "repeat_asked",
    "hint_asked",
    "skip",
    "pause",
    "resume",
    "consent_go_on",
    "consent_stop",
    "end",
    "next",
]
Condition = Literal[
    "",
    "papers are to be shown",
    "something was not asked about",
    "something false was said",
    "a hint is left",
    "it may be tried again",
    "a Task has just failed in checkride",
    "elements are left",
    "it was qualifying",
    "it was asking",
    "it was probing",
    "it was hinting",
    "it was consenting",
]
Effect = Literal[
    "",
    "credit",
    "ask",
    "follow up",
    "score",
    "try again",
    "leave out",
    "hold",
    "return",
    "by plan",
    "by student",
]
EndedBy = Literal["", "plan", "student", "no consent"]
ActionKind = Literal["ask", "repeat", "await_consent", "wait", "finish"]

STATES: Final[tuple[State, ...]] = get_args(State)
EVENTS: Final[tuple[EventName, ...]] = get_args(EventName)
VERSION: Final = 2
PAPERS: Final = "the papers"
"""What an element that the qualification credits is credited to, in place of an element's code."""


@dataclass(frozen=True, slots=True)
class Row:
    """In `state`, on `event`, if `condition` holds: do `effect` and be in `then`."""

    state: State
    event: EventName
    condition: Condition
    then: State
    effect: Effect


TABLE: Final[tuple[Row, ...]] = (
    Row("ready", "begin", "papers are to be shown", "qualifying", ""),
    Row("ready", "begin", "", "moving_on", ""),
    Row("ready", "end", "", "finished", "by student"),
    # Papers are being shown. `qualified` ends that, whatever came of it, also where the student skips it.
    Row("qualifying", "qualified", "", "moving_on", "credit"),
    Row("qualifying", "pause", "", "paused", "hold"),
    Row("qualifying", "end", "", "finished", "by student"),
    # An open question is out.
    Row("asking", "satisfactory", "something false was said", "probing", "follow up"),
    Row("asking", "satisfactory", "", "moving_on", "score"),
    Row("asking", "partial", "", "probing", "follow up"),
    Row("asking", "unsatisfactory", "", "probing", "follow up"),
    Row("asking", "repeat_asked", "", "asking", ""),
    Row("asking", "ungraded", "it may be tried again", "asking", "try again"),
    Row("asking", "ungraded", "", "paused", "hold"),
    Row("asking", "hint_asked", "a hint is left", "hinting", "follow up"),
    Row("asking", "skip", "", "moving_on", "leave out"),
    Row("asking", "pause", "", "paused", "hold"),
    Row("asking", "end", "", "finished", "by student"),
    # A probe is out: the verdict on this answer is final, unless something required was never asked about, or something
    # false was said.
    Row("probing", "satisfactory", "something false was said", "probing", "follow up"),
    Row("probing", "satisfactory", "", "moving_on", "score"),
    Row("probing", "partial", "something was not asked about", "probing", "follow up"),
    Row("probing", "partial", "", "moving_on", "score"),
    Row("probing", "unsatisfactory", "something was not asked about", "probing", "follow up"),
    Row("probing", "unsatisfactory", "", "moving_on", "score"),
    Row("probing", "repeat_asked", "", "probing", ""),
    Row("probing", "ungraded", "it may be tried again", "probing", "try again"),
    Row("probing", "ungraded", "", "paused", "hold"),
    Row("probing", "hint_asked", "a hint is left", "hinting", "follow up"),
    Row("probing", "skip", "", "moving_on", "leave out"),
    Row("probing", "pause", "", "paused", "hold"),
    Row("probing", "end", "", "finished", "by student"),
    # The hint is out: so is this one.
    Row("hinting", "satisfactory", "", "moving_on", "score"),
    Row("hinting", "partial", "", "moving_on", "score"),
    Row("hinting", "unsatisfactory", "", "moving_on", "score"),
    Row("hinting", "repeat_asked", "", "hinting", ""),
    Row("hinting", "ungraded", "it may be tried again", "hinting", "try again"),
    Row("hinting", "ungraded", "", "paused", "hold"),
    Row("hinting", "skip", "", "moving_on", "leave out"),
    Row("hinting", "pause", "", "paused", "hold"),
    Row("hinting", "end", "", "finished", "by student"),
    # An element is done; `next` is the planner's own event and never comes from outside.
    Row("moving_on", "next", "a Task has just failed in checkride", "consenting", ""),
    Row("moving_on", "next", "elements are left", "asking", "ask"),
    Row("moving_on", "next", "", "finished", "by plan"),
    # A Task has failed and there is more to ask: either side may stop, going on needs consent.
    Row("consenting", "consent_go_on", "", "asking", "ask"),
    Row("consenting", "consent_stop", "", "finished", "by student"),
    Row("consenting", "pause", "", "paused", "hold"),
    Row("consenting", "end", "", "finished", "by student"),
    # Paused: back to the same question.
    Row("paused", "resume", "it was qualifying", "qualifying", "return"),
    Row("paused", "resume", "it was asking", "asking", "return"),
    Row("paused", "resume", "it was probing", "probing", "return"),
    Row("paused", "resume", "it was hinting", "hinting", "return"),
    Row("paused", "resume", "it was consenting", "consenting", "return"),
    Row("paused", "end", "", "finished", "by student"),
)


class IllegalEvent(ValueError):
    """This event cannot happen in this state. Nothing has changed."""

    def __init__(self, state: State, event: str, why: str) -> None:
        super().__init__(f"“{event}” cannot happen while the oral is “{state}”: {why}")
        self.state = state
        self.event = event
        self.why = why


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened.

    A verdict also says whether it `fails` its Task at once, whether it is to be followed by a probe although one was
    asked or it is satisfactory (`left_open`), and which other elements the question was about (`mentioned`).
    """

    name: EventName
    fails: bool = False
    left_open: bool = False
    mentioned: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerState(StoredValue):
    """The planner's whole memory of one oral. `questions` is the budget of scored elements, and `beyond` how many more
    may be asked for doubts; with `papers` it opens with a qualification."""

    version: int = VERSION
    state: State = "ready"
    manner: Manner = "coach"
    papers: bool = False
    questions: int
    beyond: int = 0
    queue: tuple[Planned, ...]
    reserve: tuple[Planned, ...] = ()
    current: Planned | None = None
    attempt: int = 0
    tries: int = 0
    hinted: bool = False
    hints: int = 0
    outcomes: tuple[Outcome, ...] = ()
    left_out: tuple[Planned, ...] = ()
    held: State | None = None
    just_failed: str = ""
    ended_by: EndedBy = ""

    @property
    def asked(self) -> int:
        """Elements with a final verdict."""
        return len(self.outcomes)

    @property
    def planned(self) -> int:
        """Scored elements this oral will have had when it ends by its plan."""
        return self.asked + len(self.queue) + (self.current is not None)

    @property
    def hints_left(self) -> int:
        return int(self.questions * HINTS_PER_QUESTION) - self.hints

    @property
    def form(self) -> Form:
        """The form of the current question, also while paused."""
        match self.held if self.state == "paused" else self.state:
            case "qualifying":
                return "qualification"
            case "probing":
                return "probe"
            case "hinting":
                return "hint"
            case _:
                return "opening"

    @property
    def awaits_answer(self) -> bool:
        return self.state in ("qualifying", "asking", "probing", "hinting")

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        version = data.get("version")
        if version not in (1, VERSION):
            raise StoredValueError(f"PlannerState: version {version!r} was stored, {VERSION} can be read.")
        found = super(PlannerState, cls).from_dict({**data, "version": VERSION})
        if version == VERSION:
            return found
        # Version 1 has the number of the moment where a place on the flight is today.
        queue, reserve = (
            tuple(replace(item, moment=item.moment * STAGES + STAGE_USUAL) for item in items)
            for items in (found.queue, found.reserve)
        )
        return replace(found, queue=queue, reserve=reserve)


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """What the examiner does next: `ask` asks a new question of `form`, `repeat` the current one."""

    kind: ActionKind
    element: Planned | None = None
    form: Form = "opening"
    attempt: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    state: PlannerState
    action: Action


def start_oral(scope: Scope, manner: Manner = "coach", *, papers: bool = False) -> PlannerState:
    """The state of an oral that has its scope and has not begun."""
    questions = len(scope.plan)
    return PlannerState(
        manner=manner,
        papers=papers,
        questions=questions,
        beyond=0 if scope.drill else min(questions // DOUBT_EVERY, DOUBTS_BEYOND),
        queue=scope.plan,
        reserve=scope.reserve,
    )


def advance_oral(state: PlannerState, event: Event | EventName) -> Step:
    """The next state and what to do. Raises IllegalEvent, having changed nothing."""
    happened = event if isinstance(event, Event) else Event(name=event)
    if happened.name == "next":
        raise IllegalEvent(state.state, "next", "the planner moves on by itself")
    after = _take_row(state, happened)
    if after.state == "moving_on":
        after = _take_row(after, Event(name="next"))
    match after.state:
        case "finished":
            action = Action(kind="finish")
        case "consenting":
            action = Action(kind="await_consent")
        case "paused":
            action = Action(kind="wait")
        case _:
            tried_again = happened.name == "ungraded" and after.tries > 0
            same = happened.name in ("resume", "repeat_asked") or tried_again
            kind: ActionKind = "repeat" if same else "ask"
            action = Action(kind=kind, element=after.current, form=after.form, attempt=after.attempt)
    return Step(state=after, action=action)


def event_for(decision: Decision, mentioned: tuple[str, ...] = ()) -> Event:
    """The event for a decision on an answer to a question that was also about the elements `mentioned`."""
    if decision.next_step == "repeat":
        return Event(name="repeat_asked")
    return Event(
        name=decision.verdict,
        fails=decision.fails_task,
        left_open=decision.next_step == "probe",
        mentioned=mentioned,
    )


def steps_ahead(state: PlannerState, mentioned: tuple[str, ...] = ()) -> tuple[Step, ...]:
    """Where each verdict on the awaited answer would lead, the best verdict first; none if no verdict is awaited."""
    if not state.awaits_answer or state.current is None:
        return ()
    events: tuple[Event | EventName, ...] = (
        Event(name="satisfactory", mentioned=mentioned),
        "partial",
        "unsatisfactory",
        Event(name="unsatisfactory", fails=True),
    )
    return tuple(advance_oral(state, event) for event in events)


def may_probe(state: PlannerState) -> bool:
    """Whether an answer would be followed up; `verdicts.decide_verdict` needs to know."""
    return state.state == "asking" or (
        state.state == "probing" and not state.hinted and state.attempt - 1 < PROBES_MOST
    )


def status_of_task(state: PlannerState, task: str) -> TaskStatus:
    """The Task's status now by the one-doubt rule."""
    return task_status(outcome for outcome in state.outcomes if outcome.task == task)


def failed_tasks(state: PlannerState) -> list[str]:
    """The Tasks whose failure the student has been told; in a checkride the last one is told with the question
    whether to go on."""
    tasks = dict.fromkeys(outcome.task for outcome in state.outcomes)
    asked_now = state.just_failed if "consenting" in (state.state, state.held) else ""
    return [task for task in tasks if task != asked_now and status_of_task(state, task).failed]


def _take_row(state: PlannerState, event: Event) -> PlannerState:
    """The state after the first row of the table that applies. Raises IllegalEvent."""
    for row in TABLE:
        if (row.state, row.event) == (state.state, event.name) and CONDITIONS[row.condition](state, event):
            return replace(_EFFECTS[row.effect](state, event), state=row.then)
    legal = dict.fromkeys(row.event for row in TABLE if row.state == state.state)
    why = f"it waits for {' or '.join(legal)}" if legal else "it is over"
    if event.name == "hint_asked" and state.current is not None and state.state != "paused":
        why = "one hint an element" if state.hinted else "no further hints in this oral"
        if state.manner != "coach":
            why = "there are no hints in a checkride"
    raise IllegalEvent(state.state, event.name, why)


# --- conditions -----------------------------------------------------------------------------------------

CONDITIONS: Final[Mapping[Condition, Callable[[PlannerState, Event], bool]]] = {
    "": lambda state, event: True,
    "papers are to be shown": lambda state, event: state.papers,
    "something was not asked about": lambda state, event: event.left_open and may_probe(state),
    "something false was said": lambda state, event: event.left_open and may_probe(state),
    "a hint is left": lambda state, event: (
        state.manner == "coach" and not state.hinted and state.hints_left > 0
    ),
    "it may be tried again": lambda state, event: state.tries + 1 < UNGRADED_TRIES,
    "a Task has just failed in checkride": lambda state, event: (
        state.manner == "checkride" and bool(state.just_failed) and bool(state.queue)
    ),
    "elements are left": lambda state, event: bool(state.queue),
    "it was qualifying": lambda state, event: state.held == "qualifying",
    "it was asking": lambda state, event: state.held == "asking",
    "it was probing": lambda state, event: state.held == "probing",
    "it was hinting": lambda state, event: state.held == "hinting",
    "it was consenting": lambda state, event: state.held == "consenting",
}


# --- effects --------------------------------------------------------------------------------------------


def _score_element(state: PlannerState, event: Event) -> PlannerState:
    element = _current_element(state)
    if event.name not in ("satisfactory", "partial", "unsatisfactory"):
        raise ValueError(f"“{event.name}” is no verdict")
    outcome = Outcome(
        code=element.code,
        task=element.task,
        kind=element.kind,
        verdict=event.name,
        order=state.asked + 1,
        fatal=event.fails,
        because=element.because,
        because_of=element.because_of,
    )
    before = status_of_task(state, element.task)
    scored = replace(_clear_question(state), outcomes=(*state.outcomes, outcome))
    after = status_of_task(scored, element.task)
    if after.failed and not before.failed:
        return _drop_decided(replace(scored, just_failed=element.task), element.task)
    if outcome.is_bad:
        scored = _drill_down(scored, element)
        return _ask_in_doubt(scored, element, after) if after.doubt else scored
    scored = _credit_mentioned(scored, element.code, event.mentioned)
    after = status_of_task(scored, element.task)
    return _ask_in_doubt(scored, element, after) if after.doubt else _bridge(scored, element)


def _leave_out(state: PlannerState, event: Event) -> PlannerState:
    """Another element takes the place of the current one: next if of the same Task and kind, else last, as an extra."""
    element = _current_element(state)
    state = replace(_clear_question(state), left_out=(*state.left_out, element))
    alike = [item for item in state.reserve if (item.task, item.kind) == (element.task, element.kind)]
    if alike:
        instead = min(alike, key=lambda item: (item.moment < element.moment, item.unit != element.unit))
        return _move_forward(state, instead, role=element.role, because="instead", because_of=element.code)
    if not state.reserve:
        return state
    other = min(state.reserve, key=lambda item: item.task != element.task)
    reserve = tuple(item for item in state.reserve if item != other)
    extra = replace(other, role="extra", because="extra")
    last = max((at for at, item in enumerate(state.queue, 1) if item.moment <= extra.moment), default=0)
    return replace(state, queue=(*state.queue[:last], extra, *state.queue[last:]), reserve=reserve)


_EFFECTS: Final[Mapping[Effect, Callable[[PlannerState, Event], PlannerState]]] = {
    "": lambda state, event: state,
    "credit": lambda state, event: _credit_papers(state, event),
    "ask": lambda state, event: replace(
        _clear_question(state), current=state.queue[0], queue=state.queue[1:], attempt=1
    ),
    "follow up": lambda state, event: replace(
        state,
        hints=state.hints + (event.name == "hint_asked"),
        attempt=state.attempt + 1,
        tries=0,
        hinted=state.hinted or event.name == "hint_asked",
    ),
    "score": _score_element,
    "try again": lambda state, event: replace(state, tries=state.tries + 1),
    "leave out": _leave_out,
    "hold": lambda state, event: replace(state, held=state.state, tries=0),
    "return": lambda state, event: replace(state, held=None),
    "by plan": lambda state, event: replace(_clear_question(state), ended_by="plan"),
    "by student": lambda state, event: replace(
        _clear_question(state),
        held=None,
        ended_by="no consent" if event.name == "consent_stop" else "student",
    ),
}


def _clear_question(state: PlannerState) -> PlannerState:
    return replace(state, current=None, attempt=0, tries=0, hinted=False, just_failed="")


def _current_element(state: PlannerState) -> Planned:
    if state.current is None:
        raise IllegalEvent(state.state, "answer", "no question is out")
    return state.current


# --- the queue ------------------------------------------------------------------------------------------


def _drop_decided(state: PlannerState, task: str) -> PlannerState:
    """Without what is left of a Task that has failed, except what has to be covered."""
    return replace(
        state,
        queue=tuple(item for item in state.queue if item.task != task or item.fixed),
        reserve=tuple(item for item in state.reserve if item.task != task),
    )


def _credit_papers(state: PlannerState, event: Event) -> PlannerState:
    """The elements that the qualification showed to be known are not asked; something is left to ask."""
    credited = _credit_mentioned(state, PAPERS, event.mentioned)
    return credited if credited.queue else state


def _credit_mentioned(state: PlannerState, because_of: str, mentioned: tuple[str, ...]) -> PlannerState:
    """A satisfactory answer counts for the other elements that its question was about, if they are owed. Those of the
    reserve are drawn last: they may come with the same question."""
    reserve = sorted(state.reserve, key=lambda item: item.code in mentioned)
    state = replace(state, reserve=tuple(reserve))
    for item in state.queue:
        if item.code in mentioned:
            shown = Outcome(
                code=item.code,
                task=item.task,
                kind=item.kind,
                verdict="satisfactory",
                order=state.asked + 1,
                because=item.because,
                because_of=because_of,
                by_mention=True,
            )
            queue = tuple(other for other in state.queue if other != item)
            state = replace(state, queue=queue, outcomes=(*state.outcomes, shown))
    return state


def _is_one_of(item: Planned, codes: tuple[str, ...]) -> bool:
    return item.code in codes or item.unit in codes


def _drill_down(state: PlannerState, element: Planned) -> PlannerState:
    """The queue with what the missed element builds on at its head, if it is owed."""
    below = next((item for item in state.queue if _is_one_of(item, element.requires)), None)
    if below is None or element.depth >= DRILL_DOWN_DEPTH:
        return state
    depth = element.depth + 1
    return _move_forward(
        state, below, role=below.role, because="drill_down", because_of=element.code, depth=depth
    )


def _bridge(state: PlannerState, element: Planned) -> PlannerState:
    """The queue with an element where the talk leads at its head.

    While the Task has elements to ask, it stays there; one that was drawn by lot may give way to one of its kind. Else
    the Task of an element where it leads comes next, as a whole.
    """
    now = [item for item in state.queue if item.moment == state.queue[0].moment]
    staying = [item for item in now if item.task == element.task]
    near = [item for item in staying or now if _is_one_of(item, element.leads_to)]
    if near:
        first, *_ = near
        rest = [item for item in state.queue if item != first]
        queue = (first, *sorted(rest, key=lambda item: (item.moment, item.task != first.task)))
        state = replace(state, queue=queue)
        return _move_forward(state, first, role=first.role, because="bridging", because_of=element.code)
    spare = (item for item in state.reserve if item.task == element.task and not item.fixed)
    for other in (item for item in spare if _is_one_of(item, element.leads_to)):
        alike = [item for item in staying if (item.kind, item.moment) == (other.kind, other.moment)]
        drawn = next((item for item in alike if not item.fixed), None)
        if drawn is not None:
            queue = tuple(item for item in state.queue if item != drawn)
            state = replace(state, queue=queue, reserve=(*state.reserve, drawn))
            return _move_forward(state, other, role=drawn.role, because="bridging", because_of=element.code)
    return state


def _ask_in_doubt(state: PlannerState, element: Planned, status: TaskStatus) -> PlannerState:
    """The queue with one more element of the doubted kind at its head, if there is one and room for it.

    What the missed element builds on is preferred, then what is part of the same element of the standard. There is room
    within the budget, instead of the last extra element, or, once those are asked, for a few elements beyond the plan.
    """

    def clears_doubt(item: Planned) -> bool:
        return item.task == element.task and item.kind == status.doubt

    def is_far(item: Planned) -> tuple[bool, bool]:
        return not _is_one_of(item, builds_on), item.unit != element.unit

    def suits(item: Planned) -> tuple[bool, bool, bool]:
        builds, other = is_far(item)
        return builds, item.moment < element.moment, other

    kept = [item for item in state.queue if clears_doubt(item) and item.because in ("doubt", "drill_down")]
    if kept:  # it waits for its moment
        return state
    missed = any(one.is_bad for one in state.outcomes if one.code == element.code)
    builds_on = element.requires if missed and element.depth < DRILL_DOWN_DEPTH else ()
    planned, spare = (
        min(filter(clears_doubt, items), key=suits, default=None) for items in (state.queue, state.reserve)
    )
    chosen = planned or spare
    if chosen is None:
        return state
    role: Role = planned.role if planned else "needed"
    nearer = spare is not None and is_far(spare) < is_far(chosen)
    if spare is not None and planned is not None and nearer and not planned.fixed:
        queue = tuple(item for item in state.queue if item != planned)
        state, chosen = replace(state, queue=queue, reserve=(*state.reserve, planned)), spare
    elif planned is None and state.planned >= state.questions:
        extras = [item for item in state.queue if item.role == "extra"]
        if extras:
            queue = tuple(item for item in state.queue if item != extras[-1])
            state = replace(state, queue=queue, reserve=(*state.reserve, extras[-1]))
        elif state.planned >= state.questions + state.beyond:
            return state
    if _is_one_of(chosen, builds_on):
        depth = element.depth + 1
        return _move_forward(
            state, chosen, role=role, because="drill_down", because_of=element.code, depth=depth
        )
    doubted = [
        one.code
        for one in state.outcomes
        if one.is_bad and (one.task, one.kind) == (element.task, status.doubt)
    ]
    return _move_forward(state, chosen, role=role, because="doubt", because_of=doubted[-1], depth=0)


def _move_forward(state: PlannerState, item: Planned, *, role: Role, **changes: Any) -> PlannerState:
    """The queue with the element next, or first at its moment of the flight if that is ahead."""
    queue, reserve = (
        tuple(other for other in items if other.code != item.code) for items in (state.queue, state.reserve)
    )
    before = tuple(other for other in queue if other.moment < item.moment)
    after = tuple(other for other in queue if other.moment >= item.moment)
    moved = replace(item, role=role, **changes)
    return replace(state, queue=(*before, moved, *after), reserve=reserve)
