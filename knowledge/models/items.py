"""The item bank: questions with their key points, mix-ups, and things on the table.

A key point's concept carries its anchors (`ConceptChunkEvidence`) and the reviewer's decision (`validation_status`), so
an item can be asked when the concepts of its must points are validated. The author's files are the source of items of
origin `file`; loading them again changes those rows.
"""

import uuid

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.db import models

from .graph import Concept
from .tenancy import Tenant, school_field


class ItemOrigin(models.TextChoices):
    FILE = "file", "item file"
    WRITTEN = "written", "written here"
    DRAFTED = "drafted", "drafted by a model"


class ItemLevel(models.TextChoices):
    RECALL = "recall"
    APPLY = "apply"
    CORRELATE = "correlate"


class TripMoment(models.TextChoices):
    """When on the trip of a mock oral a question plays, in the order of the flight."""

    PLANNING = "planning"
    PREFLIGHT = "preflight"
    TAXI = "taxi"
    TAKEOFF = "takeoff"
    EN_ROUTE = "en route"
    ARRIVAL = "arrival"
    STOPOVER = "stopover"
    DEPARTING = "departing"
    RETURN = "return"
    LANDING = "landing"


class PointRole(models.TextChoices):
    RULE = "rule"
    EXPLAIN = "explain", "explanation"
    READ = "read", "reading"
    HAZARD = "hazard"
    ASSESS = "assess", "assessment"
    MITIGATE = "mitigate", "mitigation"
    DECIDE = "decide", "decision"


class AnchorState(models.TextChoices):
    WAITING = "waiting", "not looked for yet"
    CLEAN = "clean", "a passage bears it"
    DOUBTFUL = "doubtful", "a passage may bear it; read it before it is approved"
    MISSING = "missing", "no passage bears it"
    TABLE = "table", "rests on the item's own artifact"


class Artifact(models.Model):
    """Something on the table: a text as the student sees it, or a figure of the library."""

    tenant = school_field()
    key = models.CharField(max_length=60)
    kind = models.CharField(max_length=20)
    title = models.CharField(max_length=120)
    text = models.TextField(blank=True, help_text="Shown as it stands, in columns.")
    figure = models.CharField(
        max_length=60, blank=True, help_text="A figure of the library: “PHAK Figure 10-5”."
    )

    class Meta:
        ordering = ["key"]
        constraints = [
            models.UniqueConstraint(fields=["tenant", "key"], name="artifact_once", nulls_distinct=False)
        ]

    def __str__(self) -> str:
        return self.title


