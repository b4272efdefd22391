"""The process that opens the pictures of untrusted PDFs: wishes become files, one JSON line each on its stdout.

    python -m knowledge.ingestion.figures.image_worker wishes PATH OUT

Its stdin says where the wishes are. Each is granted or refused with a reason; a broken picture is refused alone. What
it may cost is limited as in `pdf_worker`.
"""

import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image as Pictures
from PIL import ImageChops

from knowledge import conf
from knowledge.grounding.page_rotation import Frame
from knowledge.ingestion.document_model import Box
from knowledge.ingestion.figures.image_content import fingerprint, nothing_to_see
from knowledge.ingestion.figures.image_formats import BadPicture, KeptPicture, kept, opened, rendered
from knowledge.ingestion.figures.image_requests import Granted, Wish, wish_from
from knowledge.ingestion.figures.regions import MARGIN, Asked, Marks, covered_share, region_of
from knowledge.ingestion.parsing.pdf_worker import main
from knowledge.ingestion.parsing.sandbox import Allowance, Message
from knowledge.mupdf import mupdf
from knowledge.whole_numbers import whole_number

CHART_COVER = 0.4  # share of the page around all that is drawn, from which a page is like a chart
CHART_PATHS = 20  # paths that are more than a rule, from which it is
OVERLAY_PATHS = 2  # paths over a picture: arrows and frames; one is a border
_TEXT = ("fill-text", "stroke-text", "clip-text")
_PICTURE = ("fill-image", "fill-imgmask")
#: How the names of colours begin whose numbers are light: no more of them than there are of a screen's.
_PLAIN = ("DeviceGray", "DeviceRGB", "CalGray", "CalRGB", "ICCBased(Gray", "ICCBased(RGB")
_PATH = ("fill-path", "stroke-path", "fill-shade")


