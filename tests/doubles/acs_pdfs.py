"""An ACS set in the print of another edition: the same Areas, Tasks and elements, another layout."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import wrap

import pymupdf

from knowledge.standards.acs_reader import AcsElementText, AcsStandard, AcsTaskText

WIDTH, HEIGHT = 612.0, 792.0
TOP, BOTTOM = 64.0, 735.0
SIZE, LEADING, GAP = 10.0, 12.0, 20.0
LABELS = ("References", "Objective", "Note", "Knowledge", "Risk Management", "Skills")
PREAMBLES = {
    "K": ("Knowledge", "The applicant demonstrates understanding of:"),
    "R": (
        "Risk Management",
        "The applicant demonstrates the ability to identify, assess, and mitigate risks:",
    ),
    "S": ("Skills", "The applicant demonstrates the ability to:"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How an edition is printed. `bold` names what is bold: "headings", "labels", "codes" or "all"."""

    name: str
    bold: frozenset[str] = frozenset({"headings", "labels"})
    colon: bool = True
    drop_cap: float = 0.0  # size of the capital; 0 = none
    cap_first: bool = False  # whether the capital stands before its word in the file
    long_area: bool = True  # "Area of Operation I. …", else "I. …"
    label_x: float = 40.0
    flush_right: float = 0.0  # labels end here; 0 = they begin at `label_x`
    code_x: float = 50.0
    text_x: float = 122.0
    part_x: float = 104.0  # where the text of a label begins
    below: bool = False  # the text of a label stands below it
    stacked_risk: bool = True  # "Risk" above "Management"
    contents: bool = True
    appendix: bool = True
    sideways: bool = False  # wide pages
    foot: float = 22.0  # points of the foot above the page's lower edge


LAYOUTS = (
    Layout(name="as 6C", drop_cap=SIZE, flush_right=101.0),
    Layout(name="nothing bold", bold=frozenset()),
    Layout(
        name="all bold", bold=frozenset({"headings", "labels", "codes", "all"}), drop_cap=SIZE, cap_first=True
    ),
    Layout(
        name="as 6B", colon=False, long_area=False, label_x=42, code_x=42, text_x=118, part_x=118, foot=48
    ),
    Layout(
        name="as 6B, plain",
        bold=frozenset(),
        colon=False,
        long_area=False,
        stacked_risk=False,
        text_x=130,
        part_x=130,
    ),
    Layout(name="large capitals", drop_cap=14.0, label_x=40, bold=frozenset({"headings"})),
    Layout(name="labels above", below=True, part_x=60, stacked_risk=False),
    Layout(name="wide", sideways=True, label_x=60, code_x=60, text_x=210, part_x=210, contents=False),
)


@dataclass(slots=True)
class _Press:
    layout: Layout
    standard: AcsStandard
    document: pymupdf.Document = field(default_factory=pymupdf.open)
    y: float = BOTTOM
    page: pymupdf.Page | None = None
    running: str = ""

    def put(
        self, x: float, text: str, what: str = "", *, size: float = SIZE, y: float | None = None
    ) -> float:
        """Set a text on the line that is open; where it ends."""
        assert self.page is not None
        bold = what in self.layout.bold or "all" in self.layout.bold
        font = "hebo" if bold else "helv"
        self.page.insert_text((x, self.y if y is None else y), _latin(text), fontsize=size, fontname=font)
        return x + pymupdf.get_text_length(_latin(text), fontname=font, fontsize=size)

    def down(self, by: float) -> None:
        self.y += by
        if self.page is None or self.y > self.bottom:
            self.turn()

    def turn(self) -> None:
        width, height = (HEIGHT, WIDTH) if self.layout.sideways else (WIDTH, HEIGHT)
        self.page = self.document.new_page(width=width, height=height)
        self.y = TOP
        if self.running:
            self.put(36, self.running, y=22)
            foot = height - self.layout.foot
            self.put(36, f"{self.standard.title} ({self.standard.number})", y=foot)
            self.put(width - 40, str(len(self.document)), y=foot)

    @property
    def bottom(self) -> float:
        return WIDTH - 60 if self.layout.sideways else BOTTOM

    def text(self, x: float, text: str) -> None:
        """A text from the open line downwards."""
        assert self.page is not None
        letters = int((self.page.rect.width - x - 40) / 4.6)
        for at, line in enumerate(wrap(text, letters, break_on_hyphens=True) or [""]):
            if at:
                self.down(LEADING)
            self.put(x, line)


