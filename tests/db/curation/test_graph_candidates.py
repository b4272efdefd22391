"""A model says which concepts a passage joins; each relation is checked, and waits for a reviewer."""

from collections.abc import Iterator
from typing import Any

import pytest

from curation.graph.candidates import ORIGIN, propose_relations, store_relations
from knowledge.models import Chunk, ConceptRelation
from llm.errors import ModelError
from tests.doubles.chats import SaysInTurn
from tests.doubles.library import make_chunk, make_evidence, make_node, make_tenant

pytestmark = pytest.mark.django_db
TEXT = "A spin follows a stall. Reducing the angle of attack ends the stall before it becomes a spin."


@pytest.fixture
def chunk() -> Chunk:
    chunk = make_chunk(TEXT, embed=False)
    for name in ("Reducing the angle of attack", "Spins", "Stalls"):  # in the order of their keys
        make_evidence(make_node(name, "topic"), chunk, TEXT)
    return chunk


def relation(source: int, target: int, quote: str = "A spin follows a stall.") -> dict[str, Any]:
    return {"source": source, "relation": "requires_knowledge_of", "target": target, "quote": quote}


def test_relation_is_stored_as_pending_with_its_quote(chunk: Chunk) -> None:
    model = SaysInTurn({"relations": [relation(2, 3)]})
    proposed = propose_relations(chunk, model)
    assert (store_relations(chunk, proposed.relations), proposed.refused.total()) == (1, 0)
    edge = ConceptRelation.objects.get()
    assert (edge.source.name, edge.target.name, edge.status) == ("Spins", "Stalls", "pending")
    assert (edge.reason, edge.chunk) == ("“A spin follows a stall.”", chunk)
    assert "2. Spins" in model.asked[0].system


def test_invented_quotes_and_unknown_concepts_are_refused(chunk: Chunk) -> None:
    drafts = [relation(2, 3, "Spins are fun."), relation(2, 9), relation(3, 3)]
    proposed = propose_relations(chunk, SaysInTurn({"relations": drafts}))
    assert proposed.relations == []
    assert proposed.refused == {
        "the passage does not say these words": 1,
        "it joins a concept that was not listed, or one with itself": 2,
    }


def test_removed_relation_is_not_proposed_again(chunk: Chunk) -> None:
    model = SaysInTurn({"relations": [relation(2, 3)]})
    store_relations(chunk, propose_relations(chunk, model).relations)
    ConceptRelation.objects.update(status="rejected")
    assert store_relations(chunk, propose_relations(chunk, model).relations) == 0
    assert ConceptRelation.objects.get().status == "rejected"


def test_relations_that_another_job_stores_meanwhile_are_not_counted(chunk: Chunk) -> None:
    proposed = propose_relations(chunk, SaysInTurn({"relations": [relation(2, 3)]}))
    other = ConceptRelation(
        source=make_node("Slips", "topic"),
        target=proposed.relations[0].target,
        relation_type="contrasts_with",
        status="pending",
        created_by=ORIGIN,
        chunk=make_chunk("A slip is no stall.", embed=False),
    )

    class Meanwhile(list[ConceptRelation]):
        """While these are stored, another job stores one of its own."""

        def __iter__(self) -> Iterator[ConceptRelation]:
            if other.pk is None:
                other.save()
            return super().__iter__()

    assert store_relations(chunk, Meanwhile(proposed.relations)) == 1
    assert ConceptRelation.objects.count() == 2


def test_what_a_schools_document_says_joins_nothing_of_the_shared_library_alone(chunk: Chunk) -> None:
    chunk.document.tenant = school = make_tenant()
    chunk.document.save()
    own = make_node("Our stall drill", "topic", tenant=school)
    make_evidence(own, chunk, TEXT)  # listed first
    proposed = propose_relations(chunk, SaysInTurn({"relations": [relation(1, 4), relation(3, 4)]}))
    [edge] = proposed.relations
    assert own in (edge.source, edge.target)
    assert proposed.refused.total() == 1


def test_failed_call_is_the_callers(chunk: Chunk) -> None:
    with pytest.raises(ModelError):
        propose_relations(chunk, SaysInTurn(ModelError("away")))
