"""Asks a model which concepts a passage relates, and stores its relations as pending for a reviewer.

A reply is not trusted: the concepts must be listed ones, the relation one of six, and the quote must occur in the
passage word for word. A relation that is stored already, or that a reviewer removed, is not proposed again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from django.db.models import Q
from pydantic import BaseModel, ConfigDict, Field

from knowledge.grounding.citations import find_quote
from knowledge.models import Chunk, Concept, ConceptRelation
from knowledge.models.graph import ConceptCategory, ValidationStatus
from llm.interfaces import ChatModel, ChatRequest, Message
from llm.prompts import fence_text, load_prompt
from llm.structured import ask_model

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
class Proposed:
    """What the model's reply for one passage gave: relations to store, and what was refused, with examples."""

    relations: list[ConceptRelation] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    examples: list[tuple[str, str]] = field(default_factory=list)

    def refuse(self, reason: str, quote: str) -> None:
        self.refused[reason] += 1
        self.examples.append((reason, quote))


def propose_relations(chunk: Chunk, model: ChatModel) -> Proposed:
    """What the model says that this passage joins, checked and not stored. Raises ModelError."""
    concepts, proposed = concepts_beside(chunk), Proposed()
    if len(concepts) < 2:
        return proposed
    for draft in ask_model(model, _request_for(chunk, concepts)).value.relations:
        if max(draft.source, draft.target) > len(concepts) or draft.source == draft.target:
            proposed.refuse("it joins a concept that was not listed, or one with itself", draft.quote)
            continue
        source, target = concepts[draft.source - 1], concepts[draft.target - 1]
        if find_quote(chunk.text, draft.quote) is None:
            proposed.refuse("the passage does not say these words", draft.quote)
        elif chunk.document.tenant_id not in (source.tenant_id, target.tenant_id):
            # Every school's students would read what one school's document says.
            proposed.refuse("a school's document joins two concepts of the shared library", draft.quote)
        else:
            proposed.relations.append(
                ConceptRelation(
                    source=source,
                    target=target,
                    relation_type=draft.relation,
                    confidence=CONFIDENCE,
                    status=ValidationStatus.PENDING,
                    created_by=ORIGIN,
                    reason=f"“{' '.join(draft.quote.split())[:190]}”",
                    chunk=chunk,
                )
            )
    return proposed


def store_relations(chunk: Chunk, relations: Sequence[ConceptRelation]) -> int:
    """Store those of one passage that are not stored or removed yet, as pending; how many they are. Counted are those
    of the passage alone: another job may store some of its own at the same time."""
    stored = ConceptRelation.objects.filter(created_by=ORIGIN, chunk=chunk)
    before = stored.count()
    ConceptRelation.objects.bulk_create(relations, ignore_conflicts=True)
    return stored.count() - before


def concepts_beside(chunk: Chunk) -> list[Concept]:
    """What may be joined by a passage: what rests on it, and the elements of the Tasks that it serves."""
    rests = Q(evidence__in=chunk.evidence.all())
    codes = [str(code) for code in chunk.tasks.values_list("task_code", flat=True)]
    serves = Q(category=ConceptCategory.ACS_ELEMENT, key_facts__task_code__in=codes[:1])
    shared = Q(tenant=None) | Q(tenant=chunk.document.tenant_id)
    found = Concept.objects.filter(shared, rests | serves, stale=False).distinct()
    kept = found.exclude(validation_status=ValidationStatus.REJECTED).exclude(name="[Archived]")
    return sorted(kept, key=lambda one: (one.category == ConceptCategory.ACS_ELEMENT, one.key))[:CONCEPTS]


def _request_for(chunk: Chunk, concepts: Sequence[Concept]) -> ChatRequest[DraftRelations]:
    listed = "\n".join(f"{n}. {one.name}" for n, one in enumerate(concepts, start=1))
    prompt = load_prompt(
        "curation",
        "grapher",
        concepts=fence_text("concepts", listed),
        passage=fence_text("passage", chunk.text),
    )
    return ChatRequest(
        role=ROLE,
        system=prompt.text,
        messages=(Message("user", "State the relations of the passage."),),
        schema=DraftRelations,
        material=(chunk.text, tuple(one.name for one in concepts)),
        prompt_version=prompt.version,
        max_tokens=TOKENS,
    )
