"""The phrases of error pages are data with a schema."""

import csv

import pytest

from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.formats.error_page_detection import PHRASES, refuse_error_page


def test_each_row_is_words_with_what_follows_within_a_distance() -> None:
    with PHRASES.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len({tuple(row.values()) for row in rows}) == len(rows)
    for row in rows:
        assert row["code"] in ("page_not_found", "bot_wall", "sign_in_page", "error_page"), row
        words = row["phrase"].replace("/", " ").split()
        assert words, row
        assert all(word.isalnum() or word == "¶" for word in words), row
        assert bool(row["then"]) == row["within"].isdigit(), row


def test_each_phrase_is_found_in_a_page_that_says_it() -> None:
    with PHRASES.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            first = [word.split("/")[0] for word in row["phrase"].split(" ") if word != "¶"]
            said = " ".join([*filter(None, first), row["then"].split("|")[0]])
            with pytest.raises(RefusedFile) as refused:
                refuse_error_page("A site", f"{said}.\nHome")
            assert refused.value.code == row["code"], row
