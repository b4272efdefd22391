"""Records of the system's own work: jobs, caches, searches, model use, and operators' notes."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from .documents import Document
from .tenancy import Tenant, school_field


class JobState(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    CANCELLING = "cancelling"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


class JobKind(models.TextChoices):
    """What a job works on. The steps of each kind are named in `settings.JOB_STEPS`."""

    DOCUMENT = "document", "Document"
    VECTORS = "vectors", "Search vectors"
    CLAIMS = "claims", "Claims"
    ITEMS = "items", "Questions"
    STANDARD = "standard", "Certification standard"
    RULES = "rules", "European rules"
    EVALUATION = "evaluation", "Evaluation"
    BACKUP = "backup", "Backup"
    GRAPH = "graph", "Relations of the graph"
    BATCH = "batch", "Batch by sample"


class IngestionJob(models.Model):
    """One long work, such as the ingestion of a file. This row is the truth about the job; the broker only wakes
    workers. `fence` rises each time a worker takes the lease, and writes of an earlier holder are refused."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = school_field()
    document = models.ForeignKey(
        Document, on_delete=models.SET_NULL, null=True, blank=True, related_name="jobs"
    )
    file = models.FileField(upload_to="incoming/", max_length=200, blank=True)
    source_name = models.CharField(max_length=300)
    content_hash = models.CharField(max_length=64)
    options = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.QUEUED)
    step = models.CharField(max_length=30, blank=True)
    steps = models.JSONField(
        default=list, help_text='[{"name", "state", "done", "total", "seconds", "note"}]'
    )
    counts = models.JSONField(
        default=dict, help_text="The result so far: pages, chunks, images, links, skipped…"
    )
    error = models.TextField(blank=True)
    kind = models.CharField(max_length=10, choices=JobKind.choices, default=JobKind.DOCUMENT)
    held = models.BooleanField(
        default=False, help_text="Waits for an operator who has seen the estimate; no worker takes it."
    )
    estimate = models.JSONField(
        default=dict, blank=True, help_text="pages, tokens, cost and seconds, as expected before it began"
    )
    seconds_left = models.FloatField(
        null=True, blank=True, help_text="As the worker saw it when it wrote the row."
    )
    attempts = models.PositiveIntegerField(default=0)
    priority = models.SmallIntegerField(default=0)
    large = models.BooleanField(default=False, help_text="Takes minutes: small ones go before it.")
    fence = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    dismissed_at = models.DateTimeField(
        null=True, blank=True, help_text="Over and put away: on no list but that of dismissed jobs."
    )
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = "job"
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["state", "lease_until"], name="job_state")]

    def __str__(self) -> str:
        return f"{self.source_name}: {self.state}"


class EmbeddingCache(models.Model):
    """A vector by the sha256 of its normalised text and its model."""

    model = models.CharField(max_length=80)
    text_hash = models.CharField(max_length=64)
    vector = models.BinaryField(help_text="float32, little endian")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["model", "text_hash"], name="embedding_cached_once")]

    def __str__(self) -> str:
        return f"{self.model} {self.text_hash[:12]}"


class VectorSet(models.Model):
    """One model's vectors of the whole library. Searches read only the set in use; the others are kept up to date, so
    that an operator can switch to them at any moment or remove them."""

    model = models.CharField(max_length=80, unique=True)
    dimensions = models.PositiveIntegerField()
    in_use = models.BooleanField(default=False)
    used_since = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["created_at"]
        constraints = [
            models.UniqueConstraint(fields=["in_use"], condition=Q(in_use=True), name="one_vector_set_in_use")
        ]

    def __str__(self) -> str:
        return self.model


class LibraryGeneration(models.Model):
    """Rises with every change of what a tenant's searches may find (0 = the shared library), and is part of each
    cache key."""

    tenant_key = models.PositiveBigIntegerField(primary_key=True)
    generation = models.PositiveBigIntegerField(default=1)

    class Meta:
        ordering = ["tenant_key"]

    def __str__(self) -> str:
        return f"{self.tenant_key}: {self.generation}"


