"""An embedded picture is kept as it looks on its page, in whatever colours and behind whatever mask the file has it."""

import io
from pathlib import Path

import pymupdf
import pytest
from PIL import Image, ImageChops, ImageDraw, ImageStat

from knowledge.ingestion.figures.image_requests import ImageRequest
from knowledge.ingestion.figures.image_worker import ImageExtractor

SIZE = (300, 240)
BOX = (50.0, 40.0, 350.0, 280.0)
INK = "[/Separation/Spot/DeviceCMYK<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 0 0 1]/N 1>>]"
HEAD = "<</Type/XObject/Subtype/Image/Width {}/Height {}/BitsPerComponent 8"


def drawing(mode: str = "RGB") -> Image.Image:
    picture = Image.new("RGB", SIZE, "white")
    draw = ImageDraw.Draw(picture)
    draw.rectangle((20, 20, 140, 120), fill=(200, 30, 30))
    draw.ellipse((160, 60, 280, 200), fill=(20, 40, 180))
    draw.text((40, 180), "FIGURE 4-2", fill="black")
    return picture.convert(mode)


def jpeg() -> bytes:
    out = io.BytesIO()
    drawing().save(out, "JPEG", quality=95)
    return out.getvalue()


def half_mask() -> tuple[str, bytes]:
    mask = Image.linear_gradient("L").resize((SIZE[0] // 2, SIZE[1] // 2))
    return HEAD.format(*mask.size) + "/ColorSpace/DeviceGray>>", mask.tobytes()


KINDS = {
    "ink": (f"/ColorSpace{INK}", ImageChops.invert(drawing("L")).tobytes()),
    "colours turned round": ("/ColorSpace/DeviceRGB/Decode[1 0 1 0 1 0]", drawing().tobytes()),
    "a photograph turned round": ("/ColorSpace/DeviceRGB/Filter/DCTDecode/Decode[1 0 1 0 1 0]", jpeg()),
    "four inks": ("/ColorSpace/DeviceCMYK", drawing("CMYK").tobytes()),
    "a mask of half its size": ("/ColorSpace/DeviceRGB/SMask {mask} 0 R", drawing().tobytes()),
}


def page_with(entries: str, data: bytes) -> tuple[pymupdf.Document, int]:
    """A PDF of one page that shows one picture at BOX, and the number of the picture."""
    made = pymupdf.open()
    page = made.new_page(width=400, height=320)
    mask = made.get_new_xref()
    about, through = half_mask()
    made.update_object(mask, about)
    made.update_stream(mask, through, new=1, compress=0)
    picture = made.get_new_xref()
    made.update_object(picture, HEAD.format(*SIZE) + entries.replace("{mask}", str(mask)) + ">>")
    made.update_stream(picture, data, new=1, compress=0)
    if "/DCTDecode" in entries:
        made.xref_set_key(picture, "Filter", "/DCTDecode")
    made.xref_set_key(page.xref, "Resources", f"<</XObject<</Im0 {picture} 0 R>>>>")
    contents = made.get_new_xref()
    made.update_object(contents, "<<>>")
    made.update_stream(contents, b"q 300 0 0 240 50 40 cm /Im0 Do Q", new=1, compress=0)
    made.xref_set_key(page.xref, "Contents", f"{contents} 0 R")
    shown = pymupdf.open("pdf", made.tobytes())
    return shown, shown[0].get_images(full=True)[0][0]


def on_paper(path: Path) -> Image.Image:
    kept = Image.open(path).convert("RGBA")
    paper = Image.new("RGBA", kept.size, "white")
    paper.alpha_composite(kept)
    return paper.convert("RGB").resize(SIZE)


@pytest.mark.parametrize("kind", KINDS)
def test_it_looks_as_on_its_page(kind: str, tmp_path: Path) -> None:
    document, xref = page_with(*KINDS[kind])
    granted = ImageExtractor(document, tmp_path).extract(
        ImageRequest(number=1, kind="embedded", page=1, xref=xref, bbox=BOX)
    )
    assert not granted.refused
    pixels = document[0].get_pixmap(clip=BOX)
    page = Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples).resize(SIZE)
    apart = ImageStat.Stat(ImageChops.difference(on_paper(tmp_path / granted.file), page)).mean
    assert max(apart) < 6  # of 255
