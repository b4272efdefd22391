"""Build the demo handbook's PDF from its Markdown and drawn figures.

`python -m tools.demo_handbook.build_handbook` rewrites `heydpe_demo_handbook.pdf`. Nothing in it depends on the day or
the machine: the same sources give the same text, labels and outline.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pymupdf

from desk.demo.content import HANDBOOK
from tools.demo_handbook import typesetting as ts
from tools.demo_handbook.blocks import Block, Heading, blocks_of

HERE = Path(__file__).parent
SOURCES = HERE / "handbook"

TITLE = "HeyDPE Demo Handbook"
SUBTITLE = "Eight Tasks of the private pilot oral, explained"
EDITION = "First edition, November 2026"
EDITION_DAY = "D:20261101000000Z"  # a fixed day, so that a rebuild gives the same file
FOOT = "HeyDPE demo handbook – written for practice, not an FAA publication"
NOTICE = (
    "This handbook was written for HeyDPE, a practice oral exam for pilots. It is not an FAA publication and "
    "does not replace one. It shows what the program does with a document until you load the FAA's own. The "
    "regulations, the Aeronautical Information Manual and the papers of your airplane decide."
)

SMALL = ts.Style(ts.SANS, 7.8, 10, ts.GREY, 0)
NOTE = ts.Style(ts.SANS, 9, 12.6)
LABEL = ts.Style(ts.SANS_BOLD, 9, 11, ts.NAVY, 0)


@dataclass(frozen=True, slots=True)
class Chapter:
    number: int  # 0 is the front matter
    blocks: tuple[Block, ...]

    @property
    def title(self) -> str:
        return self.blocks[0].text if isinstance(self.blocks[0], Heading) else ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page of a chapter: its printed label and its blocks."""

    chapter: Chapter
    label: str
    blocks: tuple[Block, ...]


def main(target: Path = HANDBOOK) -> None:
    target.write_bytes(build())
    sys.stdout.write(f"{target}: {target.stat().st_size // 1024} KB\n")


def build() -> bytes:
    """The handbook as the bytes of a PDF with page labels and an outline."""
    chapters = tuple(read_chapters(SOURCES))
    sheets = [sheet for chapter in chapters for sheet in sheets_of(chapter)]
    pdf = pymupdf.open()
    _draw_title(pdf.new_page(width=ts.PAGE.width, height=ts.PAGE.height))
    for sheet in sheets:
        _draw_sheet(pdf.new_page(width=ts.PAGE.width, height=ts.PAGE.height), sheet)
    pdf.set_page_labels(_page_labels(sheets))
    pdf.set_toc(list(_outline_rows(sheets)))
    pdf.set_metadata({"title": TITLE, "author": "HeyDPE", "subject": SUBTITLE, "creationDate": EDITION_DAY})
    pdf.subset_fonts()
    data: bytes = pdf.tobytes(garbage=4, deflate=True, no_new_id=True, use_objstms=1)
    return data


def read_chapters(folder: Path) -> Iterator[Chapter]:
    for number, path in enumerate(sorted(folder.glob("*.md"))):
        yield Chapter(number, blocks_of(path.read_text(encoding="utf-8")))


def sheets_of(chapter: Chapter) -> list[Sheet]:
    return [
        Sheet(chapter, _label_for(chapter.number, n), tuple(blocks))
        for n, blocks in enumerate(_paginate(chapter.blocks), start=1)
    ]


def _label_for(chapter: int, n: int) -> str:
    return f"{chapter}-{n}" if chapter else "i" * n


