"""Claims as reviewers see them, and the append-only record of decisions."""

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Exists, OuterRef

from knowledge.models import Concept, ConceptRelation, KeyPoint, Tenant
from knowledge.models.graph import CLAIMED, ValidationStatus


class ClaimManager(models.Manager["Claim"]):
    def get_queryset(self) -> "models.QuerySet[Claim]":
        """Rules and definitions; key points of items are decided on with their items."""
        claims = super().get_queryset().filter(category__in=CLAIMED)
        return claims.filter(~Exists(KeyPoint.objects.filter(concept=OuterRef("pk"))))


class Claim(Concept):
    """A rule or a definition extracted from a document; a proxy of its concept."""

    objects: ClassVar[ClaimManager] = ClaimManager()

    class Meta:
        proxy = True
        ordering = ["priority", "created_at", "key"]
        permissions = [("review_claim", "Can approve, edit and reject claims")]

    @property
    def is_undecided(self) -> bool:
        """Whether it is one of `UNDECIDED`."""
        approved = self.validation_status == ValidationStatus.VALIDATED
        return self.validation_status == ValidationStatus.PENDING or (approved and self.stale)


class DecisionKind(models.TextChoices):
    APPROVE = "approve"
    EDIT = "edit"
    REJECT = "reject"
    REOPEN = "reopen"
    REANCHOR = "reanchor"
    RETIRE = "retire"
    MERGE = "merge"
    SPLIT = "split"


class ReviewDecision(models.Model):
    claim = models.ForeignKey(Concept, on_delete=models.PROTECT, related_name="decisions")
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="decisions")
    decision = models.CharField(max_length=10, choices=DecisionKind.choices)
    version_read = models.PositiveIntegerField()
    before = models.JSONField()
    after = models.JSONField()
    reason = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        indexes = [models.Index(fields=["reviewer", "-created_at", "-id"], name="decisions_by")]

    def __str__(self) -> str:
        return f"{self.decision} by {self.reviewer}"


class Aside(models.TextChoices):
    """Why a claim does not come up in the queue by itself."""

    DEFERRED = "deferred"
    FLAGGED = "flagged"


class ParkedGroup(models.Model):
    """A reviewer's decision that the claims of a document, or of one subpart or chapter of it, do not matter here. It
    also parks claims that are extracted later, until it ends."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    source = models.CharField(max_length=300)
    group = models.CharField(max_length=300, blank=True, help_text="Empty for the whole document.")
    unbound_only = models.BooleanField(default=False, help_text="Only claims that bind nobody in any oral.")
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["source", "group", "unbound_only"]
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "source", "group", "unbound_only"],
                condition=models.Q(ended_at__isnull=True),
                name="parked_once",
                nulls_distinct=False,
            )
        ]

    def __str__(self) -> str:
        what = f"{self.source}, {self.group}" if self.group else self.source
        return f"{what} (binds nobody in any oral)" if self.unbound_only else what


class QueueEntry(models.Model):
    """A claim's place in the queue: where it was found, who put it aside, who reads it now."""

    claim = models.OneToOneField(
        Concept, on_delete=models.CASCADE, primary_key=True, related_name="queue_entry"
    )
    source = models.CharField(max_length=300, blank=True, help_text="The document, without its edition.")
    group = models.CharField(max_length=300, blank=True, help_text="The subpart, or the first heading.")
    aside = models.CharField(max_length=10, choices=Aside.choices, blank=True)
    aside_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    parked = models.ForeignKey(
        ParkedGroup, on_delete=models.SET_NULL, null=True, blank=True, related_name="entries"
    )
    held_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    held_until = models.DateTimeField(null=True, blank=True)
    elements = ArrayField(
        models.CharField(max_length=20),
        default=list,
        blank=True,
        help_text="Codes of the ACS elements that an approval links the claim to, the likeliest first.",
    )
    element_reasons = models.JSONField(
        default=dict, blank=True, help_text="By code: the likelihood in [0, 1], and why in words."
    )
    elements_found_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "queue entries"
        indexes = [
            models.Index(fields=["source", "group"], name="queue_group"),
            GinIndex(fields=["elements"], name="queue_elements"),
        ]

    def __str__(self) -> str:
        return f"{self.source}, {self.group}"


class GraphDecision(models.Model):
    """A reviewer's decision on a relation or a wrong belief of the concept graph. It keeps the words of what was
    decided on, since a source may withdraw a relation later."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    relation = models.ForeignKey(
        ConceptRelation, on_delete=models.SET_NULL, null=True, blank=True, related_name="decisions"
    )
    concept = models.ForeignKey(
        Concept, on_delete=models.PROTECT, null=True, blank=True, related_name="graph_decisions"
    )
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    decision = models.CharField(max_length=10, choices=DecisionKind.choices)
    version_read = models.PositiveIntegerField()
    before = models.JSONField()
    after = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return f"{self.decision} by {self.reviewer}"
