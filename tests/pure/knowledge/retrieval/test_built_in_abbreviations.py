"""The file of abbreviations that every library begins with is well-formed."""

import csv

from knowledge.retrieval.query.builder import ABBREVIATIONS_FILE, BUILT_IN, BUILT_IN_ABBREVIATIONS


def test_each_row_is_a_short_form_and_its_name_in_small_letters() -> None:
    with ABBREVIATIONS_FILE.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["short", "long"]
    shorts = [short for short, _ in rows]
    assert len(set(shorts)) == len(shorts) == len(BUILT_IN_ABBREVIATIONS)
    for short, long in rows:
        assert short == short.strip().lower()
        assert long == " ".join(long.lower().split())
        assert len(short.split()) == 1 < len(long.split()), short
        assert short not in long.split()


def test_the_glossary_knows_every_row_both_ways() -> None:
    for short, long in BUILT_IN_ABBREVIATIONS.items():
        assert BUILT_IN.short_form_of(short) == short
        assert (long, short) in BUILT_IN.names_in(f"what is the {long} for")