class Work:
    """One file with its wishes."""

    def __init__(self, document: Any, out: Path) -> None:
        self.document, self.out = document, out
        self.painted: dict[int, list[tuple[str, Box]]] = {}
        self.drawn: set[int] = set()

    def grant(self, wish: Wish) -> Granted:
        """What becomes of one wish; whatever a broken picture raises is a refusal."""
        try:
            if wish.kind == "embedded":
                return self._embedded(wish)
            return self._drawing(wish) if wish.kind == "drawing" else self._page(wish)
        except BadPicture as error:
            return Granted(number=wish.number, refused=str(error))
        except MemoryError:
            return Granted(number=wish.number, refused="too large to be opened")
        except Exception as error:
            print(f"wish {wish}: {error}"[:500], file=sys.stderr)
            return Granted(number=wish.number, refused="cannot be opened")

    # --- embedded ---

    def _embedded(self, wish: Wish) -> Granted:
        if wish.bbox is not None and self._key(wish.xref, "ImageMask") == "true":
            return self._rendered(wish, wish.bbox)  # a stencil: its colour is not in it but on the page
        mask = self._mask_of(wish.xref)
        data = b"" if mask else self._photograph(wish.xref)
        picture = opened(data) if data else self._pixels(wish.xref, mask)
        refused = nothing_to_see(picture)
        if refused:
            return Granted(number=wish.number, refused=refused)
        turned = self.document[wish.page - 1].rotation != 0  # it lies on its side in the file
        overlaid = turned or (wish.bbox is not None and self._is_overlaid(wish.page, wish.bbox))
        return self._written(
            wish, picture, kept(picture, data) if data else rendered(picture), wish.bbox, overlaid
        )

    def _photograph(self, xref: int) -> bytes:
        """The bytes of a picture that is a JPEG in the file and looks there as its bytes do; anything else has no bytes
        of its own."""
        if "DCTDecode" not in self._key(xref, "Filter") or self._key(xref, "Decode") != "null":
            return b""
        found = self.document.extract_image(xref)
        plain = found and found["ext"] in ("jpeg", "jpg") and found["cs-name"].startswith(_PLAIN)
        return found["image"] if plain else b""

    def _key(self, xref: int, name: str) -> str:
        value: str = self.document.xref_get_key(xref, name)[1]
        return value

    def _mask_of(self, xref: int) -> int:
        """The number of the picture that says where this one lets through; 0 for none."""
        for name in ("SMask", "Mask"):
            kind, value = self.document.xref_get_key(xref, name)
            if kind == "xref":
                return int(value.split()[0])
        return 0

    def _pixels(self, xref: int, mask: int) -> Pictures.Image:
        """What MuPDF decodes; `extract_image` would write it as a PNG first, which takes longer than all else."""
        sides = [self._key(xref, name) for name in ("Width", "Height")]
        if math.prod(whole_number(side) or 0 for side in sides) > conf.MAX_IMAGE_PIXELS:
            raise BadPicture("too many pixels")
        pixels = mupdf.Pixmap(self.document, xref)
        if pixels.colorspace is None:  # a stencil that stands nowhere
            return opened(self.document.extract_image(xref)["image"])
        # Of inks and tables of colours one number does not tell how they look.
        if not pixels.colorspace.name.startswith(_PLAIN):
            pixels = mupdf.Pixmap(mupdf.csRGB, pixels)
        if mask and not pixels.alpha:
            through = mupdf.Pixmap(self.document, mask)
            if (through.width, through.height) != (pixels.width, pixels.height):
                through = mupdf.Pixmap(through, pixels.width, pixels.height, None)
            pixels = mupdf.Pixmap(pixels, through)
        return _as_painted(pixels)

    def _is_overlaid(self, page: int, box: Box) -> bool:
        """Something is painted on the picture after it: letters or lines that belong to the figure."""
        painted = self._painted(page)
        under = max(
            (at for at, (kind, own) in enumerate(painted) if kind in _PICTURE and _same(own, box)), default=-1
        )
        over = [kind for kind, own in painted[under + 1 :] if _middle_in(own, box)]
        return any(kind in _TEXT for kind in over) or sum(kind in _PATH for kind in over) >= OVERLAY_PATHS

    # --- drawn ---

    def _drawing(self, wish: Wish) -> Granted:
        asked = Asked(
            wish.caption, wish.bbox, wish.texts, conf.FIGURE_CAPTION_DISTANCE, conf.FIGURE_LABEL_DISTANCE
        )
        frame = self._frame(wish)
        region = region_of(self._marks(wish.page, frame), asked)
        if region is None:
            return Granted(number=wish.number, refused="nothing is drawn by the caption")
        return self._rendered(wish, frame.shown(region))

    def _frame(self, wish: Wish) -> Frame:
        page = self.document[wish.page - 1]
        return Frame(wish.turn, page.rect.width, page.rect.height)

    def _page(self, wish: Wish) -> Granted:
        page = self.document[wish.page - 1]
        if wish.kind == "chart_page" and (wish.page in self.drawn or not self._is_chart(wish)):
            return Granted(number=wish.number, refused="not like a chart")
        return self._rendered(wish, tuple(page.rect))

    def _is_chart(self, wish: Wish) -> bool:
        marks = self._marks(wish.page, self._frame(wish))
        telling = [box for box in marks.paths if not _is_rule(box)]
        return covered_share(marks) >= CHART_COVER and (len(telling) >= CHART_PATHS or bool(marks.pictures))

    def _rendered(self, wish: Wish, region: Box) -> Granted:
        page = self.document[wish.page - 1]
        pixels = page.get_pixmap(dpi=_dpi_for(region), clip=region, alpha=False)
        picture = Pictures.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)
        if wish.kind == "drawing":
            picture, region = _trimmed(picture, region)
        picture = picture.rotate(-wish.turn, expand=True) if wish.turn else picture
        refused = "" if wish.kind == "page" else nothing_to_see(picture) or _too_small(picture)
        if refused:
            return Granted(number=wish.number, refused=refused)
        self.drawn.add(wish.page)
        return self._written(wish, picture, rendered(picture), region, False)

    def _written(
        self, wish: Wish, picture: Pictures.Image, kept: KeptPicture, box: Box | None, overlaid: bool
    ) -> Granted:
        name = f"{wish.number}.{kept.suffix}"
        (self.out / name).write_bytes(kept.data)
        return Granted(
            number=wish.number,
            file=name,
            suffix=kept.suffix,
            width=kept.width,
            height=kept.height,
            sha256=kept.sha256,
            bbox=box,
            overlaid=overlaid,
            fingerprint=fingerprint(picture) if wish.kind == "embedded" else None,
        )

    # --- what is painted ---

    def _painted(self, number: int) -> list[tuple[str, Box]]:
        """What a page paints, in order, where it is when the page is shown."""
        if number not in self.painted:
            page = self.document[number - 1]
            turned = page.rotation_matrix if page.rotation else None
            self.painted = {number: [(kind, _placed(box, turned)) for kind, box in page.get_bboxlog()]}
        return self.painted[number]

    def _marks(self, number: int, frame: Frame) -> Marks:
        painted = [(kind, frame.read(box)) for kind, box in self._painted(number)]
        return Marks(
            frame.width,
            frame.height,
            tuple(box for kind, box in painted if kind in _PATH),
            tuple(box for kind, box in painted if kind in _PICTURE),
            tuple(box for kind, box in painted if kind in _TEXT),
        )


