"""List the boxes of everything that a PDF page paints besides text, in order. Runs in the parsing process.

PyMuPDF's own list (`get_bboxlog`) includes the text, which is most of what a page paints; leaving that out halves the
time.
"""

from typing import Any

from knowledge.ingestion.document_model import Box
from knowledge.mupdf import mupdf

DrawingOps = list[tuple[str, Box]]

_core: Any = mupdf.mupdf
_IDENTITY = _core.FzMatrix()


def list_drawing_ops(page: Any) -> DrawingOps:
    """The kind and the box of each path, shading and picture on the page before it is rotated; the kinds are those of
    `get_bboxlog`."""
    rotation = page.rotation
    if rotation:
        page.set_rotation(0)
    try:
        recorder = _Recorder()
        _core.fz_run_page(page.this, recorder, _IDENTITY, _core.FzCookie())
        _core.fz_close_device(recorder)
    finally:
        if rotation:
            page.set_rotation(rotation)
    return recorder.ops


def shown_box(box: Any, rotation_matrix: Any) -> Box:
    """A box of the page before it is rotated, on the page as it is shown; `rotation_matrix` is None where it is not."""
    x0, y0, x1, y1 = mupdf.Rect(box) * rotation_matrix if rotation_matrix else box
    return (x0, y0, x1, y1)


class _Recorder(_core.FzDevice2):  # type: ignore[misc]
    """A device that draws nothing and records where others would."""

    def __init__(self) -> None:
        super().__init__()
        self.ops: DrawingOps = []
        self.use_virtual_fill_path()
        self.use_virtual_stroke_path()
        self.use_virtual_fill_shade()
        self.use_virtual_fill_image()
        self.use_virtual_fill_image_mask()

    def fill_path(self, _context: Any, path: Any, _even_odd: int, matrix: Any, *_: Any) -> None:
        self._record_op("fill-path", _core.ll_fz_bound_path(path, None, matrix))

    def stroke_path(self, _context: Any, path: Any, stroke: Any, matrix: Any, *_: Any) -> None:
        self._record_op("stroke-path", _core.ll_fz_bound_path(path, stroke, matrix))

    def fill_shade(self, _context: Any, shade: Any, matrix: Any, *_: Any) -> None:
        self._record_op("fill-shade", _core.ll_fz_bound_shade(shade, matrix))

    def fill_image(self, _context: Any, _image: Any, matrix: Any, *_: Any) -> None:
        self._record_op("fill-image", _core.ll_fz_transform_rect(_core.fz_unit_rect, matrix))

    def fill_image_mask(self, _context: Any, _image: Any, matrix: Any, *_: Any) -> None:
        self._record_op("fill-imgmask", _core.ll_fz_transform_rect(_core.fz_unit_rect, matrix))

    def _record_op(self, kind: str, box: Any) -> None:
        self.ops.append((kind, (box.x0, box.y0, box.x1, box.y1)))
