"""Documents, their pages, their chunks, and the figures that belong to them."""

import uuid
from datetime import date, timedelta
from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q
from pgvector.django import VectorField

from knowledge import conf

from .tenancy import school_field

LOCAL_MODEL = "all-MiniLM-L6-v2"
LOCAL_DIMENSIONS = 384


class DocType(models.TextChoices):
    CFR = "cfr", "Regulation (CFR)"
    AIM = "aim", "AIM"
    HANDBOOK = "handbook", "Handbook"
    AC = "ac", "Advisory circular"
    ACS = "acs", "Certification standard"
    POH = "poh", "Aircraft handbook (POH)"
    SOP = "sop", "School procedures"
    OTHER = "other", "Other"


class DocumentStatus(models.TextChoices):
    DRAFT = "draft"
    PUBLISHED = "published"
    ARCHIVED = "archived"


class Origin(models.TextChoices):
    FILE = "file"
    WRITTEN = "written"


def next_check(doc_type: str, today: date) -> date:
    """When a document whose edition was confirmed today is due to be checked again."""
    return today + timedelta(days=conf.CHECK_DAYS.get(doc_type, conf.CHECK_DAYS["other"]))


def check_by_for(doc_type: str, edition_date: date | None, today: date) -> date:
    """When a document that was just uploaded is due to be checked. It counts from the edition's date: an edition of
    five years ago is due at once, and so is one whose date nobody knows."""
    return next_check(doc_type, edition_date) if edition_date else today - timedelta(days=1)


class Document(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = school_field(related_name="documents")
    title = models.CharField(max_length=300)
    abbreviation = models.CharField(max_length=60, blank=True)
    doc_type = models.CharField("kind", max_length=10, choices=DocType.choices, default=DocType.OTHER)
    edition = models.CharField(max_length=60, blank=True, help_text="As printed: “25C”, “July 2021”.")
    edition_date = models.DateField(null=True, blank=True)
    check_by = models.DateField(null=True, blank=True)
    status = models.CharField(max_length=10, choices=DocumentStatus.choices, default=DocumentStatus.DRAFT)
    category = models.CharField(max_length=60, blank=True)
    tags = models.JSONField(default=list, blank=True)
    origin = models.CharField(max_length=10, choices=Origin.choices, default=Origin.FILE)
    paged = models.BooleanField(default=True)
    page_count = models.PositiveIntegerField(default=0)
    file = models.FileField(upload_to="library/", max_length=200, blank=True)
    source_name = models.CharField(
        max_length=300, blank=True, help_text="The name of the file that was uploaded."
    )
    content_hash = models.CharField(max_length=64, help_text="sha256 of the file's bytes.")
    chunking = models.CharField(
        max_length=40, blank=True, help_text="Strategy and limits, e.g. fixed-800-100."
    )
    counted_by = models.CharField(
        max_length=80, blank=True, help_text="The embedding model in whose tokens those limits were counted."
    )
    body = models.TextField(
        blank=True, help_text="The text of a document that was written here, in Markdown."
    )
    demo = models.BooleanField(default=False)
    superseded_by = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="supersedes"
    )
    follows = models.ForeignKey(
        "self",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="followers",
        help_text="The edition of the same work that was in force when this one was uploaded.",
    )
    deprecated_at = models.DateTimeField(null=True, blank=True)
    deprecated_reason = models.CharField(max_length=300, blank=True)
    trashed_at = models.DateTimeField(
        null=True, blank=True, help_text="In the trash: on no list, and archived; its citations still open."
    )
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["title"]
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "content_hash"], name="document_file_once", nulls_distinct=False
            )
        ]

    def __str__(self) -> str:
        return self.abbreviation or self.title


class DocumentAct(models.TextChoices):
    """What was done to a document, as its history says it."""

    PUBLISHED = "published"
    ARCHIVED = "archived"
    DEPRECATED = "deprecated"
    REINSTATED = "reinstated"
    TRASHED = "trashed", "Moved to the trash"
    RESTORED = "restored", "Brought back from the trash"