def _as_painted(pixels: Any) -> Pictures.Image:
    """Pixels of MuPDF, whose colours are multiplied by what covers, for a look at them."""
    mode = {1: "L", 2: "La", 3: "RGB", 4: "RGBa"}[pixels.n]
    picture = Pictures.frombytes(mode, (pixels.width, pixels.height), pixels.samples)
    return picture.convert({"La": "LA", "RGBa": "RGBA"}.get(mode, mode))


def _placed(box: Any, turned: Any) -> Box:
    x0, y0, x1, y1 = (mupdf.Rect(box) * turned) if turned else box
    return (x0, y0, x1, y1)


def _same(one: Box, other: Box) -> bool:
    return all(abs(a - b) <= 2 for a, b in zip(one, other, strict=True))


def _middle_in(box: Box, outer: Box) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return outer[0] < x < outer[2] and outer[1] < y < outer[3]


def _is_rule(box: Box) -> bool:
    """A line across: under words, at the head of a page."""
    return box[3] - box[1] < 2 and box[2] - box[0] > box[3] - box[1]


def _too_small(picture: Pictures.Image) -> str:
    short, long = sorted(picture.size)
    if short < conf.FIGURE_MIN_PIXELS:
        return f"smaller than {conf.FIGURE_MIN_PIXELS} pixels"
    return f"longer than {conf.FIGURE_MAX_ASPECT:g} : 1" if long > conf.FIGURE_MAX_ASPECT * short else ""


def _trimmed(picture: Pictures.Image, region: Box) -> tuple[Pictures.Image, Box]:
    """Without the white paper around it, but for a margin: the boxes of strokes are wider than their ink."""
    ink = ImageChops.invert(picture.convert("L")).getbbox()
    if ink is None:
        return picture, region
    x_scale = picture.width / (region[2] - region[0])
    y_scale = picture.height / (region[3] - region[1])
    margin = round(MARGIN * x_scale)
    left, top = max(0, ink[0] - margin), max(0, ink[1] - margin)
    right, bottom = min(picture.width, ink[2] + margin), min(picture.height, ink[3] + margin)
    x0, y0 = region[0] + left / x_scale, region[1] + top / y_scale
    x1, y1 = region[0] + right / x_scale, region[1] + bottom / y_scale
    return picture.crop((left, top, right, bottom)), (round(x0, 1), round(y0, 1), round(x1, 1), round(y1, 1))


def _dpi_for(region: Box) -> int:
    """200, or what a very large page allows."""
    square_inches = (region[2] - region[0]) * (region[3] - region[1]) / 72**2
    return max(1, min(conf.PAGE_DPI, int((conf.MAX_PAGE_PIXELS / max(square_inches, 1e-6)) ** 0.5)))


def _wishes(document: Any, rest: list[str]) -> Iterator[Message]:
    """Each line of stdin names a file of wishes in OUT; “answered” follows the last of its answers."""
    out = Path(rest[0])
    work = Work(document, out)
    time = Allowance(conf.READ_SECONDS, conf.PICTURE_SECONDS, conf.LONGEST_PICTURE_SECONDS)
    yield {"type": "ready"}
    for name in sys.stdin:
        for told in json.loads((out / name.strip()).read_text()):
            time.next_piece()
            yield {"type": "granted"} | work.grant(wish_from(told)).to_dict()
        yield {"type": "answered"}


def run(arguments: list[str]) -> int:
    """The program, also as a fork of a process that has loaded it."""
    return main(arguments, {"wishes": _wishes})


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