class LookUp(models.TextChoices):
    """What a search went by; `answer` is what a student said, beside the element and the question."""

    ELEMENT = "element"
    ANSWER = "answer"
    TYPED = "typed"


class Tier(models.TextChoices):
    """What answered a search: the process's memory, the cache of rankings, or the database."""

    MEMORY = "memory"
    HOT = "hot"
    FULL = "full"


class RetrievalLog(models.Model):
    tenant = school_field()
    query = models.TextField()
    element = models.CharField(max_length=24, blank=True)
    exam = models.UUIDField(null=True, blank=True)
    filters = models.JSONField(default=dict)
    arm = models.CharField(max_length=20)
    kind = models.CharField(max_length=10, choices=LookUp.choices, default=LookUp.TYPED)
    tier = models.CharField(max_length=10, choices=Tier.choices, default=Tier.FULL)
    flags = models.JSONField(default=list, help_text="The flags that were on for whom it was made.")
    model = models.CharField(max_length=80, blank=True)
    quality = models.CharField(max_length=10)
    top = models.FloatField(null=True, blank=True)
    fallback = models.BooleanField(default=False)
    cached = models.BooleanField(default=False)
    latency_ms = models.FloatField()
    results = models.JSONField(
        default=list, help_text='[{"chunk_id", "score", "similarity", "lexical"}] in the order shown'
    )
    reformulated = models.TextField(
        blank=True, help_text="What was searched instead, where what was asked found too little."
    )
    degraded = models.CharField(max_length=200, blank=True, help_text="What was away, where something was.")
    cited = models.JSONField(default=list, help_text="Ids of the passages that were cited because of it.")
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        verbose_name = "logged search"
        verbose_name_plural = "logged searches"
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.query[:80]


class RetrievalReport(models.Model):
    """What one week of searches says about the library, for one school, or for those who have none."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, null=True, blank=True)
    week = models.DateField(help_text="Its Monday.")
    body = models.JSONField(default=dict, help_text="What the week's report says, as JSON.")
    created_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-week"]
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "week"], name="retrieval_report_once", nulls_distinct=False
            )
        ]

    def __str__(self) -> str:
        return f"week of {self.week}"


class ModelUse(models.Model):
    """One day's use of one vendor's model. `cost` is in US dollars; null if the model's price is not known."""

    day = models.DateField()
    provider = models.CharField(max_length=20)
    model = models.CharField(max_length=80)
    purpose = models.CharField(max_length=20, help_text="A role, or “embedding”.")
    calls = models.PositiveIntegerField(default=0)
    input_tokens = models.PositiveBigIntegerField(default=0)
    output_tokens = models.PositiveBigIntegerField(default=0)
    cost = models.FloatField(null=True, blank=True)

    class Meta:
        ordering = ["-day", "model", "purpose"]
        constraints = [
            models.UniqueConstraint(fields=["day", "provider", "model", "purpose"], name="model_use_once")
        ]

    def __str__(self) -> str:
        return f"{self.day}: {self.model} as {self.purpose}"


class ModelSpending(models.Model):
    """One day's calls to vendors for one student, school and exam. It goes with its student; the sums of `ModelUse`
    stay."""

    day = models.DateField()
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+"
    )
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, null=True, related_name="+")
    exam = models.UUIDField(null=True)
    calls = models.PositiveIntegerField(default=0)
    tokens = models.PositiveBigIntegerField(default=0, help_text="Read and written.")
    cost = models.FloatField(null=True, blank=True, help_text="In US dollars; null if a price is not known.")

    class Meta:
        ordering = ["-day", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["day", "student", "tenant", "exam"], name="spending_once", nulls_distinct=False
            )
        ]

    def __str__(self) -> str:
        return f"{self.day}: {self.calls} calls"


