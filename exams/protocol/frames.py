"""The live exam's websocket frames: one union for the client and one for the server.

The catalog, the page docs/architecture/protocol.md, and the codec are all derived from these models. An unknown field
of a frame is refused, and a wrong type is not converted. This module knows no connection and no database.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal, cast, get_args

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, TypeAdapter

from exams.conf import (
    ANSWER_CHARACTERS_MOST,
    CLIENT_ID_CHARACTERS_MOST,
    NOTE_CHARACTERS_MOST,
    TURN_NUMBER_MOST,
)
from exams.domain.values import Form, Verdict

FrameBody = dict[str, Any]
"""A server frame as JSON data, ready to store or send."""

_PLAIN_TEXT: Final = {
    **dict.fromkeys((*range(0x09), *range(0x0E, 0x20), *range(0x7F, 0xA0), 0xFEFF)),  # control characters
    **dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A))),  # changes of the writing direction
    **dict.fromkeys((0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029), "\n"),  # other line ends
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),  # half a letter
}


def clean_text(text: str) -> str:
    """Normalize line ends and remove characters that nobody types; keep everything else."""
    return text.replace("\r\n", "\n").translate(_PLAIN_TEXT).strip()


TurnNumber = Annotated[int, Field(ge=1, le=TURN_NUMBER_MOST)]
SeqNumber = Annotated[int, Field(ge=0, le=TURN_NUMBER_MOST)]
ClientId = Annotated[
    str, Field(max_length=CLIENT_ID_CHARACTERS_MOST, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.:-]*$")
]
_CLEANED: Final = BeforeValidator(lambda value: clean_text(value) if isinstance(value, str) else value)
AnswerText = Annotated[str, Field(min_length=1, max_length=ANSWER_CHARACTERS_MOST), _CLEANED]
Note = Annotated[str, Field(max_length=NOTE_CHARACTERS_MOST), _CLEANED]
Result = Literal["satisfactory", "unsatisfactory", "incomplete"]


class StrictModel(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


# --- from the client ----------------------------------------------------------------------------------------


class Answer(StrictModel):
    """An answer to the current question. Sending the same `id` again returns the first result."""

    type: Literal["answer"] = "answer"
    id: ClientId
    text: AnswerText


class Resume(StrictModel):
    """Ask for all frames after `last_seq` again."""

    type: Literal["resume"] = "resume"
    last_seq: SeqNumber


class Hint(StrictModel):
    """Ask for a hint: only in the manner coach, one per element."""

    type: Literal["hint"] = "hint"


class LookUp(StrictModel):
    """Open the sources of a turn before its verdict. The server answers with `sources`, and the report notes it."""

    type: Literal["look_up"] = "look_up"
    turn: TurnNumber


class Dispute(StrictModel):
    """“I disagree” with the verdict on a turn. It goes to a reviewer."""

    type: Literal["dispute"] = "dispute"
    turn: TurnNumber
    note: Note = ""


class Rate(StrictModel):
    """Rate whether a turn was fair."""

    type: Literal["rate"] = "rate"
    turn: TurnNumber
    fair: bool
    note: Note = ""


class Continue(StrictModel):
    """Say whether to go on after a failed Task."""

    type: Literal["continue"] = "continue"
    go_on: bool


class Skip(StrictModel):
    """Skip the qualification and go on with the questions."""

    type: Literal["skip"] = "skip"


class Pause(StrictModel):
    """Pause the oral. Opening the room again, or sending an answer, a hint, or consent, resumes it."""

    type: Literal["pause"] = "pause"


class End(StrictModel):
    """End the oral now."""

    type: Literal["end"] = "end"


class Ping(StrictModel):
    """Ask for a pong."""

    type: Literal["ping"] = "ping"


# --- parts of server frames ---------------------------------------------------------------------------------


class FramePart(StrictModel):
    """An object inside a server frame. It takes its own fields from what is given and leaves the others out."""

    model_config = ConfigDict(extra="ignore")


class SourcePart(FramePart):
    """Where to look up a question. The text is left out, because the quote is the answer."""

    n: int
    label: str
    document: str


class FigurePart(FramePart):
    """A figure shown with a question. Its caption is left out, because it may be the answer."""

    image_id: str
    figure_label: str
    page: int | None = None
    url: str = ""


class CitationPart(FramePart):
    """A passage that supports a statement. `url` opens it with the quote highlighted."""

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


class PointPart(FramePart):
    """The finding on one expectation; `said` holds the student's words, `citations` the expectation's sources.

    A `should` may be missing from a satisfactory answer.
    """

    expectation: str
    importance: Literal["must", "should"]
    met: Literal["met", "half", "missing", "contradicted"]
    why: str
    said: str
    citations: list[int]


class BudgetPart(FramePart):
    """How many elements have a final verdict, and how many will have one when the oral ends by plan; 0 and 0 in a
    qualification, which scores none."""

    asked: int
    planned: int


class AreaPart(FramePart):
    """An Area's result: the worst of its Tasks."""

    area: str
    result: Result
    tasks: "list[TaskPart]"


class TaskPart(FramePart):
    """A Task's result; `why` says what is missing or why it failed."""

    task: str
    result: Result
    why: str
    elements: "list[ElementPart]"


class ElementPart(FramePart):
    """An element that was asked, with its final verdict."""

    element: str = Field(validation_alias=AliasChoices("element", "code"))
    verdict: Verdict


class NotAskablePart(FramePart):
    """Elements of a Task that the library cannot support, and the missing reference."""

    task: str
    reference: str
    elements: list[str]


