"""Computed answers from rows: what counts, whose it is, what is missing, and what each costs."""

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from knowledge.models import Chunk, Concept
from llm import registry
from tests.doubles.library import MODEL, make_chunk, make_document, make_evidence, make_node, make_tenant

pytestmark = pytest.mark.django_db

DAY = (
    "In Class G airspace, 1,200 feet or less above the surface, by day, VFR flight requires a flight visibility"
    " of 1 statute mile and staying clear of clouds."
)
NIGHT = (
    "In Class G airspace, 1,200 feet or less above the surface, at night, VFR flight requires a flight visibility"
    " of 3 statute miles and a distance from clouds of 500 feet below, 1,000 feet above, and 2,000 feet horizontal."
)
PATTERN = (
    "(b)(2) If the visibility is less than 3 statute miles but not less than 1 statute mile during night hours and you"
    " are operating in an airport traffic pattern within 1⁄2 mile of the runway, you may operate an airplane clear of"
    " clouds."
)
ASKED = ("--domain", "weather_minimums", "--airspace", "G", "--altitude", "below_1200_agl")


@pytest.fixture(autouse=True)
def models() -> Iterator[None]:
    registry.configure_models(chat={}, embedding=lambda: MODEL)
    yield
    registry.reset_models()


@pytest.fixture
def section() -> Chunk:
    return make_chunk(f"(a) {DAY}\n{NIGHT}\n(b) Class G Airspace.\n{PATTERN}", section="91.155")


def make_claim(statement: str, chunk: Chunk, paragraph: str = "(a)", **fields: Any) -> Concept:
    facts = {"cfr_reference": f"14 CFR 91.155{paragraph}", "exceptions": fields.pop("exceptions", [])}
    node = make_node(statement, key_facts=facts, **fields)
    make_evidence(node, chunk, statement)
    return node


def output(*arguments: str) -> Any:
    stdout = io.StringIO()
    call_command("answer_rule", *arguments, "--json", stdout=stdout)
    return json.loads(stdout.getvalue())


def test_a_cell_has_its_facts_claim_citation_and_exceptions(section: Chunk) -> None:
    node = make_claim(DAY, section, exceptions=["Except as provided in § 91.157"])
    answer = output(*ASKED, "--time", "day")
    assert answer["facts"] == {"visibility_sm": 1, "cloud_clearance": "clear_of_clouds"}
    assert [claim["id"] for claim in answer["claims"]] == [str(node.pk)]
    assert answer["citation"]["label"] == "14 CFR 91.155(a)"
    assert answer["citation"]["url"].startswith(f"/library/passages/{section.pk}/?page=1&quote=In+Class+G")
    assert [one["text"] for one in answer["exceptions"]] == ["Special VFR"]


def test_an_exception_that_no_claim_says_is_quoted_from_its_paragraph(section: Chunk) -> None:
    make_claim(NIGHT, section)
    (exception,) = output(*ASKED, "--time", "night")["exceptions"]
    assert exception["reference"] == "14 CFR 91.155(b)(2)"
    assert not exception["claims"]
    assert exception["citation"]["quote"].startswith("If the visibility is less than 3 statute miles")


def test_an_approved_exception_is_told_by_its_claim(section: Chunk) -> None:
    make_claim(NIGHT, section)
    make_claim(PATTERN.partition(") ")[2], section, "(b)(2)")
    answer = output(*ASKED, "--time", "night")
    assert answer["facts"]["visibility_sm"] == 3
    assert [len(one["claims"]) for one in answer["exceptions"]] == [1]


def test_a_claim_that_waits_is_counted_and_not_shown(section: Chunk) -> None:
    make_claim(DAY, section, status="pending")
    answer = output(*ASKED, "--time", "day")
    assert (answer["facts"], answer["claims"], answer["citation"]) == ({}, [], None)
    assert answer["missing"] == "Nothing approved: 1 claim that would fill this waits for a reviewer."


