"""`manage.py evaluate links`: the first link of each labeled claim is right or not, for each half of the sections."""

import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from desk.evaluation.claim_links import HALVES, LabeledClaim
from desk.evaluation.labeled_files import read_rows
from knowledge.graph.skeleton import load_standard
from tests.doubles.library import make_chunk, make_document
from tests.doubles.standards import small_standard

LABELED = Path(__file__).resolve().parents[2] / "data" / "claim_elements.jsonl"


def test_the_labeled_claims_are_many_and_split_by_section() -> None:
    claims = read_rows(LABELED, LabeledClaim)
    assert sum(bool(claim.elements) for claim in claims) >= 200
    halves = {
        half: {(one.document, one.section) for one in claims if one.half == half and one.section}
        for half in HALVES
    }
    assert all(len(places) > 50 for places in halves.values())
    assert not halves["fitted"] & halves["unseen"]


@pytest.mark.django_db
def test_the_figures_count_right_first_links_and_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    load_standard(small_standard())
    document = make_document("14 CFR Part 91", abbreviation="14 CFR 91", doc_type="cfr")
    make_chunk("A rule.", document, section="91.155", heading="Minimums", embed=False)
    file = tmp_path / "claims.jsonl"
    row = {"statement": "A rule.", "document": document.title, "section": "91.155", "heading": "Minimums"}
    rows = [
        row | {"elements": ["PA.I.E.K1"]},
        row | {"elements": []},
        row | {"section": "91.1", "elements": []},
    ]
    file.write_text("".join(json.dumps(one) + "\n" for one in rows))
    call_command("evaluate", "links", str(file), "--json")
    found = json.loads(capsys.readouterr().out)
    assert (found["claims"], found["missing"]) == (3, 1)
    (half,) = (one for one in found["links"].values() if one["claims"])
    assert (half["first_right"], half["without_element"], half["of_those_linked"]) == (1.0, 1, 1)


@pytest.mark.django_db
def test_a_line_that_is_no_labeled_claim_is_named(tmp_path: Path) -> None:
    file = tmp_path / "claims.jsonl"
    file.write_text('{"statement": "A rule."}\n')
    with pytest.raises(CommandError, match="line 1"):
        call_command("evaluate", "links", str(file))
