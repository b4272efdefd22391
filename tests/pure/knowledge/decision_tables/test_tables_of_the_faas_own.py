"""The decision tables, filled by the claims that are found in the FAA's own parts 61 and 91, if all were approved.

§ 91.155 is compared with the FAA's own table, read here by other code; the rest with what a person read in the text.
"""

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml

from curation.extraction import extract_from
from knowledge.decision_tables.placement import Claim, FilledCell, fill_cells
from knowledge.decision_tables.table_data import decision_tables, table_named
from tests.doubles.faa_files import cfr
from tests.doubles.regulation_claims import MODEL, materials_of_part, part_file

READ: dict[str, dict[str, dict[str, object]]] = yaml.safe_load(
    (Path(__file__).parents[3] / "data" / "decision_tables.yaml").read_text("utf-8")
)
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(
        not all(path.exists() for path in cfr(61, 91)), reason="../shared/data/faa/cfr is not there"
    ),
]


@cache
def faa_claims() -> list[Claim]:
    """Those of the sections that the tables are made of."""
    wanted = {one.split()[-1] for table in decision_tables().values() for one in table.references}
    found = [
        claim
        for part in (61, 91)
        for material in materials_of_part(part)
        if material.section in wanted
        for claim in extract_from(material, MODEL).claims
    ]
    return [
        Claim(id=one.statement, statement=one.statement, reference=one.key_facts["cfr_reference"])
        for one in {claim.statement: claim for claim in found}.values()
    ]


def facts_of(filled: FilledCell) -> dict[str, object]:
    return {name: [way.value for way in ways] for name, ways in filled.values.items()}


@pytest.mark.parametrize("domain", READ)
def test_every_cell_tells_what_a_person_read(domain: str) -> None:
    cells = fill_cells(table_named(domain), faa_claims())
    found = {" ".join(filled.cell.where.values()): facts_of(filled) for filled in cells}
    expected = {cell: {name: [value] for name, value in told.items()} for cell, told in READ[domain].items()}
    assert found == expected


def test_every_table_but_that_of_the_weather_was_read() -> None:
    assert {*READ, "weather_minimums"} == set(decision_tables())


class RowsOf91155(HTMLParser):
    """The rows of the first table after the heading of § 91.155, as lists of cells."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def minimums_printed() -> dict[tuple[str, ...], tuple[str, str]]:
    """By class, altitude, aircraft and time as printed: the visibility, and the distances in one line."""
    text = next(part for part in part_file(91).read_text().split("\n### ") if re.match(r"§91\.155\b", part))
    parser = RowsOf91155()
    parser.feed(re.search(r"<table.*?</table>", text, re.S)[0])  # type: ignore[index]
    found: dict[tuple[str, ...], tuple[str, str]] = {}
    heads: dict[int, str] = {}
    for place, sight, clouds in parser.rows[1:]:
        place = re.sub(r", except as provided in .*$", "", place.strip()).rstrip(":")
        if place:
            level = next(
                (
                    n
                    for n, begins in enumerate((r"Class", r"[\dMAL].*(feet|MSL)", r"For ", r"Day|Night"))
                    if re.match(begins, place)
                ),
                0,
            )
            heads = {n: head for n, head in heads.items() if n < level} | {level: place}
        if not clouds.strip():
            continue
        key = tuple(heads[n] for n in sorted(heads))
        if sight.strip():
            found[key] = (sight.strip(), clouds.strip().rstrip("."))
        else:
            found[key] = (found[key][0], f"{found[key][1]}, {clouds.strip().rstrip('.')}")
    return found


def test_every_cell_of_91_155_is_that_of_the_faas_table() -> None:
    aircraft = {"Airplane": "For aircraft other than helicopters", "Helicopter": "For helicopters"}
    table = table_named("weather_minimums")
    computed = {}
    for filled in fill_cells(table, faa_claims()):
        titles = {
            name: table.dimensions[name].values[value].title for name, value in filled.cell.where.items()
        }
        altitude = titles.get("altitude", "")
        if altitude == "1,200 feet or less above the surface":
            altitude += " (regardless of MSL altitude)"
        key = (
            titles["airspace"],
            altitude,
            aircraft.get(titles.get("aircraft", ""), ""),
            titles.get("time", ""),
        )
        told = {name: " or ".join(way.words for way in ways) for name, ways in filled.values.items()}
        computed[tuple(filter(None, key))] = (told.get("visibility_sm", ""), told.get("cloud_clearance", ""))
    printed = {
        key: (sight.replace("1⁄2 statute mile", "0.5 statute miles").lower(), clouds.lower())
        for key, (sight, clouds) in minimums_printed().items()
    }
    assert len(printed) == 13
    assert computed == printed
