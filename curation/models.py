"""Claims as reviewers see them, and the append-only record of decisions."""

from collections.abc import Iterable, Sequence
from datetime import UTC
from typing import Any, ClassVar, NoReturn

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from curation.values import link_hash
from knowledge.models import Concept, ConceptRelation, Item, KeyPoint, Tenant
from knowledge.models.graph import CLAIMED, ValidationStatus
from knowledge.models.tenancy import school_field


class ClaimManager(models.Manager["Claim"]):
    def get_queryset(self) -> "models.QuerySet[Claim]":
        """Rules and definitions; key points of items are decided on with their items."""
        claims = super().get_queryset().filter(category__in=CLAIMED)
        return claims.filter(~Exists(KeyPoint.objects.filter(concept=OuterRef("pk"))))


class PointManager(models.Manager["Claim"]):
    def get_queryset(self) -> "models.QuerySet[Claim]":
        """The concepts of key points, whatever their category."""
        return super().get_queryset().filter(Exists(KeyPoint.objects.filter(concept=OuterRef("pk"))))


class Claim(Concept):
    """A rule or a definition extracted from a document; a proxy of its concept. `points` has the key points of items,
    which are reopened and taken back in the same way."""

    objects: ClassVar[ClaimManager] = ClaimManager()
    points: ClassVar[PointManager] = PointManager()

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
    VERDICT = "verdict"
    """Of a P0 claim's reader, while it waits for another one; changes nothing."""
    PARK = "park"
    BRING_BACK = "bring_back"
    OVERRULE = "overrule"
    UPHOLD = "uphold"
    WITHDRAW = "withdraw"
    RESTORE = "restore"
    DEFER = "defer"
    FLAG = "flag"


class AppendOnly(TypeError):
    """A review decision is never changed or deleted."""

    def __init__(self) -> None:
        super().__init__(
            "Review decisions are append-only. Record a new decision instead; manage.py remove_decisions removes those"
            " of a school that is given up."
        )


class DecisionQuerySet(models.QuerySet[Any]):
    """Rows are added, each chained to the one before it, and never changed."""

    def bulk_create(self, objs: Iterable[Any], *args: Any, **named: Any) -> list[Any]:
        with transaction.atomic():
            return super().bulk_create(chain_decisions(list(objs)), *args, **named)

    def update(self, **changes: Any) -> NoReturn:
        raise AppendOnly

    def bulk_update(self, *args: Any, **named: Any) -> NoReturn:
        raise AppendOnly

    def delete(self) -> NoReturn:
        raise AppendOnly


class ChainedDecision(models.Model):
    """A decision of a reviewer, append-only: the ORM and triggers of the database refuse changes. `hash` covers the
    row's content and the hash of the school's decision before it, of whichever kind, so `number` has no gap
    (`AuditChain`)."""

    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    decision = models.CharField(max_length=10, choices=DecisionKind.choices)
    version_read = models.PositiveIntegerField()
    before = models.JSONField()
    after = models.JSONField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    tenant = school_field(on_delete=models.PROTECT, editable=False, related_name="+")
    number = models.PositiveBigIntegerField(editable=False)
    hash = models.CharField(max_length=64, editable=False)

    class Meta:
        abstract = True
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return f"{self.decision} by {self.reviewer}"

    def save(self, *args: Any, **named: Any) -> None:
        if not self._state.adding:
            raise AppendOnly
        with transaction.atomic():
            chain_decisions([self])
            super().save(*args, **named)

    def delete(self, *args: Any, **named: Any) -> NoReturn:
        raise AppendOnly

    @property
    def about(self) -> dict[str, Any]:
        """What was decided on, as the hash covers it."""
        raise NotImplementedError

    @property
    def content(self) -> dict[str, Any]:
        """What the hash covers."""
        return {
            **self.about,
            "tenant": self.tenant_id,
            "number": self.number,
            "reviewer": self.reviewer_id,
            "decision": str(self.decision),
            "version_read": self.version_read,
            "before": self.before,
            "after": self.after,
            "created_at": self.created_at.astimezone(UTC).isoformat(timespec="microseconds"),
        }


