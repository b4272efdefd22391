"""Figures for the first page of reviewers and operators."""

from dataclasses import dataclass

from django.db.models import Count, Q

from curation.models import Claim
from exams.models import Dispute
from knowledge.models import Chunk, Document, IngestionJob
from knowledge.models.documents import DocumentStatus
from knowledge.models.graph import ValidationStatus
from knowledge.models.telemetry import JobState


@dataclass(frozen=True)
class ReviewerOverview:
    pending: int
    urgent: int
    stale: int
    disputes: int


@dataclass(frozen=True)
class OperatorOverview:
    documents: int
    drafts: int
    chunks: int
    running: int
    failed: int


def overview_for_reviewer() -> ReviewerOverview:
    pending = Q(validation_status=ValidationStatus.PENDING)
    counts = Claim.objects.aggregate(
        pending=Count("id", filter=pending),
        urgent=Count("id", filter=pending & Q(priority="P0")),
        stale=Count("id", filter=Q(stale=True)),
    )
    return ReviewerOverview(**counts, disputes=Dispute.objects.filter(resolved=False).count())


def overview_for_operator() -> OperatorOverview:
    documents = Document.objects.aggregate(
        documents=Count("id", filter=Q(status=DocumentStatus.PUBLISHED)),
        drafts=Count("id", filter=Q(status=DocumentStatus.DRAFT)),
    )
    jobs = IngestionJob.objects.aggregate(
        running=Count("id", filter=Q(state__in=[JobState.QUEUED, JobState.RUNNING])),
        failed=Count("id", filter=Q(state=JobState.FAILED)),
    )
    return OperatorOverview(**documents, **jobs, chunks=Chunk.objects.count())
