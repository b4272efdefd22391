"""The bundle was cut by the alphabet, because all links had the same score: PA.I.E.K1 lost its 18 weather minimums."""

from collections.abc import Iterator

import pytest
from django.contrib.auth import get_user_model

from curation.intake import take_in_chunk
from curation.models import Claim
from curation.review import approve_claim
from heydpe.wiring import configure_models
from knowledge import conf
from knowledge.graph.bundle import bundle_for_element
from knowledge.graph.skeleton import load_standard
from knowledge.models import Item, KeyPoint
from llm import registry
from tests.doubles.claims import EXTRACTOR, make_user
from tests.doubles.library import (
    MODEL,
    element_node,
    join,
    make_chunk,
    make_document,
    make_evidence,
    make_node,
)
from tests.doubles.standards import small_standard

pytestmark = pytest.mark.django_db
CLASSES = ("B", "C", "D", "E", "G", "F")
RULES = "\n\n".join(
    f"(a) {verb} in a Class {letter} airspace area must have two-way radio communications with tower {number}."
    for number, (letter, verb) in enumerate(
        (letter, f"Any pilot of aircraft {place} operating") for letter in CLASSES for place in range(10)
    )
)
HEADER = "Airspace | Flight visibility | Distance from clouds"
ROWS = [
    f"Class {letter}: {place} | {miles} statute miles | {feet} feet below; {feet} feet above; {feet} feet horizontal."
    for letter, miles in zip(CLASSES, (3, 4, 5, 6, 7, 8), strict=True)
    for place, feet in (("Less than 10,000 feet MSL", 500), ("At or above it by day", 700), ("At night", 900))
]


@pytest.fixture(autouse=True)
def library() -> Iterator[None]:
    load_standard(small_standard())
    registry.configure_models(chat=lambda: EXTRACTOR, embedding=lambda: MODEL)
    yield
    configure_models()


def approve_all(section: str, text: str) -> None:
    document = make_document(f"14 CFR {section}", abbreviation="14 CFR 91", doc_type="cfr")
    take_in_chunk(make_chunk(text, document, section=section, heading="Airspace"), EXTRACTOR)
    reviewer = get_user_model().objects.filter(username="reviewer").first() or make_user("reviewer")
    for claim in Claim.objects.filter(validation_status="pending"):
        approve_claim(claim.pk, reviewer, version=claim.version)


def names() -> list[str]:
    return [node.name for node in bundle_for_element("PA.I.E.K1", model=MODEL.name).requirements]


def test_eighteen_weather_minimums_stay_among_more_airspace_claims_than_there_is_room_for() -> None:
    approve_all("91.131", RULES)
    approve_all("91.155", "\n".join((HEADER, *ROWS)))
    found = names()
    assert len(Claim.objects.filter(validation_status="validated")) > conf.BUNDLE_NODES
    assert sum("VFR flight requires a flight visibility" in name for name in found) == 18
    assert any("two-way radio" in name for name in found)


@pytest.mark.long
def test_statements_of_items_take_no_place_of_a_claim() -> None:
    approve_all("91.155", "\n".join((HEADER, *ROWS)))
    chunk = make_chunk("A statement.", section="91.117")
    item = Item.objects.create(key="a", task="PA.I.E", elements=["PA.I.E.K1"], stem="?", again="?", why="")
    for number in range(conf.BUNDLE_NODES):
        point = make_node(f"A statement {number}.", priority="P0")
        make_evidence(point, chunk, "A statement.")
        join(point, "applies_in_scenario", element_node("PA.I.E.K1"), 1.0)
        KeyPoint.objects.create(item=item, key=str(number), text=point.name, concept=point, ask="?", hint="?")
    assert sum("VFR flight requires" in name for name in names()) == 18


@pytest.mark.long
def test_each_kind_of_node_has_room() -> None:
    approve_all("91.131", RULES)
    for category in ("definition", "misconception"):
        join(make_node(f"A {category}", category), "applies_in_scenario", element_node("PA.I.E.K1"), 0.4)
    sections = bundle_for_element("PA.I.E.K1", model=MODEL.name).to_dict()["sections"]
    assert [len(sections[name]) for name in ("definitions", "errors")] == [1, 1]


@pytest.mark.long
def test_a_claim_that_binds_nobody_in_the_oral_is_cut_first() -> None:
    approve_all(
        "91.131", RULES + "\n\n(b) No person may operate a helicopter in a Class B airspace area at night."
    )
    assert not any("helicopter" in name for name in names())
