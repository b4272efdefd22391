"""What a document spells out is read with its place; what only looks like it is not."""

import pytest

from knowledge.retrieval.query.abbreviation_extraction import abbreviations_in, spells
from knowledge.retrieval.query.builder import BUILT_IN, glossary_from, terms_in
from tests.doubles import faa_files


def read(text: str) -> list[tuple[str, str]]:
    return [(one.short, one.long) for one in abbreviations_in(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("An Automated Surface Observing System (ASOS).", ("ASOS", "automated surface observing system")),
        ("It is in an Aviation Routine Weather Report (METAR).", ("METAR", "aviation routine weather report")),
        ("Land and Hold Short Operations (LAHSO) are voluntary.", ("LAHSO", "land and hold short operation")),
        ("The VOR (VHF omnidirectional range) is tuned.", ("VOR", "vhf omnidirectional range")),
        ("TDC. Top dead center. The position of a piston.", ("TDC", "top dead center")),
        ("**EGT** — Exhaust gas temperature", ("EGT", "exhaust gas temperature")),
        ("Temporary Flight Restrictions (TFRs) are published.", ("TFR", "temporary flight restriction")),
        ("Crew Resource-Management (CRM) is taught.", ("CRM", "crew resource management")),
    ],
)  # fmt: skip
def test_three_ways_of_writing(text: str, found: tuple[str, str]) -> None:
    assert read(text) == [found]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The pilot (PIC) decides.",
        "Several air traffic control facilities (ATCs) help.",
        "See the chart of the area (Figure 3).",
        "Chicago Midway Airport (KMDW) is busy.",
        "The Missed Approach Point (MAP) is on the map.",
        "Portable Oxygen Device (POD): see the pod's hose.",
        "He leads the way (LED) home.",
        "It is Instrument Takeoff (IT) time.",
        "(" * 5000 + "ABC)" * 500,
    ],
)
def test_what_only_looks_like_it(text: str) -> None:
    assert read(text) == []


def test_its_place_is_that_of_the_words() -> None:
    text = "In controlled airports, Automatic Terminal Information Service (ATIS) is heard."
    (one,) = abbreviations_in(text)
    assert text[one.start : one.end] == "Automatic Terminal Information Service (ATIS)"


def test_letters_are_those_of_the_words() -> None:
    assert spells("NEXRAD", ["next", "radar"])
    assert not spells("VOR", ["very", "nice"])
    assert not spells("ATC", ["air", "traffic", "control", "center"])


def wordings(text: str, *pairs: tuple[str, str]) -> list[tuple[str, ...]]:
    return [term.wordings for term in terms_in(text, glossary_from(pairs) if pairs else BUILT_IN)]


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("METAR", "aviation routine weather report"),
        ("VOR", "VHF omnidirectional range"),
        ("SVFR", "special VFR"),
    ],
)
def test_both_ways_are_looked_for(short: str, long: str) -> None:
    both = (short.lower(), long.lower())
    assert both in wordings(f"What is a {short}?")
    assert both in wordings(f"What is {long}?")
    assert both in wordings(f"Which {short}s are there?")


def test_one_short_form_of_two_things_looks_for_both() -> None:
    pairs = (("AFM", "airplane flight manual"), ("AFM", "aircraft flight manual"))
    assert wordings("the AFM", *pairs) == [("afm", "airplane flight manual", "aircraft flight manual")]
    assert wordings("AFM", ("AFM", "flight manual"), ("AFM", "Flight Manuals")) == [("afm", "flight manual")]


@pytest.mark.shared
@pytest.mark.skipif(not faa_files.FAA.is_dir(), reason="../shared/data/faa is not here")
def test_the_faas_own_spell_out_what_pilots_say() -> None:
    found = {one for path in faa_files.aim() for one in read(path.read_text("utf-8"))}
    assert {
        ("ASOS", "automated surface observing system"),
        ("METAR", "aviation routine weather report"),
        ("ATIS", "automatic terminal information service"),
        ("CFIT", "controlled flight into terrain"),
        ("LAHSO", "land and hold short operation"),
    } <= found
    assert len(found) > 150
