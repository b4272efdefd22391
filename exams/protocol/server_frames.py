"""Values of the exam become server frames, and stored frames become values again.

Server frames are built here and nowhere else, so that what is described is what is sent. Frames that are
stored get their `seq` where they are stored. Pure: no connection, no database.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Final, Literal, get_args

from pydantic import Field, JsonValue, TypeAdapter

from exams.domain.grading import Grade, GradedArea, GradedTask, Outcome
from exams.domain.values import Form, Point, Verdict
from exams.domain.verdicts import Decision
from exams.protocol.frame_base import StrictFrame, TurnNumber

FrameBody = dict[str, Any]
"""A server frame as JSON data, ready to be stored or sent."""

JsonObject = dict[str, JsonValue]


class CitationPart(StrictFrame):
    """A passage a statement rests on. `url` opens it with the quote lit."""

    n: int
    document: str
    abbreviation: str
    doc_type: str
    section: str
    label: str
    edition: str
    page: int | None
    page_label: str
    anchor: str
    quote: str
    chunk_id: str
    relevance: float
    url: str


class SourcePart(StrictFrame):
    """Where a question can be looked up, and nothing of what stands there: the quote is the answer."""

    n: int
    label: str
    document: str


class FigurePart(StrictFrame):
    """A figure shown with a question, without its caption: that may be the answer."""

    image_id: str
    figure_label: str
    page: int | None = None
    url: str = ""


class PointPart(StrictFrame):
    """What the answer did with one expectation; `said` holds the student's words, `citations` its sources.

    An expectation that is a `should` may be missing from a satisfactory answer.
    """

    expectation: str
    importance: Literal["must", "should"]
    met: Literal["met", "half", "missing", "contradicted"]
    why: str
    said: str
    citations: list[int]


class BudgetPart(StrictFrame):
    """How many elements have their final verdict, and how many will when the oral ends by plan."""

    asked: int
    planned: int


class ElementPart(StrictFrame):
    """An element that was asked, with its final verdict."""

    element: str
    verdict: Verdict


class TaskPart(StrictFrame):
    """A Task's result; `why` says what it lacks or what failed it."""

    task: str
    result: Literal["satisfactory", "unsatisfactory", "incomplete"]
    why: str
    elements: list[ElementPart]


class AreaPart(StrictFrame):
    """An Area's result: the worst of its Tasks."""

    area: str
    result: Literal["satisfactory", "unsatisfactory", "incomplete"]
    tasks: list[TaskPart]


class NotAskablePart(StrictFrame):
    """Elements of a Task that the library cannot support, and the reference it lacks."""

    task: str
    reference: str
    elements: list[str]


class _ServerFrame(StrictFrame):
    stored: ClassVar[bool] = False

    def to_dict(self) -> FrameBody:
        return {key: value for key, value in self.model_dump(mode="json").items() if key != "seq" or value}

    def to_json(self) -> str:
        return encode(self.to_dict())


class _StoredFrame(_ServerFrame):
    stored: ClassVar[bool] = True

    seq: int | None = Field(default=None, description="rises by one an exam; given where the frame is stored")


class Question(_StoredFrame):
    """What the examiner asks. The text of its sources comes with `sources` or with the verdict."""

    type: Literal["question"] = "question"
    turn: TurnNumber
    element: str
    form: Form
    attempt: int
    kind: Literal["knowledge", "risk", "skill"]
    text: str
    givens: list[JsonValue]
    citations: list[SourcePart]
    images: list[FigurePart]
    transition: str
    budget: BudgetPart


class Sources(_StoredFrame):
    """The citations of a question, whole: sent once after `look_up`, which is recorded."""

    type: Literal["sources"] = "sources"
    turn: TurnNumber
    citations: list[CitationPart]


class Token(_ServerFrame):
    """A piece of text that has passed the checks; the deltas add up to the text of the frame that follows."""

    type: Literal["token"] = "token"
    turn: TurnNumber
    delta: str


class Taken(_ServerFrame):
    """An answer has arrived and is kept; its assessment follows."""

    type: Literal["taken"] = "taken"
    turn: TurnNumber
    answer_id: str


class Assessment(_StoredFrame):
    """The verdict on an answer. Only final verdicts count; points come with the final one.

    `answer` holds the words that were judged, so that a page that is opened again can show them.
    `near` are sentences of the library that come near to what was said; the verdict does not rest on them.
    `withheld` (manner checkride) says only that the answer was taken: then there is no verdict and no score.
    An ungraded answer has no score either: a failure is no zero.
    """

    type: Literal["assessment"] = "assessment"
    turn: TurnNumber
    element: str
    answer_id: str
    answer: str
    final: bool
    verdict: Verdict | None
    score: float | None
    feedback: str
    points: list[PointPart]
    citations: list[CitationPart]
    near: list[CitationPart] = Field(default_factory=list)
    degraded: str
    withheld: bool


class Progress(_StoredFrame):
    """How far the oral is."""

    type: Literal["progress"] = "progress"
    areas: list[JsonValue]
    mastery: JsonObject
    step: Literal["assessment", "drill_down", "bridging"]
    skipped: list[JsonValue]


class Finished(_StoredFrame):
    """The result, for the scope and nothing beyond it. `report` is the address of the debrief."""

    type: Literal["finished"] = "finished"
    result: Literal["pass", "fail", "incomplete"]
    scope: str
    areas: list[AreaPart]
    not_tested: list[str]
    not_askable: list[NotAskablePart]
    report: str


class Error(_ServerFrame):
    """Something was not done, and why. `about` is the type of the frame that this answers, where it answers one.

    What is `retryable` may be sent again as it was; an answer keeps its id.
    """

    type: Literal["error"] = "error"
    code: str
    message: str
    retryable: bool
    about: str = ""


