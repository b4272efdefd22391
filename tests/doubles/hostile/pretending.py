"""What sites answer instead of a document, as people save it; and a scan, which is a document without text."""

from io import BytesIO

import pymupdf

from tests.doubles.source_files import figure

from .values import READ, Hostile

MENU = "".join(
    f"<li><a href='#'>{name}</a></li>"
    for name in (
        "Home",
        "Pilots",
        "Aircraft",
        "Airports",
        "Regulations &amp; Guidance",
        "Data",
        "News",
        "Contact Us",
    )
)
NOT_FOUND = f"""<h1>Department of the Sky</h1><ul>{MENU}</ul><h2>Page Not Found</h2>
<p>We could not find the page that you asked for. It may have been moved in the redesign of our site.</p>
<p>Try the search, or begin at the home page.</p>
<p>800 Example Avenue, Washington · Privacy Policy · Accessibility</p>"""
WALL = """<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title>
<meta http-equiv="refresh" content="390">
<style>body{display:flex}.h1{font-size:2.5rem}</style></head><body class="no-js"><div class="main-wrapper" role="main">
<div class="main-content"><h1>www.example.gov</h1><h2>Verifying you are human. This may take a few seconds.</h2>
<noscript><div>Enable JavaScript and cookies to continue</div></noscript><p>www.example.gov needs to review the
security of your connection before proceeding.</p></div></div><footer>Ray ID: <code>8f0a1b2c3d4e5f60</code></footer>
<script>window._cf_chl_opt={cvId:'3'};</script></body></html>"""
DENIED = """<HTML><HEAD><TITLE>Access Denied</TITLE></HEAD><BODY><H1>Access Denied</H1>
You don't have permission to access "http&#58;&#47;&#47;www&#46;example&#46;gov&#47;handbook&#46;pdf" on this server.<P>
Reference&#32;&#35;18&#46;5f6&#46;17000</BODY></HTML>"""


def printed(markup: str) -> bytes:
    """A web page as a browser prints it to a PDF, with the address and the day at the edges."""
    out = BytesIO()
    writer = pymupdf.DocumentWriter(out)
    story = pymupdf.Story(html=markup)
    more = 1
    while more:
        device = writer.begin_page(pymupdf.Rect(0, 0, 612, 792))
        more, _ = story.place(pymupdf.Rect(54, 60, 558, 730))
        story.draw(device)
        writer.end_page()
    writer.close()
    with pymupdf.open("pdf", out.getvalue()) as document:
        for page in document:
            page.insert_text((30, 25), "11/22/26, 4:12 AM", fontsize=8)
            page.insert_text((240, 25), "Page Not Found | Department of the Sky", fontsize=8)
            page.insert_text((30, 780), "https://www.example.gov/regulations/handbooks/gone.pdf", fontsize=8)
        document.set_metadata({"title": "Department of the Sky"})
        data: bytes = document.tobytes()
    return data


def _scan() -> bytes:
    with pymupdf.open() as document:
        for seed in (1, 2):
            document.new_page(width=612, height=792).insert_image(
                (0, 0, 612, 792), stream=figure(seed, 600, 780)
            )
        data: bytes = document.tobytes()
    return data


PRETENDING: tuple[Hostile, ...] = (
    Hostile(name="printed_not_found.pdf", make=lambda: printed(NOT_FOUND), becomes=("page_not_found",)),
    Hostile(
        name="printed_wall.pdf",
        make=lambda: printed(WALL.replace("<noscript>", "")),
        becomes=("bot_wall", "page_not_found"),
    ),
    Hostile(
        name="not_found.html",
        make=lambda: f"<!doctype html><body>{NOT_FOUND}".encode(),
        becomes=("page_not_found",),
    ),
    Hostile(name="wall.html", make=WALL.encode, becomes=("bot_wall",)),
    Hostile(name="denied.html", make=DENIED.encode, becomes=("bot_wall",)),
    Hostile(name="denied.pdf", make=DENIED.encode, becomes=("not_a_pdf",)),
    Hostile(name="wall.md", make=WALL.encode, becomes=("bot_wall",)),
    Hostile(name="scan.pdf", make=_scan, becomes=(READ,)),
    Hostile(name="empty.pdf", make=bytes, becomes=("empty",)),
    Hostile(name="page.pdf", make=lambda: b"<!DOCTYPE html><title>Handbook</title>", becomes=("not_a_pdf",)),
    Hostile(name="words.pdf", make=lambda: b"These are words.", becomes=("not_a_pdf",)),
    Hostile(name="picture.pdf", make=lambda: figure(1), becomes=("not_text",)),
    Hostile(name="office.pdf", make=lambda: b"PK\x03\x04" + bytes(3000), becomes=("not_text",)),
    Hostile(
        name="archive_and.pdf",
        make=lambda: b"PK\x03\x04" + bytes(200) + printed(NOT_FOUND),
        becomes=("polyglot",),
    ),
    Hostile(
        name="packed_and.pdf",
        make=lambda: b"\x1f\x8b\x08" + bytes(20) + printed(NOT_FOUND),
        becomes=("polyglot",),
    ),
    Hostile(
        name="picture_and.pdf", make=lambda: b"GIF89a" + bytes(20) + printed(NOT_FOUND), becomes=("polyglot",)
    ),
    Hostile(
        name="program_and.pdf", make=lambda: b"#!/bin/sh\nexit\n" + printed(NOT_FOUND), becomes=("polyglot",)
    ),
    Hostile(
        name="page_and.html", make=lambda: b"<html><script>/*" + printed(NOT_FOUND), becomes=("polyglot",)
    ),
    Hostile(
        name="script_and.pdf",
        make=lambda: b"\xef\xbb\xbf<!doctype html>" + printed(NOT_FOUND),
        becomes=("polyglot",),
    ),
)
