"""Text from a websocket becomes a checked client frame; values of the exam become server frames.

A client says what its user did and nothing else: every frame is strict, a field too many is refused. Server
frames are built here and nowhere else, so that what `describe` lists is what is sent. Frames that are stored
get their `seq` where they are stored. Pure: no connection, no database; who may send what is decided
elsewhere.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Final, Literal, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    TypeAdapter,
    ValidationError,
)

from exams.conf import (
    ANSWER_CHARACTERS_MOST,
    CLIENT_ID_CHARACTERS_MOST,
    FRAME_BYTES_MOST,
    NOTE_CHARACTERS_MOST,
    TURN_NUMBER_MOST,
)
from exams.grading import Grade, GradedArea, GradedTask, Outcome
from exams.values import Form, Point, Verdict
from exams.verdicts import Decision
from exams.wire_text import clean_text

FrameBody = dict[str, Any]
"""A server frame as JSON data, ready to be stored or sent."""


class FrameError(ValueError):
    """A client frame that is not taken. The message is for the person who sent it and says what to do."""

    def __init__(self, code: str, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retryable = retryable


def _not_empty(text: str) -> str:
    if not text:
        raise ValueError("empty")
    return text


def _clean(value: object) -> object:
    return clean_text(value) if isinstance(value, str) else value


CleanText = Annotated[str, BeforeValidator(_clean)]
ClientId = Annotated[
    str, Field(min_length=1, max_length=CLIENT_ID_CHARACTERS_MOST, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.:-]*$")
]
AnswerText = Annotated[CleanText, Field(max_length=ANSWER_CHARACTERS_MOST), AfterValidator(_not_empty)]
Note = Annotated[CleanText, Field(max_length=NOTE_CHARACTERS_MOST)]
TurnNumber = Annotated[int, Field(ge=1, le=TURN_NUMBER_MOST)]
SeqNumber = Annotated[int, Field(ge=0, le=TURN_NUMBER_MOST)]
JsonObject = dict[str, JsonValue]


class _Frame(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


# --- from the client ------------------------------------------------------------------------------------


class Answer(_Frame):
    """An answer to the question that is out. The same `id` again gets the first result again."""

    type: Literal["answer"] = "answer"
    id: ClientId
    text: AnswerText


class Resume(_Frame):
    """Send again what came after `last_seq`."""

    type: Literal["resume"] = "resume"
    last_seq: SeqNumber


class Hint(_Frame):
    """Ask for a hint: manner coach only, one an element."""

    type: Literal["hint"] = "hint"


class LookUp(_Frame):
    """The sources of a turn were opened before its verdict."""

    type: Literal["look_up"] = "look_up"
    turn: TurnNumber


class Dispute(_Frame):
    """“I disagree” with the verdict on a turn; goes to a reviewer."""

    type: Literal["dispute"] = "dispute"
    turn: TurnNumber
    note: Note = ""


class Rate(_Frame):
    """Whether a turn was fair."""

    type: Literal["rate"] = "rate"
    turn: TurnNumber
    fair: bool
    note: Note = ""


class Continue(_Frame):
    """The answer to whether to go on after a failed Task."""

    type: Literal["continue"] = "continue"
    go_on: bool


class Pause(_Frame):
    """Pause the oral."""

    type: Literal["pause"] = "pause"


class End(_Frame):
    """End the oral now."""

    type: Literal["end"] = "end"


class Ping(_Frame):
    """Ask for a pong."""

    type: Literal["ping"] = "ping"


ClientFrame = Answer | Resume | Hint | LookUp | Dispute | Rate | Continue | Pause | End | Ping
CLIENT_FRAMES: Final[Mapping[str, type[ClientFrame]]] = {
    frame.model_fields["type"].default: frame for frame in get_args(ClientFrame)
}


def parse_client_frame(raw: str | bytes) -> ClientFrame:
    """The frame that a client sent. Raises FrameError with a code, a message and whether to try again."""
    data = _json_object(raw)
    kind = data.get("type")
    if not isinstance(kind, str) or kind not in CLIENT_FRAMES:
        raise FrameError("unknown_type", f"“type” is one of: {', '.join(CLIENT_FRAMES)}.")
    try:
        return CLIENT_FRAMES[kind].model_validate(data)
    except ValidationError as error:
        raise _frame_error(kind, error, data) from None


def _json_object(raw: str | bytes) -> dict[str, Any]:
    if len(raw) > FRAME_BYTES_MOST:
        raise FrameError("too_long", f"A frame holds at most {FRAME_BYTES_MOST:,} bytes. {_SHORTEN}")
    try:
        data = json.loads(raw, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise FrameError("not_json", "A frame is one JSON object in UTF-8; this could not be read.") from None
    if not isinstance(data, dict):
        raise FrameError("not_json", 'A frame is one JSON object such as {"type": "ping"}.')
    return data


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


_SHORTEN: Final = "Nothing was taken; your text is kept where you wrote it. Shorten it and send it again."


def _frame_error(kind: str, error: ValidationError, data: Mapping[str, Any]) -> FrameError:
    problem = error.errors(include_url=False, include_input=False)[0]
    field = clean_text(str(problem["loc"][0]))[:40] if problem["loc"] else "frame"
    match problem["type"]:
        case "extra_forbidden":
            known = ", ".join(CLIENT_FRAMES[kind].model_fields)
            return FrameError("extra_field", f"“{field}” does not belong to “{kind}”, which has: {known}.")
        case "missing":
            return FrameError("missing_field", f"“{kind}” needs “{field}”.")
        case "string_too_long":
            return _too_long(field, problem["ctx"]["max_length"], data)
        case "value_error":
            return FrameError("empty", "There is no text in this answer. “I don't know” is fine, too.")
        case _:
            return FrameError("bad_field", f"“{field}” of “{kind}”: {problem['msg']}.")


def _too_long(field: str, most: int, data: Mapping[str, Any]) -> FrameError:
    length = len(str(data.get(field, "")))
    return FrameError(
        "too_long", f"“{field}” holds at most {most:,} characters, this is {length:,}. {_SHORTEN}"
    )


# --- from the server ------------------------------------------------------------------------------------


class CitationPart(_Frame):
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


class PointPart(_Frame):
    """What the answer did with one expectation; `said` holds the student's words, `citations` its sources."""

    expectation: str
    met: Literal["met", "half", "missing", "contradicted"]
    why: str
    said: str
    citations: list[int]


