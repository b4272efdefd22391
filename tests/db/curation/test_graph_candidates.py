"""A model proposes relations that a passage states; each is checked, and waits for a reviewer."""

from typing import Any

import pytest

from curation.graph.candidates import propose_relations
from desk.graph_upkeep import NoVendor, ask_for_relations
from knowledge.models import Chunk, Concept, ConceptRelation
from llm.errors import ModelError
from tests.doubles.chats import SaysInTurn
from tests.doubles.library import make_chunk, make_evidence, make_node

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
    asked = propose_relations([chunk], model)
    edge = ConceptRelation.objects.get()
    assert (edge.source.name, edge.target.name, edge.status) == ("Spins", "Stalls", "pending")
    assert (edge.reason, edge.chunk) == ("“A spin follows a stall.”", chunk)
    assert (asked.passages, asked.new, asked.refused) == (1, 1, 0)
    assert "2. Spins" in model.asked[0].system


def test_invented_quotes_and_unknown_concepts_are_refused(chunk: Chunk) -> None:
    drafts = [relation(2, 3, "Spins are fun."), relation(2, 9), relation(3, 3)]
    asked = propose_relations([chunk], SaysInTurn({"relations": drafts}))
    assert (asked.new, asked.refused) == (0, 3)


def test_removed_relation_is_not_proposed_again(chunk: Chunk) -> None:
    model = SaysInTurn({"relations": [relation(2, 3)]})
    propose_relations([chunk], model)
    ConceptRelation.objects.update(status="rejected")
    assert propose_relations([chunk], model).new == 0
    assert ConceptRelation.objects.get().status == "rejected"


def test_failed_call_is_counted_and_stops_nothing(chunk: Chunk) -> None:
    Concept.objects.update(stale=False)
    assert propose_relations([chunk], SaysInTurn(ModelError("away"))).failed == 1


def test_only_a_vendors_model_is_asked(chunk: Chunk) -> None:
    with pytest.raises(NoVendor, match="key"):
        ask_for_relations(1, SaysInTurn({"relations": []}))
    told = ask_for_relations(1, SaysInTurn({"relations": [relation(2, 3)]}, external=True))
    assert told == {"passages": 1, "new": 1, "refused": 0, "failed": 0}
    assert ask_for_relations(1, SaysInTurn({"relations": []}, external=True))["passages"] == 0
