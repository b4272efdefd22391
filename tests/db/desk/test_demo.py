"""After one load a student can be examined and a reviewer has work; a second load changes nothing."""

import json
from collections.abc import Iterator

import pytest
from django.contrib.auth import authenticate, get_user_model
from django.db import transaction
from django.test import Client, override_settings
from pytest_django import DjangoDbBlocker

from curation.models import ReviewDecision
from desk.demo.accounts import ACCOUNTS
from desk.demo.content import RULES_FILE, demo_claims, demo_standard
from desk.demo.load import DemoLoaded, DemoNotHere, load_demo
from desk.views.people.accounts import DEMO_ACCOUNTS
from knowledge.access.people import memberships_of
from knowledge.graph.bundle import bundle_for_element
from knowledge.grounding.citations import find_quote
from knowledge.models import Concept, ConceptChunkEvidence, Document, Image, KeyPoint, Standard
from llm.registry import embedding_model
from rules.countries import KNOWN_COUNTRIES
from rules.data.load import load_rules
from rules.data.parse import read_rules
from rules.models import Origin, RuleAnswer, RuleQuestion
from tests.doubles.demo_library import Rows, put_back
from tests.doubles.rule_files import two_questions

pytestmark = pytest.mark.django_db

APPROVED = [claim for claim in demo_claims() if claim.status == "approved"]
PENDING = [claim for claim in demo_claims() if claim.status == "pending"]


@pytest.fixture(scope="module", autouse=True)
def loads(
    demo_rows: Rows, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[tuple[DemoLoaded, DemoLoaded]]:
    """What the load of the run said, and what a second one says over its rows, in a transaction that is taken back."""
    here = override_settings(DEBUG=True, DEMO_PASSWORD="demo", MEDIA_ROOT=demo_rows.media)
    with django_db_blocker.unblock(), here, transaction.atomic():
        put_back(demo_rows)
        yield demo_rows.said, load_demo()
        transaction.set_rollback(True)


def test_the_first_load_says_what_it_made(loads: tuple[DemoLoaded, DemoLoaded]) -> None:
    first, _ = loads

    assert first.new
    assert set(first.accounts) == set(ACCOUNTS)
    assert (first.approved, first.pending) == (len(APPROVED), len(PENDING))
    assert first.elements == len(demo_standard().elements)
    assert first.chunks >= 40


def test_the_second_load_finds_nothing_to_do(loads: tuple[DemoLoaded, DemoLoaded]) -> None:
    first, second = loads

    assert not second.new
    assert (second.approved, second.pending, second.chunks) == (first.approved, first.pending, first.chunks)
    statements = list(Concept.objects.filter(category="regulatory_claim").values_list("name", flat=True))
    assert len(statements) == len(set(statements))
    assert {claim.statement for claim in demo_claims()} <= set(statements)


def test_each_account_signs_in_and_has_its_role() -> None:
    assert set(ACCOUNTS) == set(DEMO_ACCOUNTS)
    for name, role in ACCOUNTS.items():
        user = authenticate(username=name, password="demo")
        assert user is not None
        assert memberships_of(user, role).exists()


def test_the_reviewer_may_see_the_queue(client: Client) -> None:
    client.force_login(get_user_model().objects.get(username="reviewer"))
    assert client.get("/admin/curation/claim/queue/").status_code == 200


def test_the_handbook_is_a_published_demo_document() -> None:
    handbook = Document.objects.get(demo=True)

    assert (handbook.status, handbook.doc_type) == ("published", "handbook")
    assert handbook.pages.get(number=handbook.page_count).label.startswith("8-")
    assert Image.objects.filter(document=handbook).exclude(figure_label="").count() >= 6


def test_approved_claims_have_a_decision_and_pending_ones_none() -> None:
    reviewer = authenticate(username="reviewer", password="demo")
    decided = ReviewDecision.objects.filter(reviewer=reviewer, decision="approve")

    points = KeyPoint.objects.values("concept")
    claims = decided.exclude(claim__in=points).values_list("claim__name", flat=True)
    assert set(claims) <= {claim.statement for claim in APPROVED}
    assert not KeyPoint.objects.filter(must=True).exclude(concept__validation_status="validated").exists()
    assert not ReviewDecision.objects.filter(claim__name__in=[claim.statement for claim in PENDING]).exists()


def test_evidence_stands_word_for_word_on_the_page_it_names() -> None:
    evidence = ConceptChunkEvidence.objects.select_related("chunk")

    assert evidence.count() >= len(demo_claims())
    for one in evidence:
        assert find_quote(one.chunk.text, one.quote)
        first, last = one.chunk.page_start, one.chunk.page_end
        assert first is not None
        assert one.page is not None
        assert last is not None
        assert first <= one.page <= last


@pytest.mark.parametrize("code", sorted({code for claim in APPROVED for code in claim.elements}))
def test_a_supported_element_has_its_requirements(code: str) -> None:
    wanted = {claim.statement for claim in APPROVED if code in claim.elements}

    assert wanted <= {node.name for node in bundle_for_element(code).requirements}


def test_the_demos_standard_is_current_until_the_faas_is_there() -> None:
    assert Standard.objects.get(current=True).demo


def test_without_debug_nothing_is_loaded() -> None:
    with override_settings(DEBUG=False), pytest.raises(DemoNotHere, match="DEBUG=1"):
        load_demo()


def test_the_rules_desk_has_a_table_that_says_it_is_the_demos(client: Client) -> None:
    rows = RuleQuestion.objects.filter(tenant=None)
    assert len(rows) >= 12
    assert {row.origin for row in rows} == {Origin.DEMO}
    answers = RuleAnswer.objects.filter(question__in=rows)
    assert len(set(answers.values_list("country", flat=True))) == 5
    assert 0 < answers.count() < 5 * len(rows)  # what we are not sure of is missing, not invented
    client.force_login(get_user_model().objects.get(username="student"))
    assert "This is a small demo table" in client.get("/rules/").content.decode()


def test_the_demos_table_is_read_without_a_refusal() -> None:
    file = read_rules(RULES_FILE.read_bytes(), KNOWN_COUNTRIES)
    assert (file.refused, file.mended) == ((), ())


def test_a_loaded_table_takes_the_place_of_the_demos_for_good() -> None:
    file = read_rules(json.dumps({"questions": two_questions()}).encode(), KNOWN_COUNTRIES)
    with transaction.atomic():
        load_rules(file, embedding_model())
        kept = set(RuleQuestion.objects.values_list("origin", flat=True))
        with override_settings(DEBUG=True, DEMO_PASSWORD="demo"):
            again = load_demo()
        transaction.set_rollback(True)
    assert kept == {Origin.FILE}
    assert (again.new, again.rules) == (False, 0)