class ReviewDecision(ChainedDecision):
    """A decision on a claim, or on a key point of an item."""

    claim = models.ForeignKey(Concept, on_delete=models.PROTECT, related_name="decisions")
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="decisions")
    reason = models.TextField(blank=True)

    objects: ClassVar[models.Manager["ReviewDecision"]] = models.Manager.from_queryset(DecisionQuerySet)()

    class Meta(ChainedDecision.Meta):
        indexes = [
            models.Index(fields=["reviewer", "-created_at", "-id"], name="decisions_by"),
            models.Index(
                fields=["claim", "version_read"], condition=models.Q(decision="verdict"), name="verdicts_of"
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "number"], name="decision_numbered_once", nulls_distinct=False
            )
        ]

    @property
    def about(self) -> dict[str, Any]:
        return {"claim": str(self.claim_id), "reason": self.reason}


class GraphDecision(ChainedDecision):
    """A decision on a relation or a wrong belief of the concept graph. It keeps the words of what was decided on, and
    the id of a relation that its source withdrew later."""

    relation = models.ForeignKey(
        ConceptRelation,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        null=True,
        blank=True,
        related_name="decisions",
    )
    concept = models.ForeignKey(
        Concept, on_delete=models.PROTECT, null=True, blank=True, related_name="graph_decisions"
    )

    objects: ClassVar[models.Manager["GraphDecision"]] = models.Manager.from_queryset(DecisionQuerySet)()

    class Meta(ChainedDecision.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "number"], name="graph_decision_numbered_once", nulls_distinct=False
            )
        ]

    @property
    def about(self) -> dict[str, Any]:
        concept = str(self.concept_id) if self.concept_id else None
        return {"relation": self.relation_id, "concept": concept}


class CaseKind(models.TextChoices):
    PARKING = "parking"
    DISPUTE = "dispute"
    ITEM = "item"
    CLAIM = "claim"


class CaseDecision(ChainedDecision):
    """A decision on a parking, a dispute, on whether an item is asked, or to put a claim or an item aside. It keeps the
    words of what was decided on, since a student deletes a dispute with the exam."""

    kind = models.CharField(max_length=10, choices=CaseKind.choices)
    row = models.CharField(
        max_length=36, help_text="The id of the parking, the dispute, the item or the claim."
    )
    version_read = models.PositiveIntegerField(default=0)

    objects: ClassVar[models.Manager["CaseDecision"]] = models.Manager.from_queryset(DecisionQuerySet)()

    class Meta(ChainedDecision.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "number"], name="case_decision_numbered_once", nulls_distinct=False
            )
        ]

    @property
    def about(self) -> dict[str, Any]:
        return {"kind": str(self.kind), "row": self.row}


class AuditChain(models.Model):
    """The end of a school's chain of decisions (no tenant: the shared library's), and its last verification. Writers
    lock this row, so that each decision has one predecessor."""

    tenant = models.ForeignKey(Tenant, on_delete=models.PROTECT, null=True, related_name="+")
    length = models.PositiveBigIntegerField(default=0)
    head = models.CharField(max_length=64, blank=True, help_text="The hash of the last decision.")
    checked_at = models.DateTimeField(null=True)
    checked_rows = models.PositiveBigIntegerField(default=0)
    faults = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant"], name="audit_chain_once", nulls_distinct=False)
        ]

    def __str__(self) -> str:
        return f"{self.length} decisions of {self.tenant or 'the shared library'}"


class RemovedDecisions(models.Model):
    """That the decisions of a school were removed with it: by whom, why, and how its chain ended. Append-only too."""

    school = models.CharField(max_length=63, help_text="The school's slug.")
    rows = models.PositiveBigIntegerField()
    head = models.CharField(max_length=64)
    removed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.rows} decisions of {self.school}"