class BudgetPart(_Frame):
    """How many elements have their final verdict, and how many will when the oral ends by plan."""

    asked: int
    planned: int


class ElementPart(_Frame):
    """An element that was asked, with its final verdict."""

    element: str
    verdict: Verdict


class TaskPart(_Frame):
    """A Task's result; `why` says what it lacks or what failed it."""

    task: str
    result: Literal["satisfactory", "unsatisfactory", "incomplete"]
    why: str
    elements: list[ElementPart]


class AreaPart(_Frame):
    """An Area's result: the worst of its Tasks."""

    area: str
    result: Literal["satisfactory", "unsatisfactory", "incomplete"]
    tasks: list[TaskPart]


class NotAskablePart(_Frame):
    """Elements of a Task that the library cannot support, and the reference it lacks."""

    task: str
    reference: str
    elements: list[str]


class _ServerFrame(_Frame):
    stored: ClassVar[bool] = False

    def to_dict(self) -> FrameBody:
        return {key: value for key, value in self.model_dump(mode="json").items() if key != "seq" or value}

    def to_json(self) -> str:
        return encode(self.to_dict())


class _StoredFrame(_ServerFrame):
    stored: ClassVar[bool] = True

    seq: int | None = Field(default=None, description="rises by one an exam; given where the frame is stored")


