"""Spells out a sentence's references, so that a rule can be read alone. Pure.

"Paragraph (b) of this section" is written as "§ 91.155(b)". A sentence that depends on its headings gets them.
"""

from __future__ import annotations

import re
from typing import Final

SECTION_SIGN: Final = r"(?<!§)§++ ?[\d.]+[a-z]?(?: ?\([A-Za-z0-9]+\))*"
"""The expression of a section as it is cited: "§ 91.155(b)"."""

_LABELS: Final = r"(?:\([A-Za-z0-9]{1,5}\)(?: (?=\(\d))?)++"
_PARAGRAPHS: Final = re.compile(
    rf"\bparagraphs? (?P<list>{_LABELS}(?:(?:, (?:and |or )?| and | or | through ){_LABELS})*+)"
    rf"(?: of this section|(?! of\b)(?![(\w]))"
    rf"|\bthis paragraph(?: (?P<labels>{_LABELS}))?(?: of this section)?|\bthis section\b",
    re.I,
)
_SECTION: Final = re.compile(r"(?P<part>\d{1,3})\.\d{1,4}[a-z]?")


def resolve_references(sentence: str, section: str, path: str, subpart: str = "") -> str:
    """The sentence with its references to paragraphs, section, subpart and part spelled out; as it is without a CFR
    section."""
    cfr = _SECTION.fullmatch(section)
    if cfr is None:
        return sentence

    def cited(found: re.Match[str]) -> str:
        bare = found["list"] and not found.group().endswith("section")
        if bare and re.search(r"§ ?(?!" + re.escape(section) + r"\b)\d", found.string[: found.start()]):
            return found.group()  # "§ 25.1457 (except for paragraph (d))" is another section's
        own = path if found.group().lower().startswith("this paragraph") else ""
        return f"§ {section}{(found['list'] or found['labels'] or own).replace(') (', ')(')}"

    said = re.sub(rf"({SECTION_SIGN}) of this (?:chapter|(?:sub)?part)\b", r"\1", sentence)
    if named := re.match(r"Subpart [A-Z]{1,2}\b", subpart):
        said = re.sub(
            r"\bthis subpart\b", f"subpart {named.group()[8:]} of part {cfr['part']}", said, flags=re.I
        )
    return re.sub(r"\bthis part(?: \d+)?\b", f"part {cfr['part']}", _PARAGRAPHS.sub(cited, said), flags=re.I)


def add_context(sentence: str, section: str, headings: tuple[str, ...]) -> str:
    """A sentence that leans on those before it, with section and headings: "Under § 91.107 (safety belts), …"."""
    is_section = _SECTION.fullmatch(section) is not None
    named = f"§ {section}" if is_section else section
    above = (heading.rstrip(". ") for heading in headings if heading)
    said = "; ".join(
        _lower_first(heading) if is_section else heading for heading in above
    )  # or it is a title
    words = sentence if re.match(r"[A-Z]{2}|[A-Z][a-z]?\.|Class\b", sentence) else _lower_first(sentence)
    return f"Under {named} ({said}), {words}" if named and said else sentence


def split_context(statement: str) -> tuple[str, str]:
    """The sentence itself, and the headings that were set before it ("" if none)."""
    match = re.match(
        r"Under (?:§ ?[\d.]+[a-z]?|[A-Z][^(]{2,60}) \((?P<context>[^()]*(?:\([^()]*\)[^()]*)*)\), ", statement
    )
    if not match:
        return statement, ""
    rest = statement[match.end() :]
    return rest[:1].upper() + rest[1:], match["context"]


def _lower_first(words: str) -> str:
    return words if re.match(r"[A-Z]{2}|(?!A )[A-Z]\b", words) else words[:1].lower() + words[1:]
