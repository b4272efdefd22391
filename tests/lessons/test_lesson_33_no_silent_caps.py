"""Reads were capped at 1,000 rows by a default nobody knew."""

import pytest

from knowledge.graph.skeleton import load_standard
from knowledge.models import AcsElement, Concept, ConceptRelation
from knowledge.retrieval.search import search
from knowledge.retrieval.values import SearchRequest
from knowledge.standards.acs_reader import AcsAreaText, AcsElementText, AcsStandard, AcsTaskText
from knowledge.standards.elements import elements_known
from tests.doubles.library import MODEL, make_chunk

pytestmark = pytest.mark.django_db
MANY = 1203


def large_standard() -> AcsStandard:
    elements = tuple(
        AcsElementText(
            code=f"PA.I.A.K{n}", parent="", kind="knowledge", text=f"Matter {n}", page=1, archived=False
        )
        for n in range(1, MANY + 1)
    )
    task = AcsTaskText(
        code="PA.I.A",
        title="Everything",
        classes=(),
        references_line="",
        references=(),
        objective="",
        notes=(),
        page=1,
        elements=elements,
    )
    area = AcsAreaText(number="I", title="All", page=1, tasks=(task,))
    return AcsStandard(
        certificate="private", number="FAA-S-ACS-9", title="Large", edition_date=None, areas=(area,)
    )


def test_more_than_a_thousand_elements_are_loaded_joined_and_listed() -> None:
    load_standard(large_standard())
    assert AcsElement.objects.count() == elements_known("PA.I").count() == MANY
    assert Concept.objects.filter(category="acs_element").count() == MANY
    assert ConceptRelation.objects.filter(target__key_facts__task_code="PA.I.A").count() == MANY


def test_search_returns_as_many_passages_as_requested() -> None:
    for number in range(70):
        make_chunk(f"Passage {number} about fuel.", section=f"91.{number}")
    assert len(search(SearchRequest(query="fuel", k=70, threshold=0.0), MODEL).results) == 70
