"""A page of a PDF becomes the rectangles of what it paints beside its text, in their order, and the pictures among
them. Runs in the parsing process.

PyMuPDF's own lists (`get_bboxlog`, `get_image_info`) go through the page once each, and the first has the text as well,
which is most of what a page paints.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pymupdf

from .pages import Box

mupdf: Any = pymupdf  # it comes without types
_core: Any = mupdf.mupdf
_UNTURNED = _core.FzMatrix()

_LEAST_ALPHA = 0.5  # of a picture: a fainter one is a watermark, which MuPDF does not list either

Painted = list[tuple[str, Box]]


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """A picture where a page paints it; `size` is its length in the file, in bytes, 0 where that cannot be told."""

    bbox: Box
    width: int
    height: int
    size: int


@dataclass(frozen=True, slots=True)
class Paint:
    """The kind and the rectangle of each path, shading and picture of a page, as if it were not turned; the kinds are
    those of `get_bboxlog`."""

    boxes: Painted = field(default_factory=list)
    pictures: list[ShownPicture] = field(default_factory=list)


def paint_on(page: Any) -> Paint:
    """What a page paints."""
    with unturned(page):
        device = _Listener()
        _core.fz_run_page(page.this, device, _UNTURNED, _core.FzCookie())
        _core.fz_close_device(device)
    return device.paint


@contextmanager
def unturned(page: Any) -> Iterator[None]:
    """The page as if its rotation were 0, which is how MuPDF's lists are meant."""
    turned = page.rotation
    if turned:
        page.set_rotation(0)
    try:
        yield
    finally:
        if turned:
            page.set_rotation(turned)


class _Listener(_core.FzDevice2):  # type: ignore[misc]
    """A device that draws nothing and remembers where others would."""

    def __init__(self) -> None:
        super().__init__()
        self.paint = Paint()
        self.use_virtual_fill_path()
        self.use_virtual_stroke_path()
        self.use_virtual_fill_shade()
        self.use_virtual_fill_image()
        self.use_virtual_fill_image_mask()

    def fill_path(self, _context: Any, path: Any, _even_odd: int, matrix: Any, *_: Any) -> None:
        self._paint("fill-path", _core.ll_fz_bound_path(path, None, matrix))

    def stroke_path(self, _context: Any, path: Any, stroke: Any, matrix: Any, *_: Any) -> None:
        self._paint("stroke-path", _core.ll_fz_bound_path(path, stroke, matrix))

    def fill_shade(self, _context: Any, shade: Any, matrix: Any, *_: Any) -> None:
        self._paint("fill-shade", _core.ll_fz_bound_shade(shade, matrix))

    def fill_image(self, _context: Any, image: Any, matrix: Any, alpha: float, *_: Any) -> None:
        self._picture("fill-image", image, matrix, alpha)

    def fill_image_mask(
        self, _context: Any, image: Any, matrix: Any, _space: Any, _colour: Any, alpha: float, *_: Any
    ) -> None:
        self._picture("fill-imgmask", image, matrix, alpha)

    def _picture(self, kind: str, image: Any, matrix: Any, alpha: float) -> None:
        self._paint(kind, _core.ll_fz_transform_rect(_core.fz_unit_rect, matrix))
        if alpha >= _LEAST_ALPHA:
            picture = _core.FzImage(_core.ll_fz_keep_image(image))
            packed = _core.fz_compressed_image_buffer(picture)
            size = packed.fz_compressed_buffer_size() if packed.m_internal else 0
            self.paint.pictures.append(ShownPicture(self.paint.boxes[-1][1], picture.w(), picture.h(), size))

    def _paint(self, kind: str, box: Any) -> None:
        self.paint.boxes.append((kind, (box.x0, box.y0, box.x1, box.y1)))