class Question(_StoredFrame):
    """What the examiner asks. The page keeps citations folded until the verdict is final."""

    type: Literal["question"] = "question"
    turn: TurnNumber
    element: str
    form: Form
    attempt: int
    kind: Literal["knowledge", "risk", "skill"]
    text: str
    givens: list[JsonValue]
    citations: list[CitationPart]
    images: list[JsonObject]
    transition: str
    budget: BudgetPart


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

    `withheld` (manner checkride) says only that the answer was taken: then there is no verdict and no score.
    """

    type: Literal["assessment"] = "assessment"
    turn: TurnNumber
    answer_id: str
    final: bool
    verdict: Verdict | None
    score: float | None
    feedback: str
    points: list[PointPart]
    citations: list[CitationPart]
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
    """Something was not done, and why."""

    type: Literal["error"] = "error"
    code: str
    message: str
    retryable: bool


class Pong(_ServerFrame):
    """The answer to a ping."""

    type: Literal["pong"] = "pong"


ServerFrame = Question | Token | Taken | Assessment | Progress | Finished | Error | Pong
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
    """`budget` is (asked, planned); citations are those of the contract, as dicts."""
    asked, planned = budget
    body = {
        "type": "question",
        "turn": turn,
        "element": element,
        "form": form,
        "attempt": attempt,
        "kind": kind,
        "text": text,
        "givens": list(givens),
        "citations": [dict(citation) for citation in citations],
        "images": [dict(image) for image in images],
        "transition": transition,
        "budget": {"asked": asked, "planned": planned},
    }
    return server_frame_from(body).to_dict()


def assessment_frame(
    *,
    turn: int,
    answer_id: str,
    decision: Decision,
    feedback: str,
    citations: Iterable[Mapping[str, Any]] = (),
    degraded: str = "",
    withheld: bool = False,
) -> FrameBody:
    """The frame of a decision. What would give the answer away stays back until the verdict is final."""
    shown = decision.final and not withheld
    body = {
        "type": "assessment",
        "turn": turn,
        "answer_id": answer_id,
        "final": decision.final,
        "verdict": None if withheld else decision.verdict,
        "score": None if withheld else decision.score,
        "feedback": feedback,
        "points": [_point(point) for point in decision.points] if shown else [],
        "citations": [dict(citation) for citation in citations] if shown else [],
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


def error_frame(code: str, message: str, *, retryable: bool) -> FrameBody:
    return Error(code=code, message=message, retryable=retryable).to_dict()


def pong_frame() -> FrameBody:
    return Pong().to_dict()


def _point(point: Point) -> FrameBody:
    return {
        "expectation": point.expectation,
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


# --- the description ------------------------------------------------------------------------------------

_PARTS: Final[Sequence[type[BaseModel]]] = (
    CitationPart,
    PointPart,
    BudgetPart,
    AreaPart,
    TaskPart,
    ElementPart,
    NotAskablePart,
)


def describe() -> list[FrameBody]:
    """Every frame and part with its fields, for the page of the API's schema."""
    frames = [_description(frame, "client") for frame in CLIENT_FRAMES.values()]
    frames += [_description(frame, "server") for frame in SERVER_FRAMES.values()]
    return frames + [_description(part, "part") for part in _PARTS]


def _description(model: type[BaseModel], source: Literal["client", "server", "part"]) -> FrameBody:
    schema = model.model_json_schema(ref_template="{model}")
    name = (
        model.model_fields["type"].default
        if source != "part"
        else model.__name__.removesuffix("Part").lower()
    )
    required = set(schema.get("required", ())) | {"type"}
    return {
        "from": source,
        "frame": name,
        "about": " ".join((model.__doc__ or "").split()),
        "stored": getattr(model, "stored", False),
        "fields": [
            {"name": field, "type": _type_text(shape), "required": field in required}
            for field, shape in schema["properties"].items()
        ],
    }


def _type_text(shape: Mapping[str, Any]) -> str:
    """A JSON schema as a word or two: "string", "list of citation", "integer or null"."""
    if "const" in shape:
        return f"“{shape['const']}”"
    if "enum" in shape:
        return " | ".join(shape["enum"])
    if "anyOf" in shape:
        return " or ".join(_type_text(option) for option in shape["anyOf"])
    if "$ref" in shape:
        return str(shape["$ref"]).removesuffix("Part").lower()
    if shape.get("type") == "array":
        return f"list of {_type_text(shape.get('items', {}))}"
    return str(shape.get("type", "any"))
