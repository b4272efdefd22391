"""A passage's place becomes the way in which a pilot cites it. Pure."""

import re

_CHAPTER = re.compile(r"chapter (\d{1,2})\b", re.IGNORECASE)


def label_of(
    *,
    doc_type: str,
    abbreviation: str,
    title: str,
    section: str = "",
    page_label: str = "",
    page: int | None = None,
) -> str:
    """As "14 CFR 91.155", "AIM 3-2-6", "PHAK ch. 15, p. 15-3": whatever of it is known."""
    if doc_type == "cfr":
        return _regulation(abbreviation or title, section)
    name = abbreviation or title
    if doc_type == "aim" and section:
        return f"{name} {section.removeprefix(name).strip()}"
    chapter = _chapter(title, page_label) if doc_type == "handbook" else ""
    named = " ".join(
        filter(None, (name, f"ch. {chapter}" if chapter else "", section if not chapter else ""))
    )
    printed = page_label or (str(page) if page else "")
    return f"{named}, p. {printed}" if printed else named


def _regulation(name: str, section: str) -> str:
    """The part in the name gives way to the section, which begins with it."""
    title = re.match(r"\d+ CFR", name)
    return f"{title.group() if title else name} {section}" if section else name


def _chapter(title: str, page_label: str) -> str:
    named = _CHAPTER.search(title)
    if named:
        return named[1]
    numbered = re.match(r"(\d{1,2})-\d", page_label)
    return numbered[1] if numbered else ""
