"""The pixels of a picture become what they show: whether there is anything to see, and whether two pictures are
one.

Print takes figures apart: a background's colour run, a drop shadow, the shape of a cloud are pictures of
their own in the file and tell a reader nothing. They are known by what they lack: detail. Pure: opens no
file and knows no document. Thresholds were set by looking at all 81 pictures of `shared/data/faa`.
"""

from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray
from PIL import Image as Pictures
from PIL import ImageFilter

SIDE = 256  # pixels of the longer side at which content is judged: what a glance at a page shows
STEP = 24  # of 255: grey values of neighbours that differ by more are an edge
EDGES_LEAST = 0.002  # share of edges: fills and colour runs have none, the emptiest real figure 0.03
PLAIN_SHARE = 0.95  # share of the two commonest of 32 grey values: a shape in one colour
PLAIN_EDGES = 0.06  # share of edges: such a shape has its outline alone; a line drawing 0.16 and more
SHAPE_SHARE = 0.03  # least share of the shape itself: less are lines, as of a graph, 0.02 and less
SHADOW_SHARE = 0.6  # share of the commonest grey value in a drop shadow or blurred lettering
SHADOW_DETAIL = 0.8  # sharp points by edges: photographs and charts have 1.05 and more, blur 0.6 and less
PRINT_SIDE = 64  # pixels of the square in which two pictures are compared
PRINT_BLUR = 4  # pixels of 256: evens out what another size or format does to edges
PRINT_APART = 8  # of 255, at any place and colour. Saved anew or at half size: 7 at most; two tables that
# differ in some letters: 9 and more. What is kept twice is a smaller loss than what is lost.
HASH_SIDE = 16  # rows and columns of the difference hash, the quick look before the exact one
HASH_APART = 24  # of its 256 bits: copies differ in 19 at most, different pictures in 40 and more

Grey = NDArray[numpy.float32]


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What two copies of one picture have in common: signs of slope (bits), colours, width by height."""

    bits: int
    colours: bytes
    ratio: float

    def is_like(self, other: "Fingerprint") -> bool:
        """The same picture, saved anew, or in another size or format."""
        if abs(self.ratio - other.ratio) > 0.02 * max(self.ratio, other.ratio):
            return False
        if (self.bits ^ other.bits).bit_count() > HASH_APART:
            return False
        pair = (numpy.frombuffer(data, dtype=numpy.uint8) for data in (self.colours, other.colours))
        one, two = (values.astype(numpy.int16) for values in pair)
        return bool(numpy.abs(one - two).max() <= PRINT_APART)


def nothing_to_see(picture: Pictures.Image) -> str:
    """Why a picture shows nothing; empty if it does."""
    grey = _grey(picture, SIDE)
    if min(grey.shape) < 4:
        return "too small to show anything"
    edges, sharp = _detail(grey)
    commonest, two_commonest = _shares(grey)
    if edges < EDGES_LEAST:
        return "a fill or colour run"
    if two_commonest >= max(PLAIN_SHARE, commonest + SHAPE_SHARE) and edges < PLAIN_EDGES:
        return "a plain shape"
    if commonest >= SHADOW_SHARE and sharp < SHADOW_DETAIL * edges:
        return "a shadow or blurred lettering"
    return ""


def fingerprint(picture: Pictures.Image) -> Fingerprint:
    """What a copy of the picture would have, too."""
    paper = _on_paper(picture)
    sampling = Pictures.Resampling.BOX if min(picture.size) > 2 * SIDE else Pictures.Resampling.BICUBIC
    even = paper.resize((SIDE, SIDE), sampling).filter(ImageFilter.GaussianBlur(PRINT_BLUR))
    small = even.convert("L").resize((HASH_SIDE + 1, HASH_SIDE), Pictures.Resampling.BOX)
    slopes = (numpy.diff(numpy.asarray(small, dtype=numpy.int16), axis=1) > 0).ravel()
    return Fingerprint(
        int("".join("1" if rises else "0" for rises in slopes), 2),
        even.resize((PRINT_SIDE, PRINT_SIDE), Pictures.Resampling.BOX).tobytes(),
        picture.width / picture.height,
    )


def _grey(picture: Pictures.Image, side: int) -> Grey:
    small = _on_paper(picture) if picture.mode in ("1", "P") else picture.copy()
    small.thumbnail((side, side))
    return numpy.asarray(_on_paper(small).convert("L"), dtype=numpy.float32)


def _on_paper(picture: Pictures.Image) -> Pictures.Image:
    """In colours, on white."""
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        clear = picture.convert("RGBA")
        return Pictures.alpha_composite(Pictures.new("RGBA", picture.size, "white"), clear).convert("RGB")
    return picture.convert("RGB")


def _detail(grey: Grey) -> tuple[float, float]:
    """The share of edges, and that of points that stand out from their four neighbours."""
    across = numpy.abs(numpy.diff(grey, axis=1))[:-1]
    down = numpy.abs(numpy.diff(grey, axis=0))[:, :-1]
    middle = 4 * grey[1:-1, 1:-1]
    around = grey[:-2, 1:-1] + grey[2:, 1:-1] + grey[1:-1, :-2] + grey[1:-1, 2:]
    edges = numpy.maximum(across, down) > STEP
    return float(edges.mean()), float((numpy.abs(middle - around) > STEP).mean())


def _shares(grey: Grey) -> tuple[float, float]:
    counted: NDArray[Any] = numpy.bincount((grey / 8).astype(int).ravel(), minlength=32) / grey.size
    ordered = numpy.sort(counted)
    return float(ordered[-1]), float(ordered[-2:].sum())
