"""The process that opens the images of untrusted PDFs: it answers each request with a file and one JSON line.

The fork server (`parsing.fork_server`) calls `run` with `wishes PATH OUT`. Each line of stdin names a file of requests
in OUT. Each request gives an image or a reason; a broken picture is refused alone. Limits are as in `pdf_worker`.
"""

import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops

from knowledge import conf
from knowledge.grounding.page_rotation import Frame
from knowledge.ingestion.document_model import Box
from knowledge.ingestion.figures.detection import refusal_of_size
from knowledge.ingestion.figures.image_content import fingerprint_of, nothing_to_see
from knowledge.ingestion.figures.image_formats import (
    BadImage,
    StoredImage,
    encode_rendered,
    encode_source,
    open_image,
)
from knowledge.ingestion.figures.image_requests import ImageRequest, ImageResult, request_from
from knowledge.ingestion.figures.regions import MARGIN, Anchor, Marks, covered_share, region_of
from knowledge.ingestion.layout.boxes import middle_of
from knowledge.ingestion.layout.hidden_text import DrawingOps, shown_box
from knowledge.ingestion.parsing import pdf_worker
from knowledge.ingestion.parsing.sandbox import Allowance, Message
from knowledge.mupdf import mupdf
from knowledge.whole_numbers import whole_number

CHART_COVER = 0.4  # share of the page around all that is drawn, from which a page is like a chart
CHART_PATHS = 20  # paths that are more than a rule, from which it is
OVERLAY_PATHS = 2  # paths over a picture: arrows and frames; one is a border
_TEXT = ("fill-text", "stroke-text", "clip-text")
_PICTURE = ("fill-image", "fill-imgmask")
_PATH = ("fill-path", "stroke-path", "fill-shade")
#: How the names of color spaces begin whose numbers are light: gray or the three colors of a screen.
_PLAIN = ("DeviceGray", "DeviceRGB", "CalGray", "CalRGB", "ICCBased(Gray", "ICCBased(RGB")


