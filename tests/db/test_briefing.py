"""An element's briefing rests on approved claims alone, and says when it rests on less."""

import pytest
from waffle.testutils import override_flag

from exams.briefing import NoSupport, briefing_for_element, supported_elements
from knowledge.models.graph import Concept, ValidationStatus
from knowledge.standards.elements import UnknownElement
from tests.doubles.demo_library import Demo

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def library(demo: Demo) -> None:
    """The demo's handbook and its approved claims."""


def test_every_expectation_rests_on_a_quote_of_the_library() -> None:
    briefing = briefing_for_element("PA.I.E.K1", tenant=None)
    quotes = {citation.n: citation.quote for citation in briefing.citations}
    assert briefing.degraded is None
    assert all(quotes[expectation.citation] for expectation in briefing.expectations)
    texts = " ".join(" ".join(passage.text.split()) for passage in briefing.context.passages)
    assert all(quote in texts for quote in quotes.values())


def test_a_risk_is_hazard_assessment_and_mitigation() -> None:
    briefing = briefing_for_element("PA.III.B.R3", tenant=None)
    assert [one.kind for one in briefing.expectations] == ["hazard", "assess", "mitigate"]
    assert all(one.importance == "must" and one.citation for one in briefing.expectations)


@pytest.mark.parametrize("status", [ValidationStatus.PENDING, ValidationStatus.REJECTED])
def test_what_is_not_approved_never_counts(status: ValidationStatus) -> None:
    before = {one.text for one in briefing_for_element("PA.I.E.K1", tenant=None).expectations}
    claim = Concept.objects.get(
        name__startswith="In Class G airspace at 1,200 feet or less above the surface by day"
    )
    Concept.objects.filter(pk=claim.pk).update(validation_status=status)
    after = {one.text for one in briefing_for_element("PA.I.E.K1", tenant=None).expectations}
    assert before - after == {claim.name}


def test_a_risk_that_lost_one_of_its_three_is_degraded_or_not_asked() -> None:
    Concept.objects.filter(name__startswith="Wake turbulence is strongest").update(
        validation_status=ValidationStatus.PENDING
    )
    assert not supported_elements("private", tenant=None)["PA.III.B.R3"].askable
    try:
        briefing = briefing_for_element("PA.III.B.R3", tenant=None)
    except NoSupport:
        return
    assert briefing.degraded
    assert len(briefing.expectations) == 3


def test_with_the_graph_off_sentences_stand_in_and_it_is_said() -> None:
    with override_flag("graph.enhanced_retrieval", active=False):
        briefing = briefing_for_element("PA.I.H.K1f", tenant=None)
    assert briefing.degraded
    assert all(one.key.startswith("sentence:") for one in briefing.expectations)


def test_an_element_without_support_names_what_is_missing() -> None:
    found = supported_elements("private", tenant=None)
    lacking = next(code for code, support in found.items() if not support.askable and ".S" not in code)
    assert found[lacking].missing_reference
    with pytest.raises(UnknownElement):
        briefing_for_element("PA.I.Z.K9", tenant=None)


def test_what_can_be_asked_takes_few_queries(django_assert_max_num_queries) -> None:  # type: ignore[no-untyped-def]
    with django_assert_max_num_queries(6):
        found = supported_elements("private", tenant=None)
    assert sum(support.askable for support in found.values()) > 40


def test_a_stale_claim_does_not_count_until_a_reviewer_has_decided() -> None:
    before = {one.text for one in briefing_for_element("PA.I.E.K1", tenant=None).expectations}
    claim = Concept.objects.get(
        name__startswith="In Class G airspace at 1,200 feet or less above the surface by day"
    )
    Concept.objects.filter(pk=claim.pk).update(stale=True)
    assert before - {one.text for one in briefing_for_element("PA.I.E.K1", tenant=None).expectations} == {
        claim.name
    }
    Concept.objects.filter(pk=claim.pk).update(stale=False)
    assert {one.text for one in briefing_for_element("PA.I.E.K1", tenant=None).expectations} == before
