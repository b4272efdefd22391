"""Reads what a client sends, and builds and encodes what the server sends.

A client frame is checked or refused with a message that says what to do. Server frames that are stored get their
`seq` where they are stored. This module knows no connection and no database.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from pydantic import ValidationError

from exams.conf import FRAME_BYTES_MOST
from exams.domain.grading import Grade
from exams.domain.verdicts import Decision
from exams.protocol.frames import (
    CLIENT_FRAME,
    CLIENT_FRAMES,
    SERVER_FRAME,
    ClientFrame,
    FigurePart,
    Finished,
    FrameBody,
    ServerFrame,
    SourcePart,
    Token,
    clean_text,
)
from knowledge.text.sentences import sentences_in

_SHORTEN: Final = "Nothing was taken; your text is kept where you wrote it. Shorten it and send it again."


class FrameError(ValueError):
    """A client frame that is refused. The message is for the person who sent it and says what to do.

    `about` is the type of the frame, once it is known.
    """

    def __init__(self, code: str, message: str, *, about: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.about = code, message, about


def parse_client_frame(raw: str | bytes) -> ClientFrame:
    """The frame that a client sent. Raises FrameError."""

    def refuse_constant(name: str) -> None:
        raise ValueError(f"{name} is no JSON")

    if len(raw) > FRAME_BYTES_MOST:
        raise FrameError("too_long", f"A frame holds at most {FRAME_BYTES_MOST:,} bytes. {_SHORTEN}")
    try:
        data = json.loads(raw, parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        raise FrameError("not_json", "A frame is one JSON object in UTF-8; this could not be read.") from None
    if not isinstance(data, dict):
        raise FrameError("not_json", 'A frame is one JSON object such as {"type": "ping"}.')
    kind = data.get("type")
    if not isinstance(kind, str) or kind not in CLIENT_FRAMES:
        raise FrameError("unknown_type", f"“type” is one of: {', '.join(CLIENT_FRAMES)}.")
    try:
        return CLIENT_FRAME.validate_python(data)
    except ValidationError as error:
        code, message = _problem_in(kind, error, data)
        raise FrameError(code, message, about=kind) from None


def _problem_in(kind: str, error: ValidationError, data: Mapping[str, Any]) -> tuple[str, str]:
    """The code and the message for the first thing that is wrong with a frame."""
    problem = error.errors(include_url=False, include_input=False)[0]
    # The first place is the frame's type; a name that is no Unicode text has no place.
    field = clean_text(str(problem["loc"][1]))[:40] if len(problem["loc"]) > 1 else "frame"
    match problem["type"]:
        case "extra_forbidden":
            known = ", ".join(CLIENT_FRAMES[kind].model_fields)
            return "extra_field", f"“{field}” does not belong to “{kind}”, which has: {known}."
        case "missing":
            return "missing_field", f"“{kind}” needs “{field}”."
        case "string_too_long":
            most, length = problem["ctx"]["max_length"], len(str(data.get(field, "")))
            return (
                "too_long",
                f"“{field}” holds at most {most:,} characters, this is {length:,}. {_SHORTEN}",
            )
        case "string_too_short":
            return "empty", "There is no text in this answer. “I don't know” is fine, too."
        case "string_pattern_mismatch":
            return "bad_field", f"“{field}” begins with a letter or digit; then also _ . : -"
        case _:
            return "bad_field", f"“{field}” of “{kind}”: {problem['msg']}."


def encode_frame(frame: FrameBody | ServerFrame) -> str:
    """A server frame as it goes over the wire."""
    body = frame if isinstance(frame, dict) else frame.to_dict()
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def server_frame_from(data: Mapping[str, Any]) -> ServerFrame:
    """JSON data as a server frame. Raises ValidationError for anything that is not one."""
    return SERVER_FRAME.validate_python(dict(data))


def token_frames(question: FrameBody) -> Iterator[Token]:
    """The text of a question frame, sentence by sentence; together the tokens are its text."""
    text, at = question["text"], 0
    for end in (*(sentence.end for sentence in sentences_in(text)), len(text)):
        if end > at:
            yield Token(turn=question["turn"], delta=text[at:end])
            at = end


def question_frame(**fields: Any) -> FrameBody:
    """The frame of a question; of citations and images it has nothing that gives the answer away."""
    return server_frame_from({"type": "question", **fields}).to_dict()


def without_answer(frame: Mapping[str, Any]) -> FrameBody:
    """A question frame without the text of its sources. Frames stored by earlier versions hold it."""
    if frame["type"] != "question":
        return dict(frame)
    kept = {
        name: [{field: one[field] for field in part.model_fields if field in one} for one in frame[name]]
        for name, part in (("citations", SourcePart), ("images", FigurePart))
    }
    return {**frame, **kept}


def assessment_frame(
    decision: Decision,
    *,
    citations: Iterable[Mapping[str, Any]] = (),
    near: Iterable[Mapping[str, Any]] = (),
    withheld: bool = False,
    **fields: Any,
) -> FrameBody:
    """The frame of a decision. Anything that gives the answer away is withheld until the verdict is final."""
    shown = decision.final and not withheld
    body = {
        **{"type": "assessment", "element": "", "answer": "", "degraded": "", **fields},
        "final": decision.final,
        "verdict": None if withheld else decision.verdict,
        "score": None if withheld or decision.verdict == "ungraded" else decision.score,
        "points": decision.to_dict()["points"] if shown else [],
        "citations": list(map(dict, citations)) if shown else [],
        "near": list(map(dict, near)) if shown else [],
        "withheld": withheld,
    }
    return server_frame_from(body).to_dict()


def finished_frame(grade: Grade, *, report: str, closing: str = "") -> FrameBody:
    """The frame of a grade; `report` is the address of the debrief, `closing` the examiner's last words."""
    told = {name: value for name, value in grade.to_dict().items() if name in Finished.model_fields}
    return Finished.model_validate({**told, "report": report, "closing": closing}).to_dict()
