"""Draw the handbook's figures as PNG images.

Each figure is a function that draws on a canvas. Figures are drawn at twice their size and scaled down, so that lines
and letters are smooth. This module knows nothing of the handbook's pages.
"""

import io
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

SCALE = 2
SIZE = (1080, 560)  # pixels of the finished picture: 340 points wide on the page, so 228 dots an inch

INK = "#1d2733"
NAVY = "#14365d"
SKY = "#dbe8f5"
MIST = "#f4f7fa"
RUST = "#c8572b"
SAND = "#efe3cf"
GREEN = "#2e8b57"
RED = "#c0392b"
WHITE = "#ffffff"
GREY = "#8996a5"
MAGENTA = "#9b3f83"

Point = tuple[float, float]
Box = tuple[float, float, float, float]


@lru_cache(maxsize=32)
def _load_font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont), "Pillow was built without FreeType"
    return font


@dataclass(frozen=True, slots=True)
class Canvas:
    """Draws in finished pixels and hides the supersampling."""

    image: Image.Image
    pen: ImageDraw.ImageDraw

    def box(
        self, box: Box, fill: str | None, outline: str | None = None, width: int = 2, radius: int = 0
    ) -> None:
        scaled = [v * SCALE for v in box]
        self.pen.rounded_rectangle(
            scaled, radius * SCALE, fill=fill, outline=outline, width=width * SCALE if outline else 0
        )

    def line(self, points: Sequence[Point], color: str = INK, width: int = 3) -> None:
        self.pen.line(
            [(x * SCALE, y * SCALE) for x, y in points], fill=color, width=width * SCALE, joint="curve"
        )

    def shape(self, points: Sequence[Point], fill: str, outline: str | None = None) -> None:
        self.pen.polygon(
            [(x * SCALE, y * SCALE) for x, y in points], fill=fill, outline=outline, width=2 * SCALE
        )

    def disc(self, center: Point, radius: float, fill: str | None, outline: str | None = None) -> None:
        x, y = center
        scaled = [v * SCALE for v in (x - radius, y - radius, x + radius, y + radius)]
        self.pen.ellipse(scaled, fill=fill, outline=outline, width=3 * SCALE)

    def slice(self, center: Point, radius: float, angles: tuple[float, float], fill: str) -> None:
        x, y = center
        scaled = [v * SCALE for v in (x - radius, y - radius, x + radius, y + radius)]
        self.pen.pieslice(scaled, angles[0], angles[1], fill=fill)

    def text(self, at: Point, text: str, size: int = 24, color: str = INK, anchor: str = "mm") -> None:
        self.pen.multiline_text(
            (at[0] * SCALE, at[1] * SCALE),
            text,
            fill=color,
            font=_load_font(size * SCALE),
            anchor=anchor,
            align="center",
            spacing=6 * SCALE,
        )

    def arrow(self, start: Point, end: Point, color: str = INK, width: int = 3, head: float = 16) -> None:
        angle = math.atan2(end[1] - start[1], end[0] - start[0])
        wings = [
            (end[0] - head * math.cos(angle + turn), end[1] - head * math.sin(angle + turn))
            for turn in (-0.4, 0.4)
        ]
        self.line([start, end], color, width)
        self.shape([end, *wings], color)


def draw(name: str) -> bytes:
    """The figure as PNG bytes. KeyError for a name that is not in FIGURES."""
    figure = FIGURES[name]
    image = Image.new("RGB", (SIZE[0] * SCALE, SIZE[1] * SCALE), WHITE)
    figure(Canvas(image, ImageDraw.Draw(image)))
    out = io.BytesIO()
    image.resize(SIZE, Image.Resampling.LANCZOS).save(out, "PNG", optimize=True)
    return out.getvalue()


def _draw_inspections(c: Canvas) -> None:
    left, right = 290, 1030
    bars = [
        ("Annual", "12 calendar months", 12, NAVY),
        ("Locator transmitter", "12 calendar months", 12, MAGENTA),
        ("Transponder", "24 calendar months", 24, GREEN),
    ]
    for month in range(0, 25, 6):
        x = left + (right - left) * month / 24
        c.line([(x, 60), (x, 480)], GREY, 1)
        c.text((x, 38), f"{month}", 22, GREY)
    c.text((150, 38), "months", 22, GREY)
    for row, (name, span, months, color) in enumerate(bars):
        y = 80 + row * 92
        c.text((30, y + 30), name, 26, INK, "lm")
        c.box((left, y, left + (right - left) * months / 24, y + 60), color, radius=8)
        c.text((left + (right - left) * months / 48, y + 30), span, 24, WHITE)
    c.text((30, 402), "100-hour", 26, INK, "lm")
    for start in range(0, 24, 4):
        x = left + (right - left) * start / 24
        c.box((x, 372, x + 112, 432), RUST, radius=8)
        c.text((x + 56, 402), "100 h", 22, WHITE)
    c.text((660, 510), "A busy trainer flies 100 hours in about four months", 22, GREY)


