""" "Paragraph (b) of this section" becomes "§ 91.155(b)", so that a rule can be read without its
neighbours. Pure."""

from __future__ import annotations

import re

_LABELS = r"(?:\([A-Za-z0-9]{1,5}\))+"
_PARAGRAPHS = re.compile(
    (
        rf"\bparagraphs? (?P<list>{_LABELS}(?:(?:, (?:and |or )?| and | or | through ){_LABELS})*) of "
        rf"this section"
    ),
    re.I,
)
_THIS_SECTION = re.compile(r"\bthis section\b", re.I)
_THIS_PARAGRAPH = re.compile(
    r"\bthis paragraph(?: (?P<labels>(?:\([A-Za-z0-9]{1,5}\))+))?(?: of this section)?", re.I
)
_THIS_PART = re.compile(r"\bthis part(?: \d+)?\b", re.I)
_OF_THIS_CHAPTER = re.compile(r" of this (?:chapter|part)\b(?=[^.]*)")
_SECTION = re.compile(r"\d{1,3}\.\d{1,4}[a-z]?")


def resolved(sentence: str, section: str, path: str) -> str:
    """The sentence with its references to paragraphs, section and part spelled out. Without a CFR section
    it stays."""
    if not _SECTION.fullmatch(section):
        return sentence
    part = section.split(".")[0]
    named = f"§ {section}"
    said = re.sub(
        r"((?<!§)§++ ?[\d.]+[a-z]?(?: ?\([A-Za-z0-9]+\))*) of this (?:chapter|part)\b", r"\1", sentence
    )
    said = _THIS_PARAGRAPH.sub(lambda match: f"{named}{match['labels'] or path}", said)
    said = _PARAGRAPHS.sub(lambda match: f"{named}{match['list']}", said)
    said = _THIS_SECTION.sub(named, said)
    return _THIS_PART.sub(f"part {part}", said)


_CONTEXT = re.compile(
    r"^Under (?:§ ?[\d.]+[a-z]?|[A-Z][^(]{2,60}) \((?P<context>[^()]*(?:\([^()]*\)[^()]*)*)\), "
)


def in_context(sentence: str, section: str, headings: tuple[str, ...]) -> str:
    """A sentence that leans on what stands before it, with its section and headings: "Under § 91.107
    (safety belts), …"."""
    named = f"§ {section}" if _SECTION.fullmatch(section) else section
    said = "; ".join(_uncapitalised(heading.rstrip(". ")) for heading in headings if heading)
    words = sentence if re.match(r"[A-Z]{2}|[A-Z][a-z]?\.|Class\b", sentence) else _uncapitalised(sentence)
    return f"Under {named} ({said}), {words}" if named and said else sentence


def without_context(statement: str) -> tuple[str, str]:
    """The sentence itself, and the headings that were set before it ("" if none)."""
    match = _CONTEXT.match(statement)
    if not match:
        return statement, ""
    rest = statement[match.end() :]
    return rest[:1].upper() + rest[1:], match["context"]


def _uncapitalised(words: str) -> str:
    return words if re.match(r"[A-Z]{2}|[A-Z]\b", words) else words[:1].lower() + words[1:]