class ModelFailure(models.Model):
    """The last failed call to a vendor's model for one purpose."""

    provider = models.CharField(max_length=20)
    model = models.CharField(max_length=80)
    purpose = models.CharField(max_length=20)
    code = models.CharField(max_length=40)
    message = models.CharField(max_length=300)
    failures = models.PositiveIntegerField(default=1)
    last_at = models.DateTimeField()

    class Meta:
        ordering = ["-last_at"]
        constraints = [
            models.UniqueConstraint(fields=["provider", "model", "purpose"], name="model_failure_once")
        ]

    def __str__(self) -> str:
        return f"{self.model} as {self.purpose}: {self.code}"


class ModelCallCount(models.Model):
    """Calls to vendors' chat models for one student, or for all students of one school, on one day (UTC)."""

    day = models.DateField()
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+"
    )
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, null=True, related_name="+")
    calls = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-day", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["day", "student", "tenant"], name="model_calls_once", nulls_distinct=False
            )
        ]

    def __str__(self) -> str:
        return f"{self.day}: {self.calls} for {self.student or self.tenant}"


class RetrievalComparison(models.Model):
    """Shadow mode: what each arm would have given for one question that was asked, and the verdicts.

    `plain` is the search alone, `enhanced` the approved claims and the search. Passages are ids, in order. `labels` are
    the passages of the question's approved key points; `plain_found` and `enhanced_found` are what each arm finds while
    those points are hidden from it, the same number of passages each. An arm's verdict is the local assessor's over
    what that arm expects; empty if the arm could not ask.
    """

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, null=True, blank=True)
    element = models.CharField(max_length=24)
    exam = models.UUIDField(null=True, blank=True)
    turn = models.PositiveBigIntegerField(
        null=True, unique=True, help_text="The turn that asked the question."
    )
    served = models.CharField(max_length=10, help_text="The arm that the student had: plain or enhanced.")
    plain = models.JSONField(default=list)
    enhanced = models.JSONField(default=list)
    labels = models.JSONField(default=list, help_text="Passages of the question's approved key points.")
    plain_found = models.JSONField(default=list, help_text="Found while those points are hidden.")
    enhanced_found = models.JSONField(default=list, help_text="Found while those points are hidden.")
    plain_ms = models.FloatField(null=True)
    enhanced_ms = models.FloatField(null=True)
    plain_verdict = models.CharField(max_length=15, blank=True)
    enhanced_verdict = models.CharField(max_length=15, blank=True)
    verdict = models.CharField(max_length=15, blank=True, help_text="The one that the student got.")
    overlap = models.FloatField(default=0, help_text="Passages of both among those of either, 0 to 1.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.element


class NoteRole(models.TextChoices):
    """Whom a note may speak to: a vendor's model in one of these roles."""

    EXAMINER = "examiner", "Examiner"
    ASSESSOR = "assessor", "Assessor"
    RULES = "rules", "Rules desk"


class Note(models.Model):
    """An operator's instruction to a model: manner and emphasis to the examiner and the rules desk, the students' way
    of speaking to the assessor. It is not a source: no search finds it, and nothing is cited from it."""

    tenant = school_field(help_text="Empty: for every school.")
    role = models.CharField(max_length=20, choices=NoteRole.choices, default=NoteRole.EXAMINER)
    area = models.CharField(
        max_length=5, blank=True, help_text="A roman numeral: I, XI. Empty: for every Area of Operation."
    )
    text = models.TextField(
        max_length=1000, help_text="How to speak and what to dwell on. Figures and rules do not belong here."
    )
    active = models.BooleanField(default=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.role} {self.area}".strip()


class CurrencyReport(models.Model):
    """The editions that were overdue for a check on one day, as the scheduled job found them."""

    day = models.DateField(unique=True)
    overdue = models.JSONField(default=list, help_text='[{"document", "title", "tenant", "check_by"}]')
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-day"]

    def __str__(self) -> str:
        return f"{self.day}: {len(self.overdue)} overdue"