def acs_pdf(path: Path, standard: AcsStandard, layout: Layout, cover: Sequence[str] = ()) -> Path:
    """Write the standard to `path` as this layout prints it; `cover` stands above its title."""
    press = _Press(layout, standard)
    _cover(press, cover)
    if layout.contents:
        _contents(press)
    for area in standard.areas:
        press.running = _area_heading(layout, area.number, area.title)
        press.turn()
        press.put(36, press.running, "headings", size=12)
        for task in area.tasks:
            press.down(30)
            _task(press, task)
    if layout.appendix:
        press.running = "Appendix 1: Practical Test Roles, Responsibilities, and Outcomes"
        press.turn()
        press.put(36, press.running, "headings", size=12)
        press.down(GAP)
        press.put(36, f"{standard.elements[0].code}9 is an example in the appendix.")
    press.document.save(path)
    press.document.close()
    return path


def _cover(press: _Press, above: Sequence[str]) -> None:
    press.turn()
    standard = press.standard
    dated = [standard.edition_date.strftime("%B %Y")] if standard.edition_date else []
    for line in (*above, standard.number, *wrap(standard.title, 40), *dated, "Flight Standards Service"):
        press.put(150, line, "headings", size=14)
        press.down(40)


def _contents(press: _Press) -> None:
    press.running = "Table of Contents"
    press.turn()
    for area in press.standard.areas:
        heading = _area_heading(press.layout, area.number, area.title)
        press.put(36, heading if press.layout.long_area else f"{heading} {'.' * 40} 2")
        press.down(GAP)
        for task in area.tasks:
            named = (
                f"Task {task.code[-1]}.  {task.title}"
                if press.layout.long_area
                else f"{task.code[-1]}. {task.title}"
            )
            press.put(54, f"{named}{'.' * 30}{task.page}")
            press.down(GAP)
    if press.layout.appendix:
        press.put(36, f"Appendix 1: Practical Test Roles, Responsibilities, and Outcomes{'.' * 20}70")


def _area_heading(layout: Layout, number: str, title: str) -> str:
    return f"Area of Operation {number}.  {title}" if layout.long_area else f"{number}. {title}"


def _task(press: _Press, task: AcsTaskText) -> None:
    classes = f" ({', '.join(task.classes)})" if task.classes else ""
    lines = wrap(f"Task {task.code[-1]}.  {task.title}{classes}", 60, break_on_hyphens=False)
    press.put(36, lines[0], "headings", size=11)
    for line in lines[1:]:
        press.down(LEADING)
        press.put(85, line, "headings", size=11)
    for label, text in (("References", task.references_line), ("Objective", task.objective)):
        _part(press, label, text)
    for note in task.notes:
        _part(press, "Note", note)
    for letter, (label, preamble) in PREAMBLES.items():
        inside = [one for one in task.elements if one.code.split(".")[3][0] == letter]
        if inside:
            _part(press, label, preamble)
        for element in inside:
            _element(press, element)


def _part(press: _Press, label: str, text: str) -> None:
    layout = press.layout
    press.down(GAP)
    if label == "Risk Management" and layout.stacked_risk:
        press.put(layout.label_x, "Risk", "labels")
        press.down(LEADING)
        label = "Management"
    _label(press, label + (":" if layout.colon else ""))
    if layout.below:
        press.down(LEADING)
    press.text(layout.part_x, text)


def _label(press: _Press, label: str) -> None:
    layout = press.layout
    length = pymupdf.get_text_length(label, fontname="hebo", fontsize=SIZE)
    x = layout.flush_right - length - 3 if layout.flush_right else layout.label_x
    if not layout.drop_cap:
        press.put(x, label, "labels")
        return
    font = "hebo" if "labels" in layout.bold or "all" in layout.bold else "helv"
    width = pymupdf.get_text_length(label[0], fontname=font, fontsize=layout.drop_cap)
    if layout.cap_first:
        press.put(x, label[0], "labels", size=layout.drop_cap)
    press.put(x + width, label[1:], "labels")
    if not layout.cap_first:
        press.put(x, label[0], "labels", size=layout.drop_cap)


def _element(press: _Press, element: AcsElementText) -> None:
    press.down(GAP)
    press.put(press.layout.code_x, element.code, "codes", size=9)
    sub = element.code[-1] if element.parent else ""
    press.text(press.layout.text_x + (13 if sub else 0), f"{sub}. {element.text}" if sub else element.text)


def _latin(text: str) -> str:
    """What the built-in fonts can set."""
    return text.replace("’", "'").replace("“", '"').replace("”", '"').replace("–", "-").replace("‒", "-")
