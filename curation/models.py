"""Claims as reviewers see them, and the append-only record of decisions."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef

from knowledge.models import Concept, KeyPoint
from knowledge.models.graph import ConceptCategory

CLAIMED = (ConceptCategory.REGULATORY_CLAIM, ConceptCategory.DEFINITION)


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


class DecisionKind(models.TextChoices):
    APPROVE = "approve"
    EDIT = "edit"
    REJECT = "reject"
    REOPEN = "reopen"
    REANCHOR = "reanchor"
    RETIRE = "retire"


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

    def __str__(self) -> str:
        return f"{self.decision} by {self.reviewer}"
