"""Find the editions that are due for a check, and record them once a day."""

from datetime import date
from typing import Final

import structlog
from django.db.models import QuerySet
from django.utils import timezone
from prometheus_client import Gauge

from knowledge.models import CurrencyReport, Document
from knowledge.models.documents import DocumentStatus

OVERDUE: Final = Gauge(
    "heydpe_documents_overdue", "Documents in force whose edition is past its day to be checked"
)

log = structlog.get_logger(__name__)


def in_force(documents: QuerySet[Document]) -> QuerySet[Document]:
    """Those that searches may find: published, neither deprecated nor superseded."""
    return documents.filter(
        status=DocumentStatus.PUBLISHED, deprecated_at__isnull=True, superseded_by__isnull=True
    )


def overdue_editions(documents: QuerySet[Document], today: date) -> QuerySet[Document]:
    """Those in force whose day to be checked has passed, the longest overdue first."""
    return in_force(documents).filter(check_by__lt=today).order_by("check_by", "title")


def report_overdue(today: date) -> CurrencyReport:
    """List what is overdue today, for all schools; a second run on the same day replaces the first."""
    found = list(overdue_editions(Document.objects.select_related("tenant"), today))
    for document in found:
        log.warning(
            "currency.overdue", document=str(document.pk), title=document.title, by=str(document.check_by)
        )
    listed = [
        {
            "document": str(document.pk),
            "title": document.title,
            "tenant": document.tenant.slug if document.tenant else "",
            "check_by": str(document.check_by),
        }
        for document in found
    ]
    values = {"overdue": listed, "created_at": timezone.now()}
    report, _ = CurrencyReport.objects.update_or_create(day=today, defaults=values)
    return report
