"""A passage serves an element if an approved statement that the graph applies to the element rests on it."""

from dataclasses import replace

import pytest
from django.test import Client

from knowledge.graph.skeleton import load_standard
from knowledge.models import Chunk, ChunkTask, Concept
from knowledge.models.graph import ConceptCategory, RelationType, ValidationStatus
from knowledge.models.tenancy import Role
from knowledge.retrieval.explain import explain_missing
from knowledge.retrieval.request import BadSearch, request_from
from knowledge.retrieval.search import search
from knowledge.retrieval.values import Filters, SearchRequest
from tests.doubles.claims import make_user
from tests.doubles.library import (
    MODEL,
    element_node,
    join,
    make_chunk,
    make_evidence,
    make_node,
    make_tenant,
)
from tests.doubles.standards import small_standard

pytestmark = pytest.mark.django_db
ELEMENT, TASK = "PA.III.A.K5", "PA.III.A"
TEXT = "Light signals of the tower, number {}."


@pytest.fixture(autouse=True)
def standard() -> None:
    load_standard(small_standard())


def passage_that_serves(code: str, status: str = ValidationStatus.VALIDATED, **statement: object) -> Chunk:
    chunk = make_chunk(TEXT.format(Chunk.objects.count()))
    claim = make_node(f"Statement {chunk.pk}", ConceptCategory.REGULATORY_CLAIM, status, **statement)
    make_evidence(claim, chunk, chunk.text)
    join(claim, RelationType.APPLIES_IN_SCENARIO, element_node(code))
    return chunk


def found(serves: str, tenant: int | None = None, **asked: str) -> set[object]:
    request = SearchRequest(
        **({"query": "light signals"} | asked),  # type: ignore[arg-type]
        filters=Filters(serves=serves), threshold=0.0, k=20, tenant=tenant, recorded=False
    )  # fmt: skip
    return {one.chunk_id for one in search(request, MODEL).results}


@pytest.mark.parametrize("is_narrow", [True, False])
def test_only_passages_of_the_element_are_found(is_narrow: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not is_narrow:
        monkeypatch.setattr("knowledge.conf.EXACT_ROWS", 0)
    own, other, part = map(passage_that_serves, (ELEMENT, "PA.I.E.R1", "PA.I.E.K2a"))
    make_chunk(TEXT.format("of no statement"))
    assert found(ELEMENT) == {own.pk}
    assert found("PA.I.E.K2") == {part.pk}
    assert found("PA.I.E") == {other.pk, part.pk}
    assert found("PA.I") == set()


def test_what_no_reviewer_approved_or_has_changed_since_does_not_count() -> None:
    passage_that_serves(ELEMENT, ValidationStatus.PENDING)
    passage_that_serves(ELEMENT, stale=True)
    assert found(ELEMENT) == set()


def test_a_schools_statement_counts_for_itself_alone() -> None:
    school, other = make_tenant(), make_tenant("elsewhere")
    passage = passage_that_serves(ELEMENT, tenant=school)
    assert found(ELEMENT, school.pk) == {passage.pk}
    assert found(ELEMENT, other.pk) == found(ELEMENT) == set()


def test_a_new_approval_counts_at_once() -> None:
    passage = passage_that_serves(ELEMENT, ValidationStatus.PENDING)
    assert found(ELEMENT) == set()
    Concept.objects.filter(evidence__chunk=passage).update(validation_status=ValidationStatus.VALIDATED)
    assert found(ELEMENT) == {passage.pk}


def test_the_filter_stays_where_the_task_of_an_element_is_searched() -> None:
    passage = passage_that_serves(ELEMENT)
    assert found(ELEMENT, query="", element="PA.I.E.K1") == {passage.pk}


def test_api_and_laboratory_filter_by_element(client: Client) -> None:
    served, other = passage_that_serves(ELEMENT), passage_that_serves("PA.I.E.K1")
    client.force_login(make_user("olga", Role.OPERATOR))
    given = {"q": "light signals of the tower", "serves": f" {ELEMENT.lower()} "}
    answer = client.get("/api/v1/search/", given).json()
    assert [one["chunk_id"] for one in answer["results"]] == [str(served.pk)]
    assert answer["filters"] == {"serves": ELEMENT}
    page = client.get("/operations/search/", given).content.decode()
    assert f"element served {ELEMENT}" in page
    assert f'data-chunk="{served.pk}"' in page
    assert f'data-chunk="{other.pk}"' not in page


def test_a_code_that_no_standard_has_is_refused_in_words(client: Client) -> None:
    with pytest.raises(BadSearch, match="No loaded standard has this code"):
        request_from({"q": "light signals", "serves": "PA.XX.K1"}, None)
    client.force_login(make_user("olga", Role.OPERATOR))
    answer = client.get("/api/v1/search/", {"q": "light signals", "serves": "PA.XX.K1"})
    assert answer.status_code == 400
    assert "serves" in answer.json()["fields"]


def test_the_explanation_names_the_filter() -> None:
    passage = make_chunk(TEXT.format("of no statement"))
    request = SearchRequest(query="light signals", filters=Filters(serves=ELEMENT), threshold=0.0)
    (reason,) = explain_missing(request, passage, MODEL).reasons
    assert reason == f"The filter by element served leaves it out: asked for {ELEMENT}."


def test_in_a_search_for_the_element_they_come_first() -> None:
    texts = ("Light signals of ATC: ATC light signals.", "Light signals.", "Light guns and signals.")
    best, other, least = (make_chunk(f"{text} Airport {at}.") for at, text in enumerate(texts))
    for chunk in (best, other, least):
        ChunkTask.objects.create(chunk=chunk, task_code=TASK, origin="references")
    asked = SearchRequest(element=ELEMENT, threshold=0.0, k=2, recorded=False)
    plain = [one.chunk_id for one in search(asked, MODEL).results]
    assert least.pk not in plain
    claim = make_node("A light gun signals", ConceptCategory.REGULATORY_CLAIM)
    make_evidence(claim, least, least.text)
    join(claim, RelationType.APPLIES_IN_SCENARIO, element_node(ELEMENT))
    assert [one.chunk_id for one in search(asked, MODEL).results] == [least.pk, plain[0]]
    assert [one.chunk_id for one in search(replace(asked, flags=()), MODEL).results] == plain
