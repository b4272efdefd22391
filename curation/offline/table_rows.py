"""Draft a claim for each row of a table that can be read as a sentence.

A row of weather minimums reads "Class E: Less than 10,000 feet MSL | 3 statute miles | 500 feet below."; the rows of
one printed line follow each other. Other tables say in their headings how to read them: "If you hold | And you were |
Then it expires". Only the words that make it a sentence are added. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby

from curation.offline.list_joining import Candidate

_COLUMNS = ("airspace", "visibility", "clouds")
_SIDES = ("below", "above", "horizontal")


@dataclass(frozen=True, slots=True)
class _Row:
    place: str
    visibility: str
    clouds: str
    start: int
    end: int


def minimums_in(text: str, section: str = "") -> Iterator[Candidate]:
    """A claim for each whole group of rows; a group that the chunk's border cut is refused. The table's header may
    stand elsewhere in the section."""
    header = [line.strip() for line in f"{text}\n{section}".splitlines() if _is_header(line)][:1]
    found = []
    for line in re.finditer(r"[^\n]+", text):
        cells = [cell.strip() for cell in line.group().split("|")]
        if len(cells) == 3 and re.match(r"Class [A-G]\b", cells[0]) and not _is_header(line.group()):
            found.append(_Row(cells[0].rstrip("."), cells[1], cells[2], *line.span()))
    for (place, visibility), group in groupby(found, key=lambda row: (row.place, row.visibility)):
        rows = list(group)
        quote = text[rows[0].start : rows[-1].end].strip()
        clouds = [
            said.strip(" .").lower() for row in rows for said in row.clouds.split(";") if said.strip(" .")
        ]
        if "not applicable" in visibility.lower():
            said = "flight visibility is not applicable, and distance from clouds is not applicable."
            yield Candidate(f"In {place} airspace, {said}", (*header, quote), "(a)")
            continue
        has_sides = len(clouds) == 3 and all(any(side in line for line in clouds) for side in _SIDES)
        whole = has_sides or clouds == ["clear of clouds"]
        refused = "" if whole else "a row of a table without its neighbors"
        yield Candidate(_sentence_for(place, visibility, clouds), (*header, quote), "(a)", refused=refused)


def _is_header(line: str) -> bool:
    cells = line.lower().split("|")
    return len(cells) == 3 and all(name in cell for name, cell in zip(_COLUMNS, cells, strict=True))


def _sentence_for(place: str, visibility: str, clouds: list[str]) -> str:
    airspace, *details = [part.strip() for part in place.split(": ")]
    where = f"In {airspace} airspace"
    for part in details:  # a band, a kind of aircraft or a time of day
        said = part[0].lower() + part[1:]
        said = re.sub(r"^(day|night)\b", lambda match: {"day": "by day", "night": "at night"}[match[1]], said)
        where += f", {said}"
    *first, last = clouds or [""]
    distance = ", ".join([*first, f"and {last}"]) if first else last
    kept = f"staying {distance}" if distance == "clear of clouds" else f"a distance from clouds of {distance}"
    return f"{where}, VFR flight requires a flight visibility of {visibility} and {kept}."


def conditions_in_rows(text: str, section: str, path_at: Callable[[int], str]) -> Iterator[Candidate]:
    """A claim for each row of a table whose headings begin with "If", "And" and "Then". The headings may stand
    elsewhere in the section; `path_at` tells the paragraph of a place of the text."""
    heads: list[str] = []
    header = ""
    for line in re.finditer(r"[^\n]+", f"{section}\n{text}"):
        place = line.start() - len(section) - 1
        cells = [cell.strip() for cell in line.group().split("|")]
        if re.match(r"If\b", cells[0]) and all(re.match(r"(?:And|Then)\b", cell) for cell in cells[1:]):
            heads, header = (
                [" ".join(cell.replace(";", " ").strip(" .").split()) for cell in cells],
                line.group(),
            )
        elif len(cells) != len(heads) or len(cells) == 1:
            heads = heads if place < 0 else []
        elif place >= 0 and all(cells):
            said = [re.sub(r"^\([A-Za-z\d]{1,4}\) ", "", cell).rstrip(" .,;") for cell in cells]
            parts = [
                f"{_lower_first(head)} {_lower_first(one)}" for head, one in zip(heads, said, strict=True)
            ]
            sentence = ", ".join(parts)
            statement = f"{sentence[:1].upper()}{sentence[1:]}."
            yield Candidate(statement, (header.strip(), line.group().strip()), path_at(place), listed=True)


def _lower_first(words: str) -> str:
    return words if words[1:2].isupper() else words[:1].lower() + words[1:]