def _draw_fuel(c: Canvas) -> None:
    left, minute = 150, 4.6
    plans = [("Day", 30, SAND), ("Night", 45, SAND)]
    for row, (name, reserve, color) in enumerate(plans):
        y = 90 + row * 190
        parts = [("taxi", 10, GREY), ("climb", 15, RUST), ("cruise to the first landing", 105, NAVY)]
        x = float(left)
        c.text((75, y + 50), name, 32)
        for label, minutes, fill in parts:
            c.box((x, y, x + minutes * minute, y + 100), fill, WHITE)
            c.text(
                (x + minutes * minute / 2, y + 50),
                label if minutes > 20 else label[:5],
                18 if minutes < 20 else 26,
                WHITE,
            )
            x += minutes * minute
        c.box((x, y, x + reserve * minute, y + 100), color, INK)
        c.text((x + reserve * minute / 2, y + 50), f"{reserve}\nmin", 26)
        c.box((x, y - 8, x + 60 * minute, y + 108), None, GREEN, 3)
        c.text((x + 30 * minute, y + 132), "personal reserve: 60 min", 22, GREEN)
    c.line([(left, 510), (1030, 510)], INK, 2)
    c.text((590, 536), "fuel on board, in minutes of flight", 22, GREY)


def _draw_cruise(c: Canvas) -> None:
    center, radius = (360.0, 280.0), 225.0
    c.slice(center, radius, (-90, 90), SKY)
    c.slice(center, radius, (90, 270), SAND)
    c.disc(center, radius, None, INK)
    c.line([(360, 55), (360, 505)], INK, 3)
    c.text((470, 280), "ODD\nthousands\n+ 500 ft", 30, NAVY)
    c.text((250, 280), "EVEN\nthousands\n+ 500 ft", 30, RUST)
    for degrees in range(0, 360, 30):
        angle = math.radians(degrees - 90)
        c.text((360 + 250 * math.cos(angle), 280 + 250 * math.sin(angle)), f"{degrees}°", 20, GREY)
    c.text((840, 110), "Magnetic course", 28)
    c.box((680, 150, 1000, 290), SKY, NAVY, radius=12)
    c.text((840, 220), "0° to 179°\n3,500  5,500  7,500\n9,500  11,500", 27, NAVY)
    c.box((680, 320, 1000, 460), SAND, RUST, radius=12)
    c.text((840, 390), "180° to 359°\n4,500  6,500  8,500\n10,500  12,500", 27, RUST)
    c.text((840, 505), "more than 3,000 feet above the surface", 19, GREY)


def _draw_airspace(c: Canvas) -> None:
    c.box((0, 0, 1080, 560), MIST)
    c.box((0, 0, 1080, 90), SKY)
    c.text((540, 45), "Class A: 18,000 feet MSL and above, IFR only", 26, NAVY)
    c.line([(0, 90), (1080, 90)], NAVY, 3)
    c.text((540, 120), "Class E", 28, MAGENTA)
    c.line([(0, 190), (1080, 190)], GREY, 2)
    c.text((1066, 174), "10,000 feet MSL", 20, GREY, "rm")
    c.shape(
        [
            (60, 230),
            (420, 230),
            (420, 330),
            (350, 330),
            (350, 420),
            (300, 420),
            (300, 500),
            (180, 500),
            (180, 420),
            (130, 420),
            (130, 330),
            (60, 330),
        ],
        SKY,
        NAVY,
    )
    c.text((240, 300), "Class B\nclearance", 28, NAVY)
    c.shape(
        [(520, 350), (760, 350), (760, 430), (705, 430), (705, 500), (575, 500), (575, 430), (520, 430)],
        "#f3e3ef",
        MAGENTA,
    )
    c.text((640, 400), "Class C\ntwo-way radio", 25, MAGENTA)
    c.box((840, 420, 1000, 500), "#e3edf8", NAVY)
    c.text((920, 460), "Class D\ntwo-way radio", 21, NAVY)
    c.box((0, 500, 1080, 560), SAND)
    c.line([(0, 500), (1080, 500)], INK, 3)
    c.text((450, 470), "Class G", 25, RUST)
    c.line([(420, 446), (520, 446)], RUST, 2)
    c.text((540, 532), "surface", 22)


def _draw_oxygen(c: Canvas) -> None:
    bands = [
        ("below 12,500 feet", "nothing required; advised above 10,000 feet", 130, GREEN),
        ("12,500 to 14,000 feet", "crew: for the time beyond 30 minutes", 130, "#d9a441"),
        ("above 14,000 feet", "crew: all the time", 110, RUST),
        ("above 15,000 feet", "crew: all the time; every occupant provided", 110, RED),
    ]
    y = 530.0
    for name, rule, height, color in bands:
        c.box((40, y - height, 330, y - 4), color, radius=8)
        c.text((185, y - height / 2), name, 25, WHITE)
        c.text((360, y - height / 2), rule, 25, INK, "lm")
        y -= height
    c.text((40, 28), "cabin pressure altitude", 24, GREY, "lm")


