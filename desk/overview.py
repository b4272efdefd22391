"""Figures for the first page of reviewers and operators."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q

from curation.selectors import claims_for
from exams.models import Dispute
from knowledge.access.people import acts_for
from knowledge.documents.queries import documents_of_operator, jobs_of_operator
from knowledge.models import Chunk
from knowledge.models.documents import DocumentStatus
from knowledge.models.graph import ValidationStatus
from knowledge.models.telemetry import JobState
from knowledge.models.tenancy import Role


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


def overview_for_reviewer(user: Any) -> ReviewerOverview:
    pending = Q(validation_status=ValidationStatus.PENDING)
    counts = claims_for(user).aggregate(
        pending=Count("id", filter=pending),
        urgent=Count("id", filter=pending & Q(priority="P0")),
        stale=Count("id", filter=Q(stale=True)),
    )
    disputes = Dispute.objects.filter(acts_for(user, Role.REVIEWER, field="exam__tenant"), resolved=False)
    return ReviewerOverview(**counts, disputes=disputes.count())


def overview_for_operator(user: Any) -> OperatorOverview:
    own = documents_of_operator(user)
    documents = own.aggregate(
        documents=Count("id", filter=Q(status=DocumentStatus.PUBLISHED)),
        drafts=Count("id", filter=Q(status=DocumentStatus.DRAFT)),
    )
    jobs = jobs_of_operator(user).aggregate(
        running=Count("id", filter=Q(state__in=[JobState.QUEUED, JobState.RUNNING])),
        failed=Count("id", filter=Q(state=JobState.FAILED)),
    )
    return OperatorOverview(**documents, **jobs, chunks=Chunk.objects.filter(document__in=own).count())
