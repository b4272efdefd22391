"""Charts as SVG, colored by the style sheet, each with a title for people who cannot see it.

Escapes every text. Pure.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

WIDTH = 720
LEFT, RIGHT, TOP, BOTTOM = 60, 12, 14, 30
BAR_SHARE = 0.68
END_LABELS = 170  # room right of a slope chart for the names of its paths
LABELS_MOST = 12
STACKED_HEIGHT = 220
DEEPEST = 10  # the last rank that a slope chart draws apart


@dataclass(frozen=True, slots=True)
class Series:
    """`kind` is a class of the style sheet."""

    name: str
    kind: str
    values: tuple[float, ...]


def draw_stacked_bars(title: str, labels: Sequence[str], series: Sequence[Series]) -> str:
    """A bar for each label, its parts on top of each other; `values` are as many as there are labels."""
    totals = [sum(one.values[at] for one in series) for at in range(len(labels))]
    top = round_up(max(totals, default=0))
    room, wide = STACKED_HEIGHT - TOP - BOTTOM, WIDTH - LEFT - RIGHT
    step = wide / max(1, len(labels))
    parts = []
    for share in (0.0, 0.5, 1.0):
        y = TOP + room * (1 - share)
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        figure = format_axis_number(top * share)
        parts.append(f'<text class="figure left" x="{LEFT - 6}" y="{y + 4:.1f}">{figure}</text>')
    every = max(1, -(-len(labels) // LABELS_MOST))
    for at, label in enumerate(labels):
        x = LEFT + step * (at + (1 - BAR_SHARE) / 2)
        below = 0.0
        for one in series:
            tall = room * one.values[at] / top
            below += tall
            if one.values[at]:
                name = f"{label}: {format_number(one.values[at])} {one.name}"
                parts.append(
                    f'<rect class="{one.kind}" x="{x:.1f}" y="{TOP + room - below:.1f}"'
                    f' width="{step * BAR_SHARE:.1f}" height="{tall:.1f}"><title>{escape(name)}</title></rect>'
                )
        if at % every == 0:
            middle = LEFT + step * (at + 0.5)
            parts.append(
                f'<text class="axis middle" x="{middle:.1f}" y="{STACKED_HEIGHT - 10}">{escape(label)}</text>'
            )
    return _wrap_svg(title, STACKED_HEIGHT, parts)


def draw_bars(title: str, rows: Sequence[tuple[str, float]]) -> str:
    """A horizontal bar for each row, with its name on the left and its figure on the right."""
    most = max((value for _, value in rows), default=0) or 1
    names, figures, line = 230, 70, 26
    parts = []
    for at, (name, value) in enumerate(rows):
        y = TOP + at * line
        wide = (WIDTH - names - figures) * value / most
        figure = format_number(value)
        parts.append(f'<text class="name" x="{names - 10}" y="{y + 14}">{escape(shorten(name, 34))}</text>')
        parts.append(f'<rect class="one" x="{names}" y="{y}" width="{wide:.1f}" height="18" rx="3"/>')
        parts.append(f'<text class="figure" x="{names + wide + 6:.1f}" y="{y + 14}">{figure}</text>')
    return _wrap_svg(title, TOP * 2 + len(rows) * line, parts)


@dataclass(frozen=True, slots=True)
class Span:
    """A difference with its bounds, -1 to 1."""

    name: str
    middle: float
    lower: float
    upper: float


def draw_spans(title: str, rows: Sequence[Span]) -> str:
    """A line from bound to bound for each row, with a dot at its middle; a vertical line marks no difference."""
    names, figures, line = 150, 250, 34
    most = max((abs(value) for row in rows for value in (row.lower, row.upper, row.middle)), default=0) or 1
    room = WIDTH - names - figures
    foot = TOP + len(rows) * line

    def across(value: float) -> float:
        return names + room * (value / most + 1) / 2

    parts = [f'<line class="foot" x1="{across(0):.1f}" x2="{across(0):.1f}" y1="{TOP}" y2="{foot}"/>']
    for at, row in enumerate(rows):
        y = TOP + at * line + line / 2
        kind = "strong" if row.lower > 0 else "none" if row.upper < 0 else "weak"
        bounds = f"{row.middle:+.3f} ({row.lower:+.3f} to {row.upper:+.3f})"
        parts.append(
            f'<text class="name" x="{names - 10}" y="{y + 4}">{escape(shorten(row.name, 22))}</text>'
        )
        left, right = across(row.lower), across(row.upper)
        wide = max(2.0, right - left)
        parts.append(
            f'<rect class="{kind}" x="{left:.1f}" y="{y - 3}" width="{wide:.1f}" height="6" rx="3"/>'
        )
        parts.append(f'<circle cx="{across(row.middle):.1f}" cy="{y}" r="6"/>')
        parts.append(f'<text class="figure" x="{WIDTH - figures + 14}" y="{y + 4}">{escape(bounds)}</text>')
    return _wrap_svg(
        title,
        foot + BOTTOM,
        [*parts, f'<text class="axis middle" x="{across(0):.1f}" y="{foot + 18}">0</text>'],
    )


@dataclass(frozen=True, slots=True)
class Path:
    """One thing's rank in each column, from 1, or None. `given` draws it strongly and ends it with its `label`."""

    name: str
    ranks: tuple[int | None, ...]
    given: bool
    label: str = ""