class DocumentEvent(models.Model):
    """Who did what to a document, and its status before."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="events")
    act = models.CharField(max_length=12, choices=DocumentAct.choices)
    was = models.CharField(max_length=10, choices=DocumentStatus.choices)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-made_at", "-id"]

    def __str__(self) -> str:
        return f"{self.get_act_display()}: {self.document}"


class Chapter(models.Model):
    """A chapter of a document that is a whole handbook. Its passages, figures and scans are those of its pages."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="chapters")
    position = models.PositiveSmallIntegerField()
    number = models.CharField(
        max_length=8, blank=True, help_text="As printed: “15”, “A”; empty for an index."
    )
    title = models.CharField(max_length=300, blank=True)
    page_start = models.PositiveIntegerField(help_text="1-based page of the file.")
    page_end = models.PositiveIntegerField()

    class Meta:
        ordering = ["document_id", "position"]
        constraints = [models.UniqueConstraint(fields=["document", "position"], name="chapter_once")]

    def __str__(self) -> str:
        named = f"Chapter {self.number}" if self.number.isdigit() else f"Appendix {self.number}"
        return ": ".join(filter(None, (named if self.number else "", self.title)))


class Page(models.Model):
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="pages")
    number = models.PositiveIntegerField(help_text="1-based page of the file.")
    label = models.CharField(max_length=20, blank=True, help_text="What is printed on it: “15-3”.")
    width = models.FloatField(help_text="points")
    height = models.FloatField(help_text="points")
    rotation = models.PositiveSmallIntegerField(default=0)
    needs_ocr = models.BooleanField(default=False)
    recognised = models.BooleanField(
        default=False, help_text="Its text was read from its picture (OCR) and may be wrong."
    )

    class Meta:
        ordering = ["document_id", "number"]
        constraints = [models.UniqueConstraint(fields=["document", "number"], name="page_once")]

    def __str__(self) -> str:
        return f"{self.document} p. {self.label or self.number}"


class ChunkManager(models.Manager["Chunk"]):
    """Passages in use; `Chunk.every` also has those that were retired when their document was chunked again."""

    def get_queryset(self) -> "models.QuerySet[Chunk]":
        return super().get_queryset().filter(retired_at__isnull=True)


class Chunk(models.Model):
    """A passage. `lines` is a list of {"page", "bbox": [x0, y0, x1, y1] in points, "start", "end"}: the
    characters [start, end) of `text` stand inside that rectangle of that page.

    A chunk belongs to one edition. An `EditionPlace` says where other editions of the work hold the same words, so that
    a passage that did not change is one row, with one vector and one set of claims.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="chunks")
    index = models.PositiveIntegerField()
    heading = models.CharField(max_length=300, blank=True)
    section_path = models.JSONField(default=list, blank=True)
    section = models.CharField(max_length=40, blank=True, help_text="“91.155”, “3-2-6”, “10.1”.")
    anchor = models.CharField(max_length=120, blank=True)
    text = models.TextField()
    page_start = models.PositiveIntegerField(null=True, blank=True)
    page_end = models.PositiveIntegerField(null=True, blank=True)
    page_label = models.CharField(max_length=20, blank=True)
    lines = models.JSONField(default=list, blank=True)
    tokens = models.PositiveIntegerField(default=0)
    kind = models.CharField(max_length=10, default="body", help_text="body, toc, index, table")
    content_hash = models.CharField(max_length=64)
    search_vector = SearchVectorField(null=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    retired_at = models.DateTimeField(
        null=True, blank=True, help_text="Divided anew since: not searched, but citations of it still open."
    )

    objects: ClassVar[ChunkManager] = ChunkManager()
    every: ClassVar["models.Manager[Chunk]"] = models.Manager()

    class Meta:
        verbose_name = "passage"
        ordering = ["document_id", "index"]
        constraints = [models.UniqueConstraint(fields=["document", "index"], name="chunk_index_once")]
        indexes = [
            GinIndex(fields=["search_vector"], name="chunk_search_vector"),
            models.Index(fields=["section"], name="chunk_section"),
            models.Index(
                fields=["content_hash"], condition=models.Q(retired_at=None), name="chunk_content_hash"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.document} #{self.index}"


class EditionPlace(models.Model):
    """Where the words of a chunk stand in an edition that does not own it: one not yet published, or superseded.
    Serving that edition swaps the two places. `image_links` is a list of {"image", "strategy", "relevance"}."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="places")
    chunk = models.ForeignKey(Chunk, on_delete=models.CASCADE, related_name="places")
    index = models.PositiveIntegerField()
    heading = models.CharField(max_length=300, blank=True)
    section_path = models.JSONField(default=list, blank=True)
    section = models.CharField(max_length=40, blank=True)
    anchor = models.CharField(max_length=120, blank=True)
    text = models.TextField(help_text="The same words; their white space may differ.")
    page_start = models.PositiveIntegerField(null=True, blank=True)
    page_end = models.PositiveIntegerField(null=True, blank=True)
    page_label = models.CharField(max_length=20, blank=True)
    lines = models.JSONField(default=list, blank=True)
    tokens = models.PositiveIntegerField(default=0)
    kind = models.CharField(max_length=10, default="body")
    image_links = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["document_id", "index"]
        constraints = [models.UniqueConstraint(fields=["document", "chunk"], name="edition_place_once")]

    def __str__(self) -> str:
        return f"{self.document} #{self.index}"


