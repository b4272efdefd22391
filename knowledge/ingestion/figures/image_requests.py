"""What is wanted of a PDF's pictures, and what came of it: the values between those who decide (`figures`) and the
process that opens the file (`image_worker`). Pure."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from knowledge.grounding.page_rotation import Turn
from knowledge.ingestion.document_model import Box
from knowledge.ingestion.figures.image_content import Fingerprint

WishKind = Literal["embedded", "drawing", "chart_page", "page"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """One picture wanted: an embedded one as it is in the file (`xref`), what is drawn by a caption or around
    known pictures (`caption`, `bbox`, and `texts` that are none of it, all in the frame of the page's `turn`), a page
    if it is like a chart, or a page.
    """

    number: int
    kind: WishKind
    page: int
    xref: int = 0
    bbox: Box | None = None
    caption: Box | None = None
    texts: tuple[Box, ...] = ()
    turn: Turn = 0

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def wish_from(told: Mapping[str, Any]) -> Wish:
    """A wish as it went through JSON."""
    return Wish(
        number=told["number"],
        kind=told["kind"],
        page=told["page"],
        xref=told["xref"],
        bbox=_box(told["bbox"]),
        caption=_box(told["caption"]),
        texts=tuple(box for box in map(_box, told["texts"]) if box),
        turn=told["turn"],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Granted:
    """What became of a wish: a file with a picture ready to be kept, or the reason why there is none. `bbox` is
    where it stands on its page; `overlaid` says that something is painted over an embedded picture."""

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
        told = {name: getattr(self, name) for name in self.__slots__ if name != "fingerprint"}
        mark = self.fingerprint
        said = [hex(mark.bits), mark.colours.hex(), mark.ratio] if mark else None
        return told | {"fingerprint": said}


def granted_from(told: Mapping[str, Any]) -> Granted:
    """What became of a wish, as it came through JSON."""
    mark = told["fingerprint"]
    return Granted(
        number=told["number"],
        refused=told["refused"],
        file=told["file"],
        suffix=told["suffix"],
        width=told["width"],
        height=told["height"],
        sha256=told["sha256"],
        bbox=_box(told["bbox"]),
        overlaid=told["overlaid"],
        fingerprint=Fingerprint(int(mark[0], 16), bytes.fromhex(mark[1]), mark[2]) if mark else None,
    )


def _box(values: Any) -> Box | None:
    if not values:
        return None
    x0, y0, x1, y1 = values
    return (x0, y0, x1, y1)
