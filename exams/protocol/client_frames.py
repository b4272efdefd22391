"""Text from a websocket becomes a checked client frame, or a clear refusal.

A client says what its user did and nothing else: a field too many is refused, a wrong type is not guessed at,
text is cleaned of what no person typed. Pure: no connection; who may send what is decided elsewhere.
"""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError

from exams.conf import (
    ANSWER_CHARACTERS_MOST,
    CLIENT_ID_CHARACTERS_MOST,
    FRAME_BYTES_MOST,
    NOTE_CHARACTERS_MOST,
    TURN_NUMBER_MOST,
)
from exams.protocol.frame_base import StrictFrame, TurnNumber
from exams.protocol.wire_text import clean_text


class FrameError(ValueError):
    """A client frame that is not taken. The message is for the person who sent it and says what to do."""

    def __init__(self, code: str, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retryable = retryable
        self.about = ""  # the type of the frame, once it is known


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
SeqNumber = Annotated[int, Field(ge=0, le=TURN_NUMBER_MOST)]


class Answer(StrictFrame):
    """An answer to the question that is out. The same `id` again gets the first result again."""

    type: Literal["answer"] = "answer"
    id: ClientId
    text: AnswerText


class Resume(StrictFrame):
    """Send again what came after `last_seq`."""

    type: Literal["resume"] = "resume"
    last_seq: SeqNumber


class Hint(StrictFrame):
    """Ask for a hint: manner coach only, one an element."""

    type: Literal["hint"] = "hint"


class LookUp(StrictFrame):
    """Open the sources of a turn before its verdict: answered by `sources`, and noted in the report."""

    type: Literal["look_up"] = "look_up"
    turn: TurnNumber


class Dispute(StrictFrame):
    """“I disagree” with the verdict on a turn; goes to a reviewer."""

    type: Literal["dispute"] = "dispute"
    turn: TurnNumber
    note: Note = ""


class Rate(StrictFrame):
    """Whether a turn was fair."""

    type: Literal["rate"] = "rate"
    turn: TurnNumber
    fair: bool
    note: Note = ""


class Continue(StrictFrame):
    """The answer to whether to go on after a failed Task."""

    type: Literal["continue"] = "continue"
    go_on: bool


class Pause(StrictFrame):
    """Pause the oral. Opening the room again, an answer, a hint or consent goes on with it."""

    type: Literal["pause"] = "pause"


class End(StrictFrame):
    """End the oral now."""

    type: Literal["end"] = "end"


class Ping(StrictFrame):
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
        refused = _frame_error(kind, error, data)
        refused.about = kind
        raise refused from None


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
        case "string_too_long" | "too_long":
            return _too_long(field, problem["ctx"]["max_length"], data)
        case "string_pattern_mismatch":
            return FrameError("bad_field", f"“{field}” begins with a letter or digit; then also _ . : -")
        case "value_error":
            return FrameError("empty", "There is no text in this answer. “I don't know” is fine, too.")
        case _:
            return FrameError("bad_field", f"“{field}” of “{kind}”: {problem['msg']}.")


def _too_long(field: str, most: int, data: Mapping[str, Any]) -> FrameError:
    length = len(str(data.get(field, "")))
    return FrameError(
        "too_long", f"“{field}” holds at most {most:,} characters, this is {length:,}. {_SHORTEN}"
    )