class VectorState(models.TextChoices):
    """Every stored vector is current. The vector indexes name this value."""

    CURRENT = "current"


class ChunkEmbedding(models.Model):
    """The vector of a chunk under one model. The index is partial, one for each model."""

    chunk = models.ForeignKey(Chunk, on_delete=models.CASCADE, related_name="embeddings")
    model = models.CharField(max_length=80)
    vector = VectorField()
    state = models.CharField(max_length=10, choices=VectorState.choices, default=VectorState.CURRENT)
    windows = models.PositiveSmallIntegerField(default=1)

    class Meta:
        ordering = ["chunk_id"]
        constraints = [models.UniqueConstraint(fields=["chunk", "model"], name="embedding_once")]

    def __str__(self) -> str:
        return f"{self.model} of {self.chunk_id}"


class ChunkTask(models.Model):
    """An ACS Task that a chunk serves, and who said so."""

    chunk = models.ForeignKey(Chunk, on_delete=models.CASCADE, related_name="tasks")
    task_code = models.CharField(max_length=20)
    origin = models.CharField(max_length=20, help_text="references, evidence or reviewer")

    class Meta:
        ordering = ["chunk_id", "task_code"]
        constraints = [
            models.UniqueConstraint(fields=["chunk", "task_code", "origin"], name="chunk_task_once")
        ]

    def __str__(self) -> str:
        return f"{self.task_code} ({self.origin})"


class Image(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="images")
    page = models.PositiveIntegerField()
    bbox = models.JSONField(default=list)
    figure_label = models.CharField(max_length=40, blank=True)
    caption = models.TextField(blank=True)
    category = models.CharField(max_length=20, blank=True)
    sha256 = models.CharField(max_length=64)
    width = models.PositiveIntegerField(default=0)
    height = models.PositiveIntegerField(default=0)
    file = models.FileField(upload_to="figures/", max_length=200)

    class Meta:
        verbose_name = "figure"
        ordering = ["document_id", "page", "figure_label"]
        constraints = [models.UniqueConstraint(fields=["document", "sha256"], name="image_once")]

    def __str__(self) -> str:
        return self.figure_label or f"figure on page {self.page}"


class LinkStrategy(models.TextChoices):
    FIGURE_REF = "figure_ref"
    CAPTION_MATCH = "caption_match"
    SAME_PAGE = "same_page"


class ChunkImageLink(models.Model):
    chunk = models.ForeignKey(Chunk, on_delete=models.CASCADE, related_name="image_links")
    image = models.ForeignKey(Image, on_delete=models.CASCADE, related_name="chunk_links")
    strategy = models.CharField(max_length=15, choices=LinkStrategy.choices)
    relevance = models.FloatField()

    class Meta:
        ordering = ["chunk_id", "-relevance"]
        constraints = [
            models.UniqueConstraint(fields=["chunk", "image", "strategy"], name="chunk_image_once"),
            models.CheckConstraint(
                condition=Q(relevance__gte=0) & Q(relevance__lte=1), name="relevance_unit"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.image} for {self.chunk_id} by {self.strategy}"