def chain_decisions(rows: Sequence[ChainedDecision]) -> Sequence[ChainedDecision]:
    """Give new decisions their number and hash, and those on claims their school. Within the transaction that stores
    them: until it ends, other writers of the same schools wait."""
    on_claims = [row for row in rows if isinstance(row, ReviewDecision)]
    claims = Concept.objects.filter(pk__in={row.claim_id for row in on_claims})
    tenants = dict(claims.values_list("pk", "tenant_id"))
    for row in on_claims:
        row.tenant_id = tenants.get(row.claim_id)
    for tenant in sorted({row.tenant_id for row in rows}, key=lambda one: one or 0):
        chains = AuditChain.objects.select_for_update().filter(tenant=tenant)
        if (chain := chains.first()) is None:
            AuditChain.objects.bulk_create([AuditChain(tenant_id=tenant)], ignore_conflicts=True)
            chain = chains.get()
        for one in rows:
            if one.tenant_id == tenant:
                chain.length += 1
                one.number = chain.length
                one.hash = chain.head = link_hash(chain.head, one.content)
        chain.save(update_fields=["length", "head"])
    return rows


class Aside(models.TextChoices):
    """Why a claim or an item does not come up in the queue by itself."""

    DEFERRED = "deferred"
    FLAGGED = "flagged"


class ParkedGroup(models.Model):
    """A reviewer's decision that the claims of a document, or of one subpart or chapter of it, do not matter here. It
    also parks claims that are extracted later, until it ends."""

    tenant = school_field(related_name="+")
    source = models.CharField(max_length=300)
    group = models.CharField(max_length=300, blank=True, help_text="Empty for the whole document.")
    unbound_only = models.BooleanField(default=False, help_text="Only claims that bind nobody in any oral.")
    certificate = models.CharField(
        max_length=20,
        blank=True,
        help_text="If it is named, claims that bind nobody in the oral of this certificate.",
    )
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "parked part"
        ordering = ["source", "group", "unbound_only", "certificate"]
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "source", "group", "unbound_only", "certificate"],
                condition=models.Q(ended_at__isnull=True),
                name="parked_once",
                nulls_distinct=False,
            )
        ]

    def __str__(self) -> str:
        what = f"{self.source}, {self.group}" if self.group else self.source
        oral = f"the {self.certificate} oral" if self.certificate else "any oral"
        return f"{what} (binds nobody in {oral})" if self.unbound_only else what


class InQueue(models.Model):
    """The place in a queue of what waits for a reviewer: who put it aside, and who reads it now."""

    aside = models.CharField(max_length=10, choices=Aside.choices, blank=True)
    aside_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    held_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    held_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


class ItemEntry(InQueue):
    """An item's place in the queue of items."""

    item = models.OneToOneField(Item, on_delete=models.CASCADE, primary_key=True, related_name="queue_entry")

    class Meta:
        verbose_name_plural = "item entries"

    def __str__(self) -> str:
        return str(self.item)


class RelationEntry(InQueue):
    """Who reads a relation of the graph now."""

    relation = models.OneToOneField(
        ConceptRelation, on_delete=models.CASCADE, primary_key=True, related_name="queue_entry"
    )

    class Meta:
        verbose_name_plural = "relation entries"

    def __str__(self) -> str:
        return str(self.relation)


class QueueEntry(InQueue):
    """A claim's place in the queue, and where it was found; of a wrong belief, who reads it now."""

    claim = models.OneToOneField(
        Concept, on_delete=models.CASCADE, primary_key=True, related_name="queue_entry"
    )
    source = models.CharField(max_length=300, blank=True, help_text="The document, without its edition.")
    group = models.CharField(max_length=300, blank=True, help_text="The subpart, or the first heading.")
    parked = models.ForeignKey(
        ParkedGroup, on_delete=models.SET_NULL, null=True, blank=True, related_name="entries"
    )
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