def draw_slopes(title: str, columns: Sequence[str], paths: Sequence[Path]) -> str:
    """How ranks change from column to column; ranks below DEEPEST run along the foot."""
    line, head = 26, 34
    height = head + (DEEPEST + 1) * line + 12
    step = (WIDTH - 60 - END_LABELS) / max(1, len(columns) - 1)
    xs = [60 + step * at for at in range(len(columns))]
    parts = [
        f'<text class="column" x="{x:.1f}" y="16">{escape(name)}</text>'
        for x, name in zip(xs, columns, strict=True)
    ]
    parts.append(
        f'<line class="foot" x1="20" x2="{WIDTH - 20}" y1="{height - line - 4}" y2="{height - line - 4}"/>'
    )
    parts.append(f'<text class="axis" x="20" y="{height - 8}">below {DEEPEST}</text>')
    for path in sorted(paths, key=lambda one: one.given):
        points = [
            (x, head + (min(rank, DEEPEST + 1) - 0.5) * line, rank)
            for x, rank in zip(xs, path.ranks, strict=True)
            if rank is not None
        ]
        run = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in points)
        parts.append(f'<g class="{"given" if path.given else "other"}"><title>{escape(path.name)}</title>')
        parts.append(f'<polyline points="{run}"/>')
        for x, y, rank in points:
            if rank <= DEEPEST:
                parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="11"/>')
                parts.append(f'<text x="{x:.1f}" y="{y + 4:.1f}">{rank}</text>')
        if path.given and path.label and points and points[-1][2] <= DEEPEST:
            x, y, _ = points[-1]
            label = escape(shorten(path.label, 19))
            parts.append(f'<text class="end" x="{x + 18:.1f}" y="{y + 4:.1f}">{label}</text>')
        parts.append("</g>")
    return _wrap_svg(title, height, parts)


def _wrap_svg(title: str, height: float, parts: Sequence[str]) -> str:
    body = "".join(parts)
    return (
        f'<svg class="plot" viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label={quoteattr(title)}>'
        f"{body}</svg>"
    )


# --- numbers and names ---


def round_up(value: float) -> float:
    """A round number that is not less: 1, 2, 5 or 10 times a power of ten. Never 0."""
    if value <= 0:
        return 1.0
    power = 10.0 ** len(str(int(value))[1:]) if value >= 1 else 0.0001
    while power * 10 < value:
        power *= 10
    return next(power * times for times in (1, 2, 5, 10) if power * times >= value)


def format_number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}" if value >= 0.01 else f"{value:.4f}"


def format_axis_number(value: float) -> str:
    """Short, as an axis needs it: "500k", "1.5M"."""
    for size, sign in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if value >= size:
            return f"{value / (1e3 if sign == 'k' else size):g}{sign}"
    return format_number(value)


def shorten(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
