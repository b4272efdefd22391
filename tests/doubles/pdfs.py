"""Small PDFs made on the spot."""

from pathlib import Path

import pymupdf

RULES = """Traffic at Airports Without a Tower

A pilot who approaches an airport without an operating control tower must make all turns to the left, unless the
airport displays markings that call for turns to the right. No person may operate an aircraft so close to another
aircraft as to create a collision hazard. A pilot must announce the position on the advisory frequency at least
10 miles from the airport. The frequency 122.9 MHz is used where none has been assigned."""


def rule_pdf(path: Path, text: str = RULES) -> Path:
    """One page with a heading and four rules."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_textbox((72, 72, 540, 700), text, fontsize=12)
    document.save(path)
    return path
