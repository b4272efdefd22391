"""The live exam's protocol in one place: every frame both ways, and the page that describes them.

Client frames are read in `client_frames`, server frames built in `server_frames`; whoever speaks the protocol
imports it from here. Pure.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from pydantic import BaseModel

from exams.protocol.client_frames import (
    CLIENT_FRAMES,
    Answer,
    ClientFrame,
    Continue,
    Dispute,
    End,
    FrameError,
    Hint,
    LookUp,
    Pause,
    Ping,
    Rate,
    Resume,
    parse_client_frame,
)
from exams.protocol.server_frames import (
    SERVER_FRAMES,
    AreaPart,
    BudgetPart,
    CitationPart,
    ElementPart,
    FigurePart,
    FrameBody,
    NotAskablePart,
    PointPart,
    ServerFrame,
    SourcePart,
    TaskPart,
    assessment_frame,
    encode,
    error_frame,
    finished_frame,
    pong_frame,
    progress_frame,
    question_frame,
    server_frame_from,
    sources_frame,
    taken_frame,
    token_frame,
    without_answer,
)

__all__ = [
    "CLIENT_FRAMES",
    "SERVER_FRAMES",
    "Answer",
    "ClientFrame",
    "Continue",
    "Dispute",
    "End",
    "FrameBody",
    "FrameError",
    "Hint",
    "LookUp",
    "Pause",
    "Ping",
    "Rate",
    "Resume",
    "ServerFrame",
    "assessment_frame",
    "describe",
    "encode",
    "error_frame",
    "finished_frame",
    "parse_client_frame",
    "pong_frame",
    "progress_frame",
    "question_frame",
    "server_frame_from",
    "sources_frame",
    "taken_frame",
    "token_frame",
    "without_answer",
]

_PARTS: Final[Sequence[type[BaseModel]]] = (
    SourcePart,
    FigurePart,
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
    name = _part_name(model.__name__) if source == "part" else model.model_fields["type"].default
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
