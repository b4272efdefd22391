"""The values exchanged with the process that opens a PDF's images: requests and results. Pure."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from knowledge.grounding.page_rotation import Turn
from knowledge.ingestion.document_model import Box
from knowledge.ingestion.figures.image_content import Fingerprint

RequestKind = Literal["embedded", "drawing", "chart_page", "page"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageRequest:
    """One image that is wanted: an embedded one (`xref`), what is drawn by a caption or around known pictures
    (`caption`, `bbox`, and `texts` that are no part of it, all in the frame of the page's `turn`), a page if it looks
    like a chart, or a page.
    """

    number: int
    kind: RequestKind
    page: int
    xref: int = 0
    bbox: Box | None = None
    caption: Box | None = None
    texts: tuple[Box, ...] = ()
    turn: Turn = 0

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageResult:
    """What a request gave: a file with an image ready to be stored, or the reason why there is none. `bbox` is where
    it stands on its page; `overlaid` says that something is painted over an embedded picture."""

    number: int
    refused: str = ""
    file: str = ""
    suffix: str = ""
    width: int = 0
    height: int = 0
    sha256: str = ""
    bbox: Box | None = None
    overlaid: bool = False
    fingerprint: Fingerprint | None = None

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def request_from(fields: Mapping[str, Any]) -> ImageRequest:
    """A request as it came through JSON."""
    boxes = {name: _box_from(fields[name]) for name in ("bbox", "caption")}
    return ImageRequest(**{**fields, **boxes, "texts": tuple(map(_box_from, fields["texts"]))})


def result_from(fields: Mapping[str, Any]) -> ImageResult:
    """A result as it came through JSON."""
    mark = fields["fingerprint"]
    known = {"bbox": _box_from(fields["bbox"]), "fingerprint": Fingerprint(**mark) if mark else None}
    return ImageResult(**{**fields, **known})


def _box_from(values: Any) -> Any:
    return tuple(values) if values else None