def _draw_lightgun(c: Canvas) -> None:
    rows = [
        (("steady", GREEN, GREEN), "cleared to land"),
        (("flashing", GREEN, GREEN), "return for landing"),
        (("steady", RED, RED), "give way, continue circling"),
        (("flashing", RED, RED), "airport unsafe, do not land"),
        (("flashing", "#fdfdfd", "#fdfdfd"), "no meaning in flight"),
        (("alternating", RED, GREEN), "exercise extreme caution"),
    ]
    c.box((0, 0, 1080, 560), "#22303f")
    for row, ((kind, first, second), meaning) in enumerate(rows):
        y = 52 + row * 91
        colors = (first,) if kind == "steady" else (first, second, first)
        for n, color in enumerate(colors):
            c.disc((90 + n * 90, y), 32, color, WHITE)
        if kind == "steady":
            c.line([(130, y), (320, y)], first, 12)
        c.text((370, y), kind, 28, SKY, "lm")
        c.text((580, y), meaning, 30, WHITE, "lm")


def _draw_airplane(c: Canvas, at: Point, angle: float, size: float, color: str) -> None:
    """An airplane from above, nose toward `angle` (degrees, 0 = right)."""
    outline = [
        (1, 0),
        (0.75, 0.1),
        (0.3, 0.1),
        (0.1, 0.95),
        (-0.15, 0.95),
        (-0.05, 0.1),
        (-0.7, 0.08),
        (-0.8, 0.35),
        (-0.95, 0.35),
        (-0.95, 0),
    ]
    outline += [(x, -y) for x, y in reversed(outline)]
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    c.shape(
        [(at[0] + size * (x * cos - y * sin), at[1] + size * (x * sin + y * cos)) for x, y in outline], color
    )


def _draw_pattern(c: Canvas) -> None:
    c.box((0, 0, 1080, 560), "#eef4ea")
    c.box((300, 400, 780, 450), "#6b7480")
    for x in range(340, 760, 60):
        c.line([(x, 425), (x + 30, 425)], WHITE, 4)
    c.text((316, 425), "9", 26, WHITE, "lm")
    legs = [(880.0, 425.0), (990.0, 425.0), (990.0, 160.0), (110.0, 160.0), (110.0, 425.0), (300.0, 425.0)]
    c.line([(780, 425), *legs[:1]], NAVY, 4)
    for start, end in itertools.pairwise(legs):
        c.arrow(start, end, NAVY, 4)
    labels = [
        ((880, 460), "departure"),
        ((905, 290), "crosswind"),
        ((310, 190), "downwind"),
        ((160, 290), "base"),
        ((205, 460), "final"),
    ]
    for at, label in labels:
        c.text(at, label, 26, NAVY)
    c.arrow((720, 30), (588, 156), RUST, 5)
    c.text((840, 60), "entry at 45 degrees,\nat pattern altitude", 25, RUST)
    _draw_airplane(c, (690, 160), 180, 34, INK)
    _draw_airplane(c, (654, 93), 136, 34, RUST)
    c.text((540, 520), "left-hand pattern for runway 9, wind from the east", 22, GREY)


def _draw_poslights(c: Canvas) -> None:
    c.box((0, 0, 1080, 560), "#17202b")
    center = (300.0, 290.0)
    c.slice(center, 220, (-90, 20), "#1f4d38")
    c.slice(center, 220, (160, 270), "#5a2622")
    c.slice(center, 220, (20, 160), "#4a545f")
    _draw_airplane(c, center, -90, 120, "#9fb0c2")
    c.disc((186, 278), 13, "#ff4b3a", WHITE)
    c.disc((414, 278), 13, "#3ddc84", WHITE)
    c.disc((300, 404), 13, WHITE, GREY)
    c.text((130, 200), "red", 26, "#ff8a7d")
    c.text((470, 200), "green", 26, "#7df0ae")
    c.text((300, 470), "white", 26, WHITE)
    views = [
        (("#3ddc84", "#ff4b3a"), "green left, red right: coming toward you"),
        (("#ff4b3a",), "red alone: crossing from right to left"),
        (("#3ddc84",), "green alone: crossing from left to right"),
        ((WHITE,), "white alone: flying away"),
    ]
    for row, (colors, meaning) in enumerate(views):
        y = 100 + row * 110
        for n, color in enumerate(colors):
            c.disc((585 + n * 34, y), 13, color)
        c.text((650, y), meaning, 21, SKY, "lm")


FIGURES: dict[str, Callable[[Canvas], None]] = {
    "inspections.png": _draw_inspections,
    "fuel.png": _draw_fuel,
    "cruise.png": _draw_cruise,
    "airspace.png": _draw_airspace,
    "oxygen.png": _draw_oxygen,
    "lightgun.png": _draw_lightgun,
    "pattern.png": _draw_pattern,
    "poslights.png": _draw_poslights,
}