def _paginate(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Fill pages with whole blocks; a heading stays with the block that follows it."""
    page: list[Block] = []
    y = ts.TOP
    for group in _group_with_headings(blocks):
        height = sum(ts.height_of(block) for block in group)
        if page and y + height > ts.BOTTOM:
            yield page
            page, y = [], ts.TOP
        page.extend(group)
        y += height
    yield page


def _group_with_headings(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    group: list[Block] = []
    for block in blocks:
        group.append(block)
        if not isinstance(block, Heading):
            yield group
            group = []


def _draw_sheet(page: Any, sheet: Sheet) -> None:
    head = f"Chapter {sheet.chapter.number}: {sheet.chapter.title}" if sheet.chapter.number else TITLE
    ts.write(page, [head], SMALL, ts.LEFT, 34)
    page.draw_line((ts.LEFT, 48), (ts.RIGHT, 48), color=ts.NAVY, width=0.6)
    y = ts.TOP
    for block in sheet.blocks:
        y = ts.draw_block(page, block, y)
    _draw_foot(page, sheet.label)


def _draw_foot(page: Any, label: str) -> None:
    page.draw_line((ts.LEFT, 642), (ts.RIGHT, 642), color=ts.NAVY, width=0.6)
    ts.write(page, [FOOT], SMALL, ts.LEFT, 648)
    x = ts.RIGHT - LABEL.font.text_length(label, fontsize=LABEL.size)
    ts.write(page, [label], LABEL, x, 648)


def _draw_title(page: Any) -> None:
    page.draw_rect(pymupdf.Rect(0, 0, ts.PAGE.width, 400), color=None, fill=ts.NAVY)
    page.draw_circle((360, 400), 96, color=None, fill=ts.RUST)
    page.draw_rect(pymupdf.Rect(0, 400, ts.PAGE.width, ts.PAGE.height), color=None, fill=ts.WHITE)
    page.draw_line((0, 400), (ts.PAGE.width, 400), color=ts.WHITE, width=3)
    _draw_runway(page)
    ts.write(page, ["HeyDPE", "Demo Handbook"], ts.Style(ts.SANS_BOLD, 40, 47, ts.WHITE), ts.LEFT, 110)
    ts.write(page, [SUBTITLE], ts.Style(ts.SANS, 14.5, 20, ts.WHITE), ts.LEFT, 218)
    ts.write(page, [EDITION], ts.Style(ts.SANS, 10, 14, ts.WHITE), ts.LEFT, 246)
    ts.write(page, ts.broken(NOTICE, NOTE, ts.WIDTH), NOTE, ts.LEFT, 562)
    _draw_foot(page, "")


def _draw_runway(page: Any) -> None:
    """A runway that leads to the horizon."""
    page.draw_quad(pymupdf.Quad((222, 402), (246, 402), (124, 540), (344, 540)), color=None, fill=ts.GREY)
    for near, far in ((536, 506), (490, 468), (456, 440), (431, 420)):
        half = [(y - 395) * 0.016 for y in (far, near)]
        page.draw_quad(
            pymupdf.Quad(
                (234 - half[0], far), (234 + half[0], far), (234 - half[1], near), (234 + half[1], near)
            ),
            color=None,
            fill=ts.WHITE,
        )


def _page_labels(sheets: Iterable[Sheet]) -> list[dict[str, Any]]:
    labels: list[dict[str, Any]] = [{"startpage": 0, "prefix": "Cover", "style": "", "firstpagenum": 1}]
    for page, sheet in enumerate(sheets, start=1):
        if sheet.label in ("i", f"{sheet.chapter.number}-1"):
            style = (
                {"prefix": f"{sheet.chapter.number}-", "style": "D"}
                if sheet.chapter.number
                else {"style": "r"}
            )
            labels.append({"startpage": page, "firstpagenum": 1, "prefix": "", **style})
    return labels


def _outline_rows(sheets: Iterable[Sheet]) -> Iterator[list[Any]]:
    for page, sheet in enumerate(sheets, start=2):
        for block in sheet.blocks:
            if isinstance(block, Heading):
                number = f"{sheet.chapter.number} " if block.level == 1 and sheet.chapter.number else ""
                yield [block.level, f"{number}{block.text}", page]


if __name__ == "__main__":
    main()