class Pong(_ServerFrame):
    """The answer to a ping."""

    type: Literal["pong"] = "pong"


ServerFrame = Question | Sources | Token | Taken | Assessment | Progress | Finished | Error | Pong
SERVER_FRAMES: Final[Mapping[str, type[ServerFrame]]] = {
    frame.model_fields["type"].default: frame for frame in get_args(ServerFrame)
}
_server_frame: Final[TypeAdapter[ServerFrame]] = TypeAdapter(
    Annotated[ServerFrame, Field(discriminator="type")]
)


def encode(frame: Mapping[str, Any]) -> str:
    """A frame as it goes over the wire."""
    return json.dumps(frame, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def server_frame_from(data: Mapping[str, Any]) -> ServerFrame:
    """A stored frame as a value. Raises ValidationError if it is none that is listed here."""
    return _server_frame.validate_python(dict(data))


def question_frame(
    *,
    turn: int,
    element: str,
    form: Form,
    attempt: int,
    kind: str,
    text: str,
    budget: tuple[int, int],
    givens: Sequence[JsonValue] = (),
    citations: Iterable[Mapping[str, Any]] = (),
    images: Iterable[Mapping[str, Any]] = (),
    transition: str = "",
) -> FrameBody:
    """`budget` is (asked, planned); citations and images may be whole: only what gives no answer away is sent."""
    asked, planned = budget
    body: FrameBody = {
        "type": "question",
        "turn": turn,
        "element": element,
        "form": form,
        "attempt": attempt,
        "kind": kind,
        "text": text,
        "givens": list(givens),
        "citations": citations,
        "images": images,
        "transition": transition,
        "budget": {"asked": asked, "planned": planned},
    }
    return server_frame_from(without_answer(body)).to_dict()


def without_answer(frame: Mapping[str, Any]) -> FrameBody:
    """A question frame without the text of its sources. Frames stored by earlier versions hold it."""
    if frame["type"] != "question":
        return dict(frame)
    return {
        **frame,
        "citations": [_fields_of(SourcePart, citation) for citation in frame["citations"]],
        "images": [_fields_of(FigurePart, image) for image in frame["images"]],
    }


def _fields_of(part: type[StrictFrame], whole: Mapping[str, Any]) -> FrameBody:
    return {name: whole[name] for name in part.model_fields if name in whole}


def sources_frame(turn: int, citations: Iterable[Mapping[str, Any]]) -> FrameBody:
    body = {"type": "sources", "turn": turn, "citations": [dict(citation) for citation in citations]}
    return server_frame_from(body).to_dict()


def assessment_frame(
    *,
    turn: int,
    answer_id: str,
    decision: Decision,
    feedback: str,
    element: str = "",
    answer: str = "",
    citations: Iterable[Mapping[str, Any]] = (),
    near: Iterable[Mapping[str, Any]] = (),
    degraded: str = "",
    withheld: bool = False,
) -> FrameBody:
    """The frame of a decision. What would give the answer away stays back until the verdict is final."""
    shown = decision.final and not withheld
    body = {
        "type": "assessment",
        "turn": turn,
        "element": element,
        "answer_id": answer_id,
        "answer": answer,
        "final": decision.final,
        "verdict": None if withheld else decision.verdict,
        "score": None if withheld or decision.verdict == "ungraded" else decision.score,
        "feedback": feedback,
        "points": [_point(point) for point in decision.points] if shown else [],
        "citations": [dict(citation) for citation in citations] if shown else [],
        "near": [dict(citation) for citation in near] if shown else [],
        "degraded": degraded,
        "withheld": withheld,
    }
    return server_frame_from(body).to_dict()


def progress_frame(
    *,
    areas: Sequence[JsonValue],
    mastery: Mapping[str, JsonValue],
    step: Literal["assessment", "drill_down", "bridging"] = "assessment",
    skipped: Sequence[JsonValue] = (),
) -> FrameBody:
    return Progress(areas=list(areas), mastery=dict(mastery), step=step, skipped=list(skipped)).to_dict()


def finished_frame(grade: Grade, *, report: str) -> FrameBody:
    """The frame of a grade; `report` is the address of the debrief."""
    return Finished(
        result=grade.result,
        scope=grade.scope,
        areas=[_area(area) for area in grade.areas],
        not_tested=list(grade.not_tested),
        not_askable=[
            NotAskablePart(task=item.task, reference=item.reference, elements=list(item.elements))
            for item in grade.not_askable
        ],
        report=report,
    ).to_dict()


def token_frame(turn: int, delta: str) -> FrameBody:
    return Token(turn=turn, delta=delta).to_dict()


def taken_frame(turn: int, answer_id: str) -> FrameBody:
    return Taken(turn=turn, answer_id=answer_id).to_dict()


def error_frame(code: str, message: str, *, retryable: bool, about: str = "") -> FrameBody:
    return Error(code=code, message=message, retryable=retryable, about=about).to_dict()


def pong_frame() -> FrameBody:
    return Pong().to_dict()


def _point(point: Point) -> FrameBody:
    return {
        "expectation": point.expectation,
        "importance": point.importance,
        "met": point.met,
        "why": point.why,
        "said": point.said,
        "citations": list(point.citations),
    }


def _area(area: GradedArea) -> AreaPart:
    return AreaPart(area=area.area, result=area.result, tasks=[_task(task) for task in area.tasks])


def _task(task: GradedTask) -> TaskPart:
    elements = [_element(outcome) for outcome in task.elements]
    return TaskPart(task=task.task, result=task.result, why=task.why, elements=elements)


def _element(outcome: Outcome) -> ElementPart:
    return ElementPart(element=outcome.code, verdict=outcome.verdict)