def test_an_empty_cell_says_whether_claim_or_passage_is_missing() -> None:
    assert "the library does not have 14 CFR 91.155" in output(*ASKED, "--time", "day")["missing"]
    make_chunk(DAY, section="91.155")
    assert "the library has 14 CFR 91.155, but no claim" in output(*ASKED, "--time", "day")["missing"]


@pytest.mark.parametrize("out", ["rejected", "stale", "archived", "unfounded"])
def test_a_claim_that_does_not_count_fills_nothing(section: Chunk, out: str) -> None:
    node = make_claim(
        DAY, section, status="rejected" if out == "rejected" else "validated", stale=out == "stale"
    )
    if out == "archived":
        section.document.status = "archived"
        section.document.save()
    if out == "unfounded":
        node.evidence.all().delete()
    answer = output(*ASKED, "--time", "day")
    assert not answer["claims"]
    assert "waits" not in answer["missing"]


def test_claims_that_contradict_each_other_are_both_told(section: Chunk) -> None:
    other = DAY.replace("1 statute mile", "3 statute miles")
    make_claim(DAY, section)
    make_claim(other, make_chunk(other, section="91.155"))
    answer = output(*ASKED, "--time", "day")
    assert answer["conflicts"] == ["visibility_sm"]
    assert answer["facts"] == {"cloud_clearance": "clear_of_clouds"}
    assert answer["words"]["Flight visibility"] == ["1 statute mile", "3 statute miles"]
    assert len(answer["claims"]) == 2


def test_a_schools_own_claim_is_its_own(section: Chunk) -> None:
    school = make_tenant("first")
    own = make_document("Own handbook", tenant=school, doc_type="sop")
    make_claim(DAY, make_chunk(DAY, own), tenant=school)
    assert not output(*ASKED, "--time", "day")["claims"]
    assert len(output(*ASKED, "--time", "day", "--tenant", "first")["claims"]) == 1
    make_tenant("second")
    assert not output(*ASKED, "--time", "day", "--tenant", "second")["claims"]


def test_a_domain_alone_is_the_whole_table(section: Chunk) -> None:
    make_claim(DAY, section)
    table = output("--domain", "weather_minimums")
    assert len(table["cells"]) == 13
    assert sum(bool(cell["claims"]) for cell in table["cells"]) == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--domain", "cooking"), "there is no domain 'cooking'; there are weather_minimums"),
        ((), "there is no domain ''; there are weather_minimums"),
        (("--domain", "weather_minimums", "--airspace", "Z"), "has no airspace 'Z'; there are A, B"),
        (("--domain", "weather_minimums", "--airspace", "G"), "needs --altitude: below_1200_agl"),
        (("--domain", "oxygen", "--airspace", "G"), "oxygen has no airspace; it has altitude"),
        (("--domain", "oxygen", "--tenant", "nobody"), "no tenant 'nobody' is known"),
    ],
)
def test_what_does_not_exist_is_a_wrong_argument(arguments: tuple[str, ...], told: str) -> None:
    with pytest.raises(CommandError, match=told) as refused:
        call_command("answer_rule", *arguments)
    assert refused.value.returncode == 2


def test_a_person_reads_it_in_words(section: Chunk) -> None:
    make_claim(NIGHT, section)
    stdout = io.StringIO()
    call_command("answer_rule", *ASKED, "--time", "night", stdout=stdout)
    assert (
        "Distance from clouds: 500 feet below, 1,000 feet above, 2,000 feet horizontal" in stdout.getvalue()
    )
    assert "Exception: In the traffic pattern at night 14 CFR 91.155(b)(2)" in stdout.getvalue()


def test_a_table_costs_the_same_however_many_claims(section: Chunk) -> None:
    make_claim(DAY, section)
    with CaptureQueriesContext(connection) as few:
        output("--domain", "weather_minimums")
    make_claim(NIGHT, section)
    with CaptureQueriesContext(connection) as more:
        output("--domain", "weather_minimums")
    assert len(more) == len(few) == 3  # and the passages, by a prepared statement
