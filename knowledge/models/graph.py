"""The concept graph and its links to the chunks that support it."""

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Case, IntegerField, Q, When

from knowledge import conf

from .documents import Chunk
from .tenancy import school_field


class ConceptCategory(models.TextChoices):
    ACS_ELEMENT = "acs_element", "ACS element"
    TOPIC = "topic"
    REGULATORY_CLAIM = "regulatory_claim", "regulatory claim"
    DEFINITION = "definition"
    PROCEDURE = "procedure"
    ARTIFACT = "artifact"
    MISCONCEPTION = "misconception"


class ValidationStatus(models.TextChoices):
    PENDING = "pending"
    VALIDATED = "validated", "Approved"
    REJECTED = "rejected"


class Priority(models.TextChoices):
    P0 = "P0", "P0: weather minimums, airspace, right of way"
    P1 = "P1", "P1: currency, documents, inspections"
    P2 = "P2", "P2: the rest"


class RelationType(models.TextChoices):
    REQUIRES_KNOWLEDGE_OF = "requires_knowledge_of"
    LEADS_TO_DISCUSSION_OF = "leads_to_discussion_of"
    IS_COMPONENT_OF = "is_component_of"
    CONTRASTS_WITH = "contrasts_with"
    MITIGATES_RISK_OF = "mitigates_risk_of"
    APPLIES_IN_SCENARIO = "applies_in_scenario"


UNDECIDED = Q(validation_status=ValidationStatus.PENDING) | Q(
    validation_status=ValidationStatus.VALIDATED, stale=True
)
"""Claims that wait for a decision: new ones, and approved ones whose evidence changed."""
CLAIMED = (ConceptCategory.REGULATORY_CLAIM, ConceptCategory.DEFINITION)
OF_ITEMS = "item"
"""The origin of key points and mix-ups. The sources of the graph write only what joins them, and withdraw none."""
UNBOUND_LAST = Case(When(key_facts__has_key=conf.UNBOUND, then=1), default=0, output_field=IntegerField())


class Concept(models.Model):
    """A node. `key` is its identity, built by `knowledge.graph.identity.node_key` alone. `version` rises by one
    with every change, so that a decision made on an older reading can be refused."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = school_field(related_name="concepts")
    key = models.CharField(max_length=200)
    name = models.TextField(help_text="A claim's statement, an element's text, a topic's title.")
    category = models.CharField(max_length=20, choices=ConceptCategory.choices)
    key_facts = models.JSONField(default=dict, blank=True)
    validation_status = models.CharField(
        max_length=10, choices=ValidationStatus.choices, default=ValidationStatus.PENDING
    )
    priority = models.CharField(max_length=2, choices=Priority.choices, default=Priority.P2)
    stale = models.BooleanField(default=False, help_text="Its evidence changed; a reviewer must look again.")
    stale_reason = models.CharField(max_length=300, blank=True)
    origin = models.CharField(
        max_length=40, blank=True, help_text="Where the graph read it; empty for extracted claims."
    )
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["category", "key"]
        constraints = [
            models.UniqueConstraint(fields=["tenant", "key"], name="concept_once", nulls_distinct=False)
        ]
        indexes = [
            models.Index(fields=["category", "validation_status", "priority"], name="concept_queue"),
            # The order in which claims wait for a reviewer.
            models.Index(
                UNBOUND_LAST,
                "priority",
                "created_at",
                "key",
                name="claims_waiting",
                condition=UNDECIDED & Q(category__in=CLAIMED),
            ),
            models.Index(fields=["origin"], name="concept_origin"),
        ]

    def __str__(self) -> str:
        return self.name[:120]


class ConceptRelation(models.Model):
    source = models.ForeignKey(Concept, on_delete=models.CASCADE, related_name="relations_out")
    target = models.ForeignKey(Concept, on_delete=models.CASCADE, related_name="relations_in")
    relation_type = models.CharField(max_length=24, choices=RelationType.choices)
    confidence = models.FloatField(default=0.5)
    status = models.CharField(
        max_length=10, choices=ValidationStatus.choices, default=ValidationStatus.VALIDATED
    )
    version = models.PositiveIntegerField(default=1)
    created_by = models.CharField(max_length=40, default="pipeline")
    reason = models.CharField(max_length=200, blank=True, help_text="Why the link was made, for a reviewer.")
    chunk = models.ForeignKey(
        Chunk,
        verbose_name="passage",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="The passage that says so.",
    )

    class Meta:
        verbose_name = "relation"
        ordering = ["source_id", "relation_type", "target_id"]
        constraints = [
            models.UniqueConstraint(fields=["source", "target", "relation_type"], name="relation_once"),
            models.CheckConstraint(condition=~Q(source=models.F("target")), name="relation_no_loop"),
        ]
        indexes = [
            models.Index(fields=["source", "-confidence"], name="relation_forward"),
            models.Index(fields=["target", "-confidence"], name="relation_backward"),
            models.Index(fields=["created_by"], name="relation_origin"),
        ]

    def __str__(self) -> str:
        return f"{self.source} – {self.get_relation_type_display().lower()} – {self.target}"


class GraphReading(models.Model):
    """When one kind of source was last read into the graph, in which state it was, and what that changed."""

    origin = models.CharField(max_length=40, unique=True)
    state = models.CharField(max_length=64, help_text="A fingerprint of what was read.")
    read_at = models.DateTimeField(auto_now=True)
    seconds = models.FloatField(default=0)
    changes = models.JSONField(default=dict)

    class Meta:
        ordering = ["origin"]

    def __str__(self) -> str:
        return self.origin


class EvidenceType(models.TextChoices):
    PRIMARY = "primary"
    SECONDARY = "secondary"
    EXAMPLE = "example"
    COUNTEREXAMPLE = "counterexample"


SUPPORT = (EvidenceType.PRIMARY, EvidenceType.SECONDARY)
"""What a concept rests on. An example or a counterexample illustrates it and supports nothing."""


class SupportManager(models.Manager["ConceptChunkEvidence"]):
    """What supports concepts; `ConceptChunkEvidence.every` also has examples and counterexamples. A join through
    `evidence__` passes neither and names the types itself."""

    def get_queryset(self) -> "models.QuerySet[ConceptChunkEvidence]":
        return super().get_queryset().filter(evidence_type__in=SUPPORT)


class ConceptChunkEvidence(models.Model):
    concept = models.ForeignKey(Concept, on_delete=models.CASCADE, related_name="evidence")
    chunk = models.ForeignKey(Chunk, on_delete=models.CASCADE, related_name="evidence")
    evidence_type = models.CharField(
        max_length=15, choices=EvidenceType.choices, default=EvidenceType.PRIMARY
    )
    quote = models.TextField(help_text="Stands verbatim in the chunk.")
    page = models.PositiveIntegerField(null=True, blank=True)
    confidence = models.FloatField(default=0.5)
    created_by = models.CharField(max_length=40, default="pipeline")
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[SupportManager] = SupportManager()
    every: ClassVar["models.Manager[ConceptChunkEvidence]"] = models.Manager()

    class Meta:
        ordering = ["concept_id", "-confidence", "id"]
        verbose_name_plural = "concept chunk evidence"
        constraints = [
            models.UniqueConstraint(fields=["concept", "chunk", "evidence_type"], name="evidence_once")
        ]

    def __str__(self) -> str:
        return self.quote[:120]