class Item(models.Model):
    """One question. `version` rises by one with every change of its wording or points."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = school_field(related_name="items")
    key = models.CharField(max_length=90, help_text="“pa.i.a.k1.passengers-after-a-break”")
    task = models.CharField(max_length=20, help_text="The ACS Task: “PA.I.A”.")
    elements = models.JSONField(default=list, help_text="ACS codes that the question is about.")
    classes = models.JSONField(
        default=list, blank=True, help_text="Classes whose oral asks it, such as AMEL; none for all."
    )
    level = models.CharField(max_length=10, choices=ItemLevel.choices, default=ItemLevel.APPLY)
    stem = models.TextField(help_text="The question, with its slots in braces.")
    again = models.TextField(help_text="The same question in other words, for “What do you mean?”")
    on_trip = models.TextField(
        blank=True, help_text="The same question worded into the trip of a mock oral, with the trip's slots."
    )
    moment = models.CharField(
        max_length=10,
        blank=True,
        choices=TripMoment.choices,
        help_text="When on the trip the question plays.",
    )
    stage = models.PositiveSmallIntegerField(
        default=5, help_text="How far into that moment it plays, 1 to 9."
    )
    topic = models.CharField(
        max_length=60, blank=True, help_text="What it shares with items of which one oral asks only one."
    )
    ends = models.TextField(
        blank=True, help_text="Said before the next question of a mock oral, so that the flight goes on."
    )
    slots = models.JSONField(default=dict, blank=True, help_text='{"days": [40, 95]}')
    cases = models.JSONField(default=list, blank=True, help_text="Rows of givens that belong together.")
    why = models.TextField(help_text="What the rule or fact protects against, for the debrief.")
    needs = models.JSONField(default=list, blank=True, help_text="Keys of artifacts on the table.")
    requires = models.JSONField(default=list, blank=True, help_text="Elements that are known first.")
    leads_to = models.JSONField(default=list, blank=True, help_text="Elements where the talk goes next.")
    after = models.CharField(max_length=90, blank=True, help_text="Key of the item before it in its scene.")
    origin = models.CharField(max_length=10, choices=ItemOrigin.choices, default=ItemOrigin.WRITTEN)
    source_file = models.CharField(max_length=120, blank=True)
    content_hash = models.CharField(max_length=64, blank=True, help_text="sha256 of the item as loaded.")
    withdrawn = models.BooleanField(default=False, help_text="Not asked any more; old exams keep it.")
    withdrawn_reason = models.CharField(max_length=300, blank=True)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["task", "key"]
        constraints = [
            models.UniqueConstraint(fields=["tenant", "key"], name="item_once", nulls_distinct=False)
        ]
        indexes = [
            models.Index(fields=["task"], name="item_task"),
            GinIndex(fields=["elements"], name="item_elements"),
        ]

    def __str__(self) -> str:
        return self.key


class ItemReport(models.Model):
    """What reviewers of a school find wrong with an item of the shared library, and what its reviewers answered."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="reports")
    tenant = models.ForeignKey(Tenant, verbose_name="school", on_delete=models.CASCADE, related_name="+")
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    words = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)
    answer = models.TextField(blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    answered_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["item", "tenant"],
                condition=models.Q(answered_at__isnull=True),
                name="item_reported_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.item}, reported by {self.tenant}"


class KeyPoint(models.Model):
    """One fact of a complete answer. `anchor` says how its passage was found, `missing_document` what the library
    lacks."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="points")
    key = models.CharField(max_length=60)
    order = models.PositiveSmallIntegerField(default=0)
    text = models.TextField()
    role = models.CharField(max_length=10, choices=PointRole.choices, default=PointRole.RULE)
    must = models.BooleanField(default=True, help_text="A complete answer needs it.")
    p0 = models.BooleanField(
        default=False, help_text="An error here fails the Task once it survives the probe."
    )
    sources = models.JSONField(default=list, help_text="“14 CFR 61.57(a)(1)”, the best first.")
    accept = models.JSONField(default=list, blank=True, help_text="Whole wordings of a student.")
    reject = models.JSONField(default=list, blank=True, help_text="Phrases of those who have it wrong.")
    keywords = models.JSONField(
        default=list, blank=True, help_text="Groups of words of which whoever says it uses one each."
    )
    ask = models.CharField(max_length=240, help_text="The neutral probe at it.")
    then = models.BooleanField(
        default=False, help_text="The stem does not ask for it: the examiner asks next, in the words above."
    )
    hint = models.CharField(max_length=240, help_text="Where to look for it.")
    when = models.JSONField(default=dict, blank=True, help_text="Slot values with which it is expected.")
    concept = models.ForeignKey(
        Concept, on_delete=models.SET_NULL, null=True, blank=True, related_name="key_points"
    )
    anchor = models.CharField(max_length=10, choices=AnchorState.choices, default=AnchorState.WAITING)
    missing_document = models.CharField(max_length=120, blank=True)
    looked_in = models.CharField(
        max_length=64, blank=True, help_text="A fingerprint of what was read to find its passage."
    )

    class Meta:
        ordering = ["item_id", "order"]
        constraints = [models.UniqueConstraint(fields=["item", "key"], name="key_point_once")]

    def __str__(self) -> str:
        return self.text[:120]


class MixUp(models.Model):
    """A wrong belief that students hold, and the sentence that sets it right."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="mixups")
    order = models.PositiveSmallIntegerField(default=0)
    text = models.TextField(help_text="As a student says it.")
    answer = models.TextField(help_text="What is right instead.")
    sources = models.JSONField(default=list)
    contradicts = models.JSONField(default=list, blank=True, help_text="Keys of points that it denies.")
    concept = models.ForeignKey(
        Concept, on_delete=models.SET_NULL, null=True, blank=True, related_name="mixups"
    )

    class Meta:
        ordering = ["item_id", "order"]
        verbose_name = "mix-up"

    def __str__(self) -> str:
        return self.text[:120]
