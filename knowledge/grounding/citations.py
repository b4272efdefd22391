"""Cites passages: finds a quote word for word, labels its source as a pilot does, and makes the citation of it.

Labels read "14 CFR 91.155(b)(2)", "AIM 3-2-6", "PHAK ch. 15, p. 15-3", "AC 90-66C, 10.1", "P/CG: WILCO". What is not
known is left out. In a quote only white space may differ, because lines break differently in a PDF and in a sentence.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from urllib.parse import urlencode

from knowledge.grounding.context import Passage
from knowledge.grounding.outline import ROMAN_NUMERALS

GLOSSARY = "P/CG"  # the Pilot/Controller Glossary, cited by its terms

_RUN_IN = re.compile(r"[A-Z][^.\n(]{2,90}\.\s+\((?P<mark>1)\)\s")


class QuoteNotFound(ValueError):
    """The quote does not stand in the passage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """What a reader needs to find the words. Clients of the API see these fields."""

    n: int
    document: str
    abbreviation: str
    doc_type: str
    section: str
    label: str
    edition: str
    page: int | None
    page_label: str
    anchor: str
    quote: str
    chunk_id: str
    relevance: float
    url: str

    def to_dict(self) -> dict[str, object]:
        return asdict(self)


def passage_url(chunk_id: str, quote: str = "", page: int | None = None) -> str:
    """The address at which the library opens a passage with the quote highlighted."""
    asked = {name: value for name, value in (("page", page), ("quote", quote)) if value}
    return f"/library/passages/{chunk_id}/" + (f"?{urlencode(asked)}" if asked else "")


def cite_quote(passage: Passage, quote: str, n: int | None = None) -> Citation:
    """The citation of the quote, with the passage's own characters. Raises QuoteNotFound."""
    span = find_quote(passage.text, quote)
    if span is None:
        raise QuoteNotFound(
            f"passage {passage.n} ({passage.label or passage.document}) does not hold: {quote[:120]!r}"
        )
    # A section of a regulation may be pages long, so its label names the paragraph as well: "(b)(2)".
    in_regulation = passage.doc_type == "cfr" and passage.section
    paragraph = paragraph_of_quote(passage.text, quote) if in_regulation else ""
    words = " ".join(passage.text[slice(*span)].split())
    page, page_label = passage.page_of(span[0])
    return Citation(
        n=passage.n if n is None else n,
        document=passage.document,
        abbreviation=passage.abbreviation,
        doc_type=passage.doc_type,
        section=passage.section,
        label=passage.label + paragraph,
        edition=passage.edition,
        page=page,
        page_label=page_label,
        anchor=passage.anchor,
        quote=words,
        chunk_id=passage.chunk_id,
        relevance=passage.relevance,
        url=passage_url(passage.chunk_id, words, page),
    )


# --- Quotes ------------------------------------------------------------------------------------------------


def find_quote(text: str, quote: str) -> tuple[int, int] | None:
    """Where the quote stands in the text, as [start, end) of its characters; None if it does not.

    Every character counts except white space, of which any amount equals any other. An empty quote stands nowhere.
    """
    words = quote.split()
    if not words:
        return None
    pattern = r"\s+".join(re.escape(word) for word in words)
    match = re.search(rf"(?<!\w){pattern}(?!\w)" if words[0][0].isalnum() else pattern, text)
    return match.span() if match else None


# --- Labels ------------------------------------------------------------------------------------------------


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
    """The label of a passage. `paragraph` is "(b)(2)", as `paragraph_of_quote` finds it. `heading` is what the passage
    stands under; in the glossary it names the term."""
    name = abbreviation or title
    if name == GLOSSARY and heading not in ("", title):
        return f"{name}: {heading}"
    shown = page_label or (str(page) if page else "")
    page_words = f"p. {shown}" if shown else ""
    if doc_type == "cfr":
        if section[:1].isdigit():
            return f"14 CFR {section}{paragraph}"
        return _join_parts(name, section)
    if doc_type == "aim":
        return f"{name} {section}".strip()
    if doc_type == "handbook":
        named = re.search(r"\bchapter (\d{1,2})\b", title, re.IGNORECASE)
        chapter = named[1] if named else page_label.partition("-")[0] if "-" in page_label else ""
        return _join_parts(f"{name} ch. {chapter}" if chapter.isdigit() else name, page_words or section)
    return _join_parts(name, section or page_words)


def _join_parts(name: str, place: str) -> str:
    return ", ".join(filter(None, (name, place)))


def paragraph_of_quote(text: str, quote: str) -> str:
    """The paragraph of a CFR section in which a quote begins, "(b)(2)"; "" where its place cannot be told."""
    span = find_quote(text, quote)
    if span is None:
        return ""
    path: tuple[str, ...] = ()
    for line in re.finditer(r"^(?:\((?:[a-z]{1,5}|\d{1,3}|[A-Z])\)\s*)+", text, re.MULTILINE):
        if line.start() > span[0]:
            break
        for mark in line.group().replace("(", " ").replace(")", " ").split():
            path = _path_at(path, mark)
        run_in = _RUN_IN.match(text, line.end())
        if run_in and run_in.start("mark") <= span[0]:
            path = _path_at(path, run_in["mark"])
    return "".join(f"({mark})" for mark in path) if path and path[0].isalpha() and path[0].islower() else ""


def _path_at(path: tuple[str, ...], mark: str) -> tuple[str, ...]:
    """The path at the next mark: letters hold numbers, numbers hold Roman ones, and those hold capitals."""
    follows = bool(path) and len(path[0]) == len(mark) == 1 and ord(mark) == ord(path[0]) + 1
    if mark.isdigit():
        level = 1
    elif mark.isupper():
        level = 3
    elif mark not in ROMAN_NUMERALS:
        level = 0
    elif len(mark) > 1:
        level = 2
    else:
        level = 2 if len(path) >= 2 and not (follows and (len(path) < 3 or mark != "i")) else 0
    if level > len(path):  # its parents stand in an earlier chunk
        return ("?",)
    return (*path[:level], mark)
