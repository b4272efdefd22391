"""Pages of text as an adapter would find them: each line where it would be printed, each word where it begins."""

from collections.abc import Sequence

from knowledge.ingestion.document_model import Line, RawPage

LETTER = 5.0  # points a letter is wide, whichever it is
PITCH = 12.0


def line(
    text: str,
    *,
    x: float = 72.0,
    y: float = 100.0,
    size: float = 10.0,
    bold: bool = False,
    lead: str = "",
    block: int = 0,
) -> Line:
    starts, at = [], x
    for word in text.split():
        starts.append(at)
        at += LETTER * (len(word) + 1)
    return Line(
        text=" ".join(text.split()),
        bbox=(x, y, max(x, at - LETTER), y + size),
        size=size,
        bold=bold,
        lead=lead or (text if bold else ""),
        block=block,
        xs=tuple(starts),
    )


def page(number: int, *texts: str | Line, top: float = 100.0, x: float = 72.0, **more: object) -> RawPage:
    """One column of lines below each other; an empty text is a gap."""
    lines, y, block = [], top, 0
    for text in texts:
        if isinstance(text, Line):
            lines.append(text)
        elif text:
            lines.append(line(text, x=x, y=y, block=block))
        else:
            block += 1
        y += PITCH
    return RawPage(number=number, width=612.0, height=792.0, lines=tuple(lines), **more)  # type: ignore[arg-type]


def wrapped(text: str, letters: int = 60) -> list[str]:
    """A text as lines of at most so many letters."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) + 1 > letters and lines[-1]:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def plain(texts: Sequence[str]) -> str:
    """What of texts remains when white space does not count."""
    return "".join("".join(text.split()) for text in texts)