class ImageExtractor:
    """Makes the images of one file."""

    def __init__(self, document: Any, out: Path) -> None:
        self.document, self.out = document, out
        self._ops: tuple[int, DrawingOps] = (0, [])  # of one page
        self._pages_drawn: set[int] = set()

    def extract(self, request: ImageRequest) -> ImageResult:
        """The result of one request; whatever a broken picture raises is a refusal."""
        try:
            if request.kind == "embedded":
                return self._extract_embedded(request)
            return self._render_region(request, self._region_to_draw(request))
        except BadImage as error:
            refused = str(error)
        except MemoryError:
            refused = "too large to be opened"
        except Exception as error:
            print(f"{request}: {error}"[:500], file=sys.stderr)
            refused = "cannot be opened"
        return ImageResult(number=request.number, refused=refused)

    # --- embedded ---

    def _extract_embedded(self, request: ImageRequest) -> ImageResult:
        xref, box = request.xref, request.bbox
        if box is not None and self._dict_value(xref, "ImageMask") == "true":
            return self._render_region(request, box)  # a stencil: its color is not in it but on the page
        masks = [self.document.xref_get_key(xref, name) for name in ("SMask", "Mask")]
        mask = next((int(value.split()[0]) for kind, value in masks if kind == "xref"), 0)
        data = b""
        is_jpeg = "DCTDecode" in self._dict_value(xref, "Filter")
        if not mask and is_jpeg and self._dict_value(xref, "Decode") == "null":
            found = self.document.extract_image(xref)
            if found and found["ext"] in ("jpeg", "jpg") and found["cs-name"].startswith(_PLAIN):
                data = found["image"]  # it looks as its bytes do
        image = open_image(data) if data else self._decode_pixels(xref, mask)
        if refused := nothing_to_see(image):
            raise BadImage(refused)
        is_overlaid = self.document[request.page - 1].rotation != 0  # it lies on its side in the file
        if box is not None and not is_overlaid:
            # Or something is painted on it afterwards: letters or lines that belong to the figure.
            ops = self._ops_on(request.page)
            under = -1
            for at, (kind, own) in enumerate(ops):
                if kind in _PICTURE and all(abs(a - b) <= 2 for a, b in zip(own, box, strict=True)):
                    under = at
            middles = [(kind, *middle_of(own)) for kind, own in ops[under + 1 :]]
            over = [kind for kind, x, y in middles if box[0] < x < box[2] and box[1] < y < box[3]]
            has_text = any(kind in _TEXT for kind in over)
            is_overlaid = has_text or sum(kind in _PATH for kind in over) >= OVERLAY_PATHS
        stored = encode_source(image, data) if data else encode_rendered(image)
        return self._write_image(request, image, stored, box, is_overlaid)

    def _dict_value(self, xref: int, name: str) -> str:
        value: str = self.document.xref_get_key(xref, name)[1]
        return value

    def _decode_pixels(self, xref: int, mask: int) -> Image.Image:
        """What MuPDF decodes; `extract_image` would write it as a PNG first, which takes longer than all else. `mask`
        is the number of the picture that says where this one lets through; 0 for none."""
        sides = [whole_number(self._dict_value(xref, name)) or 0 for name in ("Width", "Height")]
        if math.prod(sides) > conf.MAX_IMAGE_PIXELS:
            raise BadImage("too many pixels")
        pixels = mupdf.Pixmap(self.document, xref)
        if pixels.colorspace is None:  # a stencil that is not on the page
            return open_image(self.document.extract_image(xref)["image"])
        # Of inks and tables of colors one number does not tell how they look.
        if not pixels.colorspace.name.startswith(_PLAIN):
            pixels = mupdf.Pixmap(mupdf.csRGB, pixels)
        if mask and not pixels.alpha:
            through = mupdf.Pixmap(self.document, mask)
            if (through.width, through.height) != (pixels.width, pixels.height):
                through = mupdf.Pixmap(through, pixels.width, pixels.height, None)
            pixels = mupdf.Pixmap(pixels, through)
        mode = {1: "L", 2: "La", 3: "RGB", 4: "RGBa"}[pixels.n]  # colors are multiplied by alpha
        image = Image.frombytes(mode, (pixels.width, pixels.height), pixels.samples)
        return image.convert({"La": "LA", "RGBa": "RGBA"}.get(mode, mode))

    # --- drawn ---

    def _region_to_draw(self, request: ImageRequest) -> Box:
        """Where the figure is drawn; for a page, or a page that looks like a chart, all of it. Raises BadImage."""
        rect = self.document[request.page - 1].rect
        if request.kind == "page":
            return tuple(rect)
        if request.kind == "chart_page" and request.page in self._pages_drawn:
            raise BadImage("not like a chart")
        frame = Frame(request.turn, rect.width, rect.height)
        ops = [(kind, frame.read_box(box)) for kind, box in self._ops_on(request.page)]
        paths, pictures, texts = (
            tuple(box for kind, box in ops if kind in kinds) for kinds in (_PATH, _PICTURE, _TEXT)
        )
        marks = Marks(frame.width, frame.height, paths, pictures, texts)
        if request.kind == "chart_page":
            rules = [box for box in paths if box[3] - box[1] < min(2, box[2] - box[0])]
            has_drawing = pictures or len(paths) - len(rules) >= CHART_PATHS
            if covered_share(marks) < CHART_COVER or not has_drawing:
                raise BadImage("not like a chart")
            return tuple(rect)
        region = region_of(marks, Anchor(request.caption, request.bbox, request.texts))
        if region is None:
            raise BadImage("nothing is drawn by the caption")
        return frame.shown_box(region)

    def _render_region(self, request: ImageRequest, region: Box) -> ImageResult:
        page = self.document[request.page - 1]
        square_inches = (region[2] - region[0]) * (region[3] - region[1]) / 72**2
        largest = int((conf.MAX_PAGE_PIXELS / max(square_inches, 1e-6)) ** 0.5)
        dpi = max(1, min(conf.PAGE_DPI, largest))
        pixels = page.get_pixmap(dpi=dpi, clip=region, alpha=False)
        image = Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)
        ink = ImageChops.invert(image.convert("L")).getbbox() if request.kind == "drawing" else None
        if ink:  # without the white paper around it, but for a margin: the boxes of strokes are wider than their ink
            x_scale = image.width / (region[2] - region[0])
            y_scale = image.height / (region[3] - region[1])
            margin = round(MARGIN * x_scale)
            left, top = max(0, ink[0] - margin), max(0, ink[1] - margin)
            right, bottom = min(image.width, ink[2] + margin), min(image.height, ink[3] + margin)
            image = image.crop((left, top, right, bottom))
            x0, y0 = region[0] + left / x_scale, region[1] + top / y_scale
            x1, y1 = region[0] + right / x_scale, region[1] + bottom / y_scale
            region = (round(x0, 1), round(y0, 1), round(x1, 1), round(y1, 1))
        image = image.rotate(-request.turn, expand=True) if request.turn else image
        if request.kind != "page" and (refused := nothing_to_see(image) or refusal_of_size(*image.size)):
            raise BadImage(refused)
        self._pages_drawn.add(request.page)
        return self._write_image(request, image, encode_rendered(image), region, False)

    def _write_image(
        self, request: ImageRequest, image: Image.Image, stored: StoredImage, box: Box | None, overlaid: bool
    ) -> ImageResult:
        name = f"{request.number}.{stored.suffix}"
        (self.out / name).write_bytes(stored.data)
        return ImageResult(
            number=request.number,
            file=name,
            suffix=stored.suffix,
            width=stored.width,
            height=stored.height,
            sha256=stored.sha256,
            bbox=box,
            overlaid=overlaid,
            fingerprint=fingerprint_of(image) if request.kind == "embedded" else None,
        )

    # --- what is painted ---

    def _ops_on(self, number: int) -> DrawingOps:
        """What a page paints, in order, where it is when the page is shown."""
        if self._ops[0] != number:
            page = self.document[number - 1]
            turned = page.rotation_matrix if page.rotation else None
            self._ops = number, [(kind, shown_box(box, turned)) for kind, box in page.get_bboxlog()]
        return self._ops[1]


def _extract_requested(document: Any, rest: list[str]) -> Iterator[Message]:
    """“answered” follows the last result of each file of requests."""
    out = Path(rest[0])
    extractor = ImageExtractor(document, out)
    time = Allowance(conf.READ_SECONDS, conf.PICTURE_SECONDS, conf.LONGEST_PICTURE_SECONDS)
    yield {"type": "ready"}
    for name in sys.stdin:
        for fields in json.loads((out / name.strip()).read_text()):
            time.next_piece()
            yield {"type": "result"} | extractor.extract(request_from(fields)).to_dict()
        yield {"type": "answered"}


def run(arguments: list[str]) -> int:
    return pdf_worker.run(arguments, {"wishes": _extract_requested})
