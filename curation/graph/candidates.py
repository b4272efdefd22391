"""Ask a model which concepts a passage joins, and store what it says as pending relations for a reviewer.

A reply is not trusted: the concepts are those that were listed, the relation is one of six, and the quote stands in the
passage word for word. A relation that is stored already, or was removed by a reviewer, is not proposed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import structlog
from django.db.models import Q
from pydantic import BaseModel, ConfigDict, Field

from knowledge.grounding.citations import find_quote
from knowledge.models import Chunk, Concept, ConceptRelation
from knowledge.models.graph import ConceptCategory, ValidationStatus
from llm.errors import ModelError
from llm.interfaces import ChatModel, ChatRequest, Message
from llm.prompts import fence_text, load_prompt
from llm.structured import ask_model

log = structlog.get_logger(__name__)

ROLE: Final = "grapher"
ORIGIN: Final = "model"
CONCEPTS: Final = 30
"""Concepts listed beside a passage."""
CONFIDENCE: Final = 0.5
"""Of a relation that only a model states."""
TOKENS: Final = 2_000
"""Of a reply."""


class DraftRelation(BaseModel):
    """One relation between two of the numbered concepts, and the words that say so."""

    model_config = ConfigDict(extra="forbid")

    source: int = Field(ge=1, le=CONCEPTS)
    relation: Literal[
        "requires_knowledge_of",
        "leads_to_discussion_of",
        "is_component_of",
        "contrasts_with",
        "mitigates_risk_of",
        "applies_in_scenario",
    ]
    target: int = Field(ge=1, le=CONCEPTS)
    quote: str = Field(min_length=1, max_length=1_000)


class DraftRelations(BaseModel):
    """What a model returns for one passage."""

    model_config = ConfigDict(extra="forbid")

    relations: list[DraftRelation] = Field(default_factory=list, max_length=60)


@dataclass(slots=True)
class Asked:
    """Passages read, relations proposed that are new, replies refused in part, and passages whose call failed."""

    passages: int = 0
    new: int = 0
    refused: int = 0
    failed: int = 0


def propose_relations(chunks: Iterable[Chunk], model: ChatModel) -> Asked:
    """Read these passages, and store what the model says as pending. A call that fails is counted and left out."""
    asked = Asked()
    for chunk in chunks:
        concepts = concepts_beside(chunk)
        if len(concepts) < 2:
            continue
        asked.passages += 1
        try:
            _propose(chunk, concepts, model, asked)
        except ModelError as error:
            log.warning("passage_not_joined", chunk=str(chunk.pk), code=error.code)
            asked.failed += 1
    return asked


def concepts_beside(chunk: Chunk) -> list[Concept]:
    """What may be joined by a passage: what rests on it, and the elements of the Tasks that it serves."""
    rests = Q(evidence__in=chunk.evidence.all())
    codes = [str(code) for code in chunk.tasks.values_list("task_code", flat=True)]
    serves = Q(category=ConceptCategory.ACS_ELEMENT, key_facts__task_code__in=codes[:1])
    shared = Q(tenant=None) | Q(tenant=chunk.document.tenant_id)
    found = Concept.objects.filter(shared, rests | serves, stale=False).distinct()
    kept = found.exclude(validation_status=ValidationStatus.REJECTED).exclude(name="[Archived]")
    return sorted(kept, key=lambda one: (one.category == ConceptCategory.ACS_ELEMENT, one.key))[:CONCEPTS]


def _propose(chunk: Chunk, concepts: Sequence[Concept], model: ChatModel, asked: Asked) -> None:
    listed = "\n".join(f"{n}. {one.name}" for n, one in enumerate(concepts, start=1))
    prompt = load_prompt(
        "curation",
        "grapher",
        concepts=fence_text("concepts", listed),
        passage=fence_text("passage", chunk.text),
    )
    request = ChatRequest(
        role=ROLE,
        system=prompt.text,
        messages=(Message("user", "State the relations of the passage."),),
        schema=DraftRelations,
        material=(chunk.text, tuple(one.name for one in concepts)),
        prompt_version=prompt.version,
        max_tokens=TOKENS,
    )
    edges = []
    for draft in ask_model(model, request).value.relations:
        known = max(draft.source, draft.target) <= len(concepts) and draft.source != draft.target
        if not known or find_quote(chunk.text, draft.quote) is None:
            asked.refused += 1
            continue
        edges.append(
            ConceptRelation(
                source=concepts[draft.source - 1],
                target=concepts[draft.target - 1],
                relation_type=draft.relation,
                confidence=CONFIDENCE,
                status=ValidationStatus.PENDING,
                created_by=ORIGIN,
                reason=f"“{' '.join(draft.quote.split())[:190]}”",
                chunk=chunk,
            )
        )
    before = ConceptRelation.objects.filter(created_by=ORIGIN).count()
    ConceptRelation.objects.bulk_create(edges, ignore_conflicts=True)
    asked.new += ConceptRelation.objects.filter(created_by=ORIGIN).count() - before
