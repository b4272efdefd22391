"""Files for a soak: each has its own words and title, so that none is an edition of another."""

import random
from collections.abc import Sequence
from pathlib import Path

import pymupdf

from tests.doubles.made_pdfs import sentence
from tests.doubles.source_files import figure

KINDS = ("figures", "text", "markdown")


def document(folder: Path, at: int) -> Path:
    """The file with this number: a PDF with figures, a PDF of text, or Markdown."""
    dice = random.Random(at)
    kind = KINDS[at % len(KINDS)]
    path = folder / f"soak_{at:03}.{'md' if kind == 'markdown' else 'pdf'}"
    if not path.exists():
        sections = [_section(dice, at, number) for number in range(1, dice.randint(5, 14))]
        if kind == "markdown":
            path.write_text(_markdown(at, sections))
        else:
            _pdf(path, at, sections, figures=kind == "figures")
    return path


def title(path: Path) -> str:
    return f"Handbook of {path.stem.replace('_', ' number ')}"


def _section(dice: random.Random, at: int, number: int) -> tuple[str, str]:
    text = " ".join(f"In case {at}-{number}-{dice.randrange(1000)}: {sentence(dice)}" for _ in range(8))
    return f"Part {number} of matter {at}", text


def _markdown(at: int, sections: Sequence[tuple[str, str]]) -> str:
    return f"# Matter {at}\n\n" + "\n\n".join(f"## {heading}\n\n{text}" for heading, text in sections)


def _pdf(path: Path, at: int, sections: Sequence[tuple[str, str]], *, figures: bool) -> None:
    with pymupdf.open() as made:
        for number, (heading, text) in enumerate(sections, 1):
            page = made.new_page()
            page.insert_text((72, 90), heading, fontname="hebo", fontsize=16)
            named = f"See Figure {at}-{number}. " if figures else ""
            page.insert_textbox((72, 110, 540, 400), named + text, fontsize=10)
            if figures:
                page.insert_image((72, 420, 312, 600), stream=figure(at * 20 + number))
                page.insert_text((72, 620), f"Figure {at}-{number}. What part {number} shows.", fontsize=9)
        made.save(path)


def long_pdf(path: Path, pages: int, seed: int) -> Path:
    """So many pages of forty lines each. Their words are those of a few sheets, so that few vectors are to be made."""
    dice = random.Random(seed)
    sheets = [[" ".join(sentence(dice).split()[:14]) for _ in range(40)] for _ in range(25)]
    with pymupdf.open() as made, pymupdf.open() as few:
        for at, lines in enumerate(sheets, 1):
            page = few.new_page()
            page.insert_text((72, 60), f"Part {at} of {seed}", fontname="hebo", fontsize=14)
            page.insert_text((72, 84), lines, fontsize=9, lineheight=1.4)
        while made.page_count < pages:  # copies cost next to nothing
            made.insert_pdf(few, to_page=min(len(sheets), pages - made.page_count) - 1)
        made.save(path)
    return path
