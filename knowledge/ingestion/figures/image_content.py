"""Judge what an image shows: whether there is anything to see, and whether two images are the same. Pure.

A PDF may store one figure in parts: the gradient of a background, a drop shadow, or the shape of a cloud is a separate
image that tells a reader nothing. Such images are recognized by their lack of detail. Thresholds were set by looking at
all 81 images of `shared/data/faa`.
"""

from dataclasses import dataclass

import numpy
from PIL import Image, ImageFilter

SIDE = 256  # pixels of the longer side at which content is judged: what a glance at a page shows
STEP = 24  # of 255: gray values of neighbors that differ by more are an edge
EDGES_LEAST = 0.002  # share of edges: fills and gradients have none, the emptiest real figure 0.03
PLAIN_SHARE = 0.95  # share of the two commonest of 32 gray values: a shape in one color
PLAIN_EDGES = 0.06  # share of edges: such a shape has its outline alone; a line drawing 0.16 and more
SHAPE_SHARE = 0.03  # least share of the shape itself: less are lines, as of a graph, 0.02 and less
SHADOW_SHARE = 0.6  # share of the commonest gray value in a drop shadow or blurred lettering
SHADOW_DETAIL = 0.8  # sharp points by edges: photographs and charts have 1.05 and more, blur 0.6 and less
PRINT_SIDE = 64  # pixels of the square in which two images are compared
PRINT_BLUR = 4  # pixels of 256: evens out what another size or format does to edges
PRINT_APART = 8  # of 255, at any place and color. Saved anew or at half size: 7 at most; two tables that
# differ in some letters: 9 and more. What is kept twice is a smaller loss than what is lost.
HASH_SIDE = 16  # rows and columns of the difference hash, the quick look before the exact one
HASH_APART = 24  # of its 256 bits: copies differ in 19 at most, different images in 40 and more


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What two copies of one image have in common: a difference hash, colors (hexadecimal), width by height."""

    bits: int
    colors: str
    ratio: float

    def is_like(self, other: "Fingerprint") -> bool:
        """The same image, saved anew, or in another size or format."""
        if abs(self.ratio - other.ratio) > 0.02 * max(self.ratio, other.ratio):
            return False
        if (self.bits ^ other.bits).bit_count() > HASH_APART:
            return False
        one, two = (
            numpy.frombuffer(bytes.fromhex(mark.colors), dtype=numpy.uint8).astype(numpy.int16)
            for mark in (self, other)
        )
        return bool(numpy.abs(one - two).max() <= PRINT_APART)


def nothing_to_see(image: Image.Image) -> str:
    """Why an image shows nothing; empty if it does."""
    small = _on_paper(image) if image.mode in ("1", "P") else image.copy()
    small.thumbnail((SIDE, SIDE))
    gray = numpy.asarray(_on_paper(small).convert("L"), dtype=numpy.float32)
    if min(gray.shape) < 4:
        return "too small to show anything"
    across = numpy.abs(numpy.diff(gray, axis=1))[:-1]
    down = numpy.abs(numpy.diff(gray, axis=0))[:, :-1]
    edges = float((numpy.maximum(across, down) > STEP).mean())
    around = gray[:-2, 1:-1] + gray[2:, 1:-1] + gray[1:-1, :-2] + gray[1:-1, 2:]
    sharp = float((numpy.abs(4 * gray[1:-1, 1:-1] - around) > STEP).mean())  # unlike their four neighbors
    counted = numpy.bincount((gray / 8).astype(int).ravel(), minlength=32) / gray.size
    *_, second, commonest = numpy.sort(counted).tolist()
    if edges < EDGES_LEAST:
        return "a plain fill or gradient"
    if second + commonest >= max(PLAIN_SHARE, commonest + SHAPE_SHARE) and edges < PLAIN_EDGES:
        return "a plain shape"
    if commonest >= SHADOW_SHARE and sharp < SHADOW_DETAIL * edges:
        return "a shadow or blurred lettering"
    return ""


def fingerprint_of(image: Image.Image) -> Fingerprint:
    """The features that a copy of the image shares."""
    sampling = Image.Resampling.BOX if min(image.size) > 2 * SIDE else Image.Resampling.BICUBIC
    even = _on_paper(image).resize((SIDE, SIDE), sampling).filter(ImageFilter.GaussianBlur(PRINT_BLUR))
    small = even.convert("L").resize((HASH_SIDE + 1, HASH_SIDE), Image.Resampling.BOX)
    rises = numpy.diff(numpy.asarray(small, dtype=numpy.int16), axis=1) > 0
    return Fingerprint(
        int.from_bytes(numpy.packbits(rises).tobytes()),
        even.resize((PRINT_SIDE, PRINT_SIDE), Image.Resampling.BOX).tobytes().hex(),
        image.width / image.height,
    )


def _on_paper(image: Image.Image) -> Image.Image:
    """In colors, on white."""
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        white = Image.new("RGBA", image.size, "white")
        return Image.alpha_composite(white, image.convert("RGBA")).convert("RGB")
    return image.convert("RGB")
