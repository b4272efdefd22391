"""PDF files made while a test runs: text, headings, figures, and the ways in which a file can be bad."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import pymupdf
from PIL import Image, ImageDraw
from pymupdf import mupdf

BODY = (
    "A pilot tunes 121.5 MHz and reads section 91.205(b)(1) before the flight. The visibility is 3.5 statute miles. "
    "No person may operate an aircraft below 1,000 feet above the surface unless it is necessary for landing. "
)


def figure(seed: int, width: int = 240, height: int = 180) -> bytes:
    """A picture that no other seed gives, large enough to be kept."""
    picture = Image.effect_noise((width, height), 60 + seed).convert("RGB")
    ImageDraw.Draw(picture).rectangle((10 + seed, 10, 60 + seed, 60), fill=(200, seed * 20 % 255, 30))
    out = BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def handbook(path: Path, pages: int = 3, *, body: str = BODY) -> Path:
    """A handbook with running heads, printed page numbers "7-1"…, a heading and a named figure on each page."""
    document = pymupdf.open()
    for number in range(1, pages + 1):
        page = document.new_page()
        page.insert_text((72, 40), "Practice Handbook", fontsize=9)
        page.insert_text((300, 770), f"7-{number}", fontsize=9)
        page.insert_text((72, 90), f"Airspace Part {number}", fontname="hebo", fontsize=16)
        page.insert_textbox((72, 110, 540, 400), f"See Figure 7-{number}. {body * 3}", fontsize=11)
        page.insert_image((72, 420, 312, 600), stream=figure(number))
        page.insert_text(
            (72, 620), f"Figure 7-{number}. Layers of controlled airspace, part {number}.", fontsize=9
        )
    document.set_metadata({"title": "Practice Handbook"})
    document.save(path)
    document.close()
    return path


def one_page(path: Path, texts: Sequence[str], **save: object) -> Path:
    document = pymupdf.open()
    page = document.new_page()
    for at, text in enumerate(texts):
        page.insert_text((72, 90 + 20 * at), text, fontsize=11)
    document.save(path, **save)
    document.close()
    return path


def locked(path: Path) -> Path:
    return one_page(
        path, ["secret"], encryption=mupdf.PDF_ENCRYPT_AES_256, user_pw="open sesame", owner_pw="owner"
    )


def without_pages(path: Path) -> Path:
    """A file that is a PDF in all but its pages."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [] /Count 0 >>"]
    data, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(data)
    data += b"xref\n0 3\n0000000000 65535 f \n" + table
    data += b"trailer\n<< /Size 3 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % start
    path.write_bytes(data)
    return path


def scan(path: Path) -> Path:
    """A page that is a picture of text."""
    document = pymupdf.open()
    document.new_page().insert_image((0, 0, 612, 792), stream=figure(1, 600, 780))
    document.save(path)
    document.close()
    return path
