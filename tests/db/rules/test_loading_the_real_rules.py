"""The rules that pilots collected: 58 questions by 19 countries, one of them junk, 206 answers empty."""

import json
from collections import Counter
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

FILE = Path(__file__).resolve().parents[4] / "shared" / "data" / "rules" / "rules.json"
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.shared,
    pytest.mark.skipif(not FILE.is_file(), reason="../shared/data/rules is not here"),
]


def test_all_that_says_something_is_loaded_and_the_rest_told() -> None:
    out = StringIO()
    call_command("load_rules", str(FILE), "--json", stdout=out)
    said = json.loads(out.getvalue())
    refused = Counter(one["what"] for one in said["refused"])
    assert (said["questions"], said["countries"], said["answers"]) == (57, 19, 877)
    assert (refused["an empty answer"], refused["a junk question"]) == (206, 1)
    assert {(one["said"], one["became"]) for one in said["mended"] if "tag" in one["what"]} == {
        ("prior permision", "prior permission")
    }
