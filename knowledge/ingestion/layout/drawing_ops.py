"""A page of a PDF becomes the rectangles of what it paints beside its text, in their order. Runs in the parsing
process.

PyMuPDF's own list (`get_bboxlog`) has the text as well, which is most of what a page paints: leaving that out
takes half the time.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from knowledge.ingestion.document_model import Box
from knowledge.mupdf import mupdf

_core: Any = mupdf.mupdf
_UNTURNED = _core.FzMatrix()

Painted = list[tuple[str, Box]]


def painted_on(page: Any) -> Painted:
    """The kind and the rectangle of each path, shading and picture, as if the page were not turned; the kinds are those
    of `get_bboxlog`."""
    with unturned(page):
        device = _Listener()
        _core.fz_run_page(page.this, device, _UNTURNED, _core.FzCookie())
        _core.fz_close_device(device)
    return device.painted


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
        self.painted: Painted = []
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

    def fill_image(self, _context: Any, _image: Any, matrix: Any, *_: Any) -> None:
        self._paint("fill-image", _core.ll_fz_transform_rect(_core.fz_unit_rect, matrix))

    def fill_image_mask(self, _context: Any, _image: Any, matrix: Any, *_: Any) -> None:
        self._paint("fill-imgmask", _core.ll_fz_transform_rect(_core.fz_unit_rect, matrix))

    def _paint(self, kind: str, box: Any) -> None:
        self.painted.append((kind, (box.x0, box.y0, box.x1, box.y1)))
