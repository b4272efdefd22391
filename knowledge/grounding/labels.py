"""How a pilot cites: "14 CFR 91.155(b)(2)", "AIM 3-2-6", "PHAK ch. 15, p. 15-3", "AC 90-66C, 10.1",
"P/CG: WILCO". Pure.

What is not known is left out; a label never says more than the source does.
"""

import re

from .quotes import find_quote

GLOSSARY = "P/CG"  # the Pilot/Controller Glossary, cited by its terms

_MARK = re.compile(r"\((?P<mark>[a-z]{1,5}|\d{1,3}|[A-Z])\)")
_LINE_MARKS = re.compile(r"^(?:\((?:[a-z]{1,5}|\d{1,3}|[A-Z])\)\s*)+", re.MULTILINE)
_RUN_IN = re.compile(r"[A-Z][^.\n(]{2,90}\.\s+\((?P<mark>1)\)\s")
_ROMAN = re.compile(r"(?:x{0,3})(?:ix|iv|v?i{0,3})\Z")
_CHAPTER = re.compile(r"\bchapter (\d{1,2})\b", re.IGNORECASE)


def source_label(
    *,
    doc_type: str,
    abbreviation: str,
    title: str = "",
    section: str = "",
    page_label: str = "",
    page: int | None = None,
    paragraph: str = "",
    heading: str = "",
) -> str:
    """The label of a passage. `paragraph` is "(b)(2)", as `paragraph_of_quote` finds it; `heading` is what it stands
    under, which names a term of the glossary."""
    name = abbreviation or title
    if name == GLOSSARY and heading not in ("", title):
        return f"{name}: {heading}"
    shown = page_label or (str(page) if page else "")
    if doc_type == "cfr":
        return _regulation(name, section, paragraph)
    if doc_type == "aim":
        return f"{name} {section}".strip()
    if doc_type == "handbook":
        return _joined(_with_chapter(name, title, page_label), f"p. {shown}" if shown else section)
    return _joined(name, section or (f"p. {shown}" if shown else ""))


def _regulation(name: str, section: str, paragraph: str) -> str:
    if section[:1].isdigit():
        return f"14 CFR {section}{paragraph}"
    return _joined(name, section)


def _with_chapter(name: str, title: str, page_label: str) -> str:
    match = _CHAPTER.search(title)
    printed = page_label.partition("-")[0] if "-" in page_label else ""
    chapter = match[1] if match else printed
    return f"{name} ch. {chapter}" if chapter.isdigit() else name


def _joined(name: str, place: str) -> str:
    return ", ".join(part for part in (name, place) if part)


def paragraph_of_quote(text: str, quote: str) -> str:
    """The paragraph of a CFR section in which a quote begins: "(b)(2)"; empty where its place cannot be
    told.
    """
    span = find_quote(text, quote)
    if span is None:
        return ""
    path: tuple[str, ...] = ()
    for line in _LINE_MARKS.finditer(text):
        if line.start() > span[0]:
            break
        for mark in _MARK.finditer(line.group()):
            path = _advanced(path, mark["mark"])
        run_in = _RUN_IN.match(text, line.end())
        if run_in and run_in.start("mark") <= span[0]:
            path = _advanced(path, run_in["mark"])
    return "".join(f"({mark})" for mark in path) if path and path[0].isalpha() and path[0].islower() else ""


def _advanced(path: tuple[str, ...], mark: str) -> tuple[str, ...]:
    """The path at the next mark: letters hold numbers, numbers hold Roman ones, those hold capitals."""
    level = _level(path, mark)
    if level > len(path):  # its parents stand in an earlier chunk
        return ("?",)
    return (*path[:level], mark)


def _level(path: tuple[str, ...], mark: str) -> int:
    if mark.isdigit():
        return 1
    if mark.isupper():
        return 3
    if len(mark) > 1 and _ROMAN.match(mark):
        return 2
    before = path[0] if path else ""
    follows = len(mark) == 1 and len(before) == 1 and ord(mark) == ord(before) + 1
    if _ROMAN.match(mark) and len(path) >= 2 and not (follows and (len(path) < 3 or mark != "i")):
        return 2
    return 0
