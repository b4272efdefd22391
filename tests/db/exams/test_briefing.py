"""A briefing rests on the approved key points of an item; pending, rejected and stale never count."""

from dataclasses import replace

import pytest
from pytest_django import DjangoAssertNumQueries

from exams.bank.selection import draw_values
from exams.examiner.briefing import (
    NoSupport,
    bank_at_hand,
    briefing_for_item,
    briefing_from_claims,
    library_state,
)
from exams.examiner.element_facts import supported_elements
from knowledge.graph.identity import node_key
from knowledge.library_version import library_changed
from knowledge.models import Chunk, ConceptRelation, Document, Item, KeyPoint
from knowledge.models.documents import DocumentStatus
from knowledge.models.graph import Concept, ValidationStatus
from knowledge.standards.elements import UnknownElement
from tests.doubles.briefings import briefing_about, items_about
from tests.doubles.demo_library import Demo
from tests.doubles.library import make_evidence, make_node

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def library(demo: Demo) -> None:
    """The demo's handbook and its approved items."""


def test_each_expectation_rests_on_a_quote_of_the_library() -> None:
    briefing = briefing_about("PA.I.E.K1")
    quotes = {citation.n: citation.quote for citation in briefing.citations}
    assert briefing.expectations
    assert all(quotes[n] for one in briefing.expectations for n in one.citations)
    texts = " ".join(" ".join(passage.text.split()) for passage in briefing.context.passages)
    assert all(quote in texts for quote in quotes.values())


def test_risk_item_expects_hazard_assessment_and_mitigation() -> None:
    kinds = [one.kind for one in briefing_about("PA.III.B.R3").expectations if one.importance == "must"]
    assert set(kinds) == {"hazard", "assess", "mitigate"}


def first_must(code: str) -> KeyPoint:
    point = (
        KeyPoint.objects.filter(item__key=items_about(code)[0].key, must=True)
        .select_related("concept")
        .first()
    )
    assert point is not None
    return point


@pytest.mark.parametrize(
    "change",
    [
        {"validation_status": ValidationStatus.PENDING},
        {"validation_status": ValidationStatus.REJECTED},
        {"stale": True},
    ],
)
def test_item_whose_must_point_is_not_approved_is_not_asked(change: dict[str, object]) -> None:
    point = first_must("PA.I.E.K1")
    asked = {item.key for item in items_about("PA.I.E.K1")}
    assert point.concept_id is not None
    Concept.objects.filter(pk=point.concept_id).update(**change)
    library_changed(None)
    left = {item.key for item in items_about("PA.I.E.K1")}
    assert point.item.key in asked
    assert point.item.key not in left


def test_risk_that_lost_one_of_its_three_is_not_asked() -> None:
    for item in items_about("PA.III.B.R3"):
        points = KeyPoint.objects.filter(item__key=item.key, role="assess")
        Concept.objects.filter(key_points__in=points).update(validation_status=ValidationStatus.PENDING)
    library_changed(None)
    assert not supported_elements("private", library=library_state(None, None))["PA.III.B.R3"].askable


def test_items_of_a_document_that_is_archived_are_not_asked() -> None:
    Document.objects.update(status=DocumentStatus.ARCHIVED)
    library_changed(None)
    found = supported_elements("private", library=library_state(None, None))
    assert not any(support.askable for support in found.values())


def test_briefing_is_refused_once_its_quote_no_longer_stands() -> None:
    item, state = items_about("PA.I.E.K1")[0], library_state(None, None)
    Document.objects.update(status=DocumentStatus.ARCHIVED)
    with pytest.raises(NoSupport, match="is no longer in"):
        briefing_for_item("PA.I.E.K1", item, {}, library=state, recorded=False)


def test_element_whose_claims_all_lost_their_quotes_is_not_asked() -> None:
    """Not even where none of them is a must: an answer could be judged by nothing."""
    Item.objects.update(withdrawn=True)
    rule = make_node("A flag may be red.", "regulatory_claim", "validated")
    make_evidence(rule, Chunk.objects.all()[0], "Words that stand nowhere.")
    element = Concept.objects.get(key=node_key("acs_element", "PA.I.E.K1"))
    ConceptRelation.objects.create(
        source=rule, target=element, relation_type="applies_in_scenario", confidence=1.0
    )
    library_changed(None)
    with pytest.raises(NoSupport, match="is no longer in"):
        briefing_from_claims("PA.I.E.K1", library=library_state(None, None), recorded=False)


def test_unknown_element_is_said_to_be_unknown() -> None:
    item, state = items_about("PA.I.E.K1")[0], library_state(None, None)
    with pytest.raises(UnknownElement):
        briefing_for_item("PA.I.Z.K9", item, {}, library=state, recorded=False)


def test_what_can_be_asked_takes_few_queries(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:  # type: ignore[no-untyped-def]
    library_changed(None)
    state = library_state(None, None)
    with django_assert_max_num_queries(8):
        found = supported_elements("private", library=state)
    assert sum(support.askable for support in found.values()) > 40


def test_what_an_item_requires_underlies_what_asks_for_it_and_no_fact_that_it_touches() -> None:
    first = items_about("PA.I.E.K1")[0]
    Item.objects.filter(key=first.key).update(
        elements=["PA.I.E.K1", "PA.I.E.R1", "PA.I.E.K3"], requires=["PA.I.E.K2"], leads_to=["PA.I.E.S1"]
    )
    library_changed(None)
    found = supported_elements("private", library=library_state(None, None))
    own, risk, fact = (found[code] for code in ("PA.I.E.K1", "PA.I.E.R1", "PA.I.E.K3"))
    assert ["PA.I.E.K2" in one.requires for one in (own, risk, fact)] == [True, True, False]
    assert all("PA.I.E.S1" in one.leads_to for one in (own, risk, fact))


def test_follow_ups_have_the_givens_of_the_question(demo: Demo) -> None:
    state = library_state(None, None)
    item = next(one for one in bank_at_hand(state).items if one.slots)
    slot = next(iter(item.slots))
    point = replace(item.points[0], ask=f"And with {{{slot}}}?", hint=f"Think of {{{slot}}}.", when={})
    asked = replace(item, points=(point, *item.points[1:]))
    given = draw_values(asked, "s")
    found = briefing_for_item(item.elements[0], asked, given, library=state, recorded=False)
    first = next(one for one in found.expectations if one.key == point.key)
    assert (first.ask, first.hint) == (f"And with {given[slot]}?", f"Think of {given[slot]}.")