class FaultPart(FramePart):
    """Something that was out of order in a qualification: on which card, what, and by which rule.

    `citation` is the rule's passage; null where the library does not have it, and `rule` is a section to look up.
    """

    card: str
    what: str
    rule: str
    citation: CitationPart | None = None


# --- from the server ----------------------------------------------------------------------------------------


class SentFrame(StrictModel):
    stored: ClassVar[bool] = False

    def to_dict(self) -> FrameBody:
        return {key: value for key, value in self.model_dump(mode="json").items() if key != "seq" or value}


class StoredFrame(SentFrame):
    stored: ClassVar[bool] = True

    seq: int | None = Field(default=None, description="rises by one in each exam; set on storing")


class Question(StoredFrame):
    """The examiner's question. The text of its sources comes with `sources` or with the verdict."""

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


class Sources(StoredFrame):
    """The complete citations of a question, sent once after `look_up`; the look-up is recorded."""

    type: Literal["sources"] = "sources"
    turn: TurnNumber
    citations: list[CitationPart]


class Qualified(StoredFrame):
    """The qualification is over: the oral may begin today, or not, or it was skipped. The questions follow anyway."""

    type: Literal["qualified"] = "qualified"
    outcome: Literal["ready", "not today", "skipped"]
    text: str
    faults: list[FaultPart]


class Token(SentFrame):
    """A piece of checked text; the deltas add up to the text of the frame that follows."""

    type: Literal["token"] = "token"
    turn: TurnNumber
    delta: str


class Taken(SentFrame):
    """An answer was received and stored; its assessment follows."""

    type: Literal["taken"] = "taken"
    turn: TurnNumber
    answer_id: str


class Assessment(StoredFrame):
    """The verdict on an answer. Only final verdicts count; points come with the final one.

    `answer` holds the words that were judged, so that a page that is opened again can show them.
    `near` are sentences of the library that are close to the answer; the verdict does not depend on them.
    If `withheld` (manner checkride), the frame only confirms the answer and has no verdict and no score.
    An ungraded answer has no score either, because our failure is not a zero.
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


class Progress(StoredFrame):
    """The oral's progress."""

    type: Literal["progress"] = "progress"
    areas: list[JsonValue]
    mastery: dict[str, JsonValue]
    step: Literal["assessment", "drill_down", "bridging"]
    skipped: list[JsonValue]


class Finished(StoredFrame):
    """The result, for the chosen scope only. `report` is the address of the debrief, `closing` what the examiner says
    last."""

    type: Literal["finished"] = "finished"
    result: Literal["pass", "fail", "incomplete"]
    scope: str
    areas: list[AreaPart]
    not_tested: list[str]
    not_askable: list[NotAskablePart]
    report: str
    closing: str = ""


class Error(SentFrame):
    """What was not done, and why. `about` is the type of the frame that this answers, if any.

    If `retryable`, the frame may be sent again unchanged; an answer keeps its id.
    """

    type: Literal["error"] = "error"
    code: str
    message: str
    retryable: bool
    about: str = ""


class Pong(SentFrame):
    """The answer to a ping."""

    type: Literal["pong"] = "pong"


# --- all of them --------------------------------------------------------------------------------------------

ClientFrame = Answer | Resume | Hint | LookUp | Dispute | Rate | Continue | Skip | Pause | End | Ping
ServerFrame = Question | Sources | Qualified | Token | Taken | Assessment | Progress | Finished | Error | Pong
CLIENT_FRAME: Final[TypeAdapter[ClientFrame]] = TypeAdapter(
    Annotated[ClientFrame, Field(discriminator="type")]
)
SERVER_FRAME: Final[TypeAdapter[ServerFrame]] = TypeAdapter(
    Annotated[ServerFrame, Field(discriminator="type")]
)


def _by_type(union: Any) -> dict[str, type[BaseModel]]:
    return {frame.model_fields["type"].default: frame for frame in get_args(union)}


CLIENT_FRAMES: Final = cast(Mapping[str, type[ClientFrame]], _by_type(ClientFrame))
SERVER_FRAMES: Final = cast(Mapping[str, type[ServerFrame]], _by_type(ServerFrame))


def describe_frames() -> list[FrameBody]:
    """Every frame and part with its fields, for the page of the API's schema."""
    client = [_describe_model(frame, name, "client") for name, frame in CLIENT_FRAMES.items()]
    server = [_describe_model(frame, name, "server") for name, frame in SERVER_FRAMES.items()]
    parts = [_describe_model(part, _part_name(part.__name__), "part") for part in FramePart.__subclasses__()]
    return [*client, *server, *parts]


def _describe_model(model: type[BaseModel], name: str, source: str) -> FrameBody:
    schema = model.model_json_schema(ref_template="{model}")
    required = {"type", *schema.get("required", ())}
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


def _part_name(name: str) -> str:
    """NotAskablePart → not_askable."""
    words = re.findall("[A-Z][a-z]*", name.removesuffix("Part"))
    return "any" if name == "JsonValue" else "_".join(words).lower()


def _type_text(shape: Mapping[str, Any]) -> str:
    """A JSON schema as a word or two: "string", "list of citation", "integer or null"."""
    if "const" in shape:
        return f"“{shape['const']}”"
    if "enum" in shape:
        return " | ".join(shape["enum"])
    if "anyOf" in shape:
        return " or ".join(_type_text(option) for option in shape["anyOf"])
    if "$ref" in shape:
        return _part_name(str(shape["$ref"]))
    if shape.get("type") == "array":
        return f"list of {_type_text(shape.get('items', {}))}"
    return str(shape.get("type", "any"))
