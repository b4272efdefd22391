"""List the library's editions, when each is to be checked, and what superseded it."""

from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from knowledge.documents.edition_checks import overdue_editions
from knowledge.management.json_command import JsonCommand
from knowledge.models import Document


class Command(JsonCommand):
    tenant_help = "the slug of a school; without it the shared library"

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("--overdue", action="store_true", help="only those in force that are past it")

    def answer(self, options: dict[str, Any]) -> Any:
        today = timezone.now().date()
        found = Document.objects.filter(tenant=options["tenant"])
        if options["overdue"]:
            found = overdue_editions(found, today)
        rows = found.select_related("superseded_by").order_by("title", "-created_at")
        return [
            {
                "id": str(row.pk),
                "title": row.title,
                "edition": row.edition,
                "edition_date": row.edition_date,
                "status": row.status,
                "superseded_by": str(row.superseded_by_id) if row.superseded_by_id else None,
                "deprecated": row.deprecated_reason or None,
                "check_by": row.check_by,
                "overdue": bool(
                    row.superseded_by_id is None
                    and row.deprecated_at is None
                    and row.check_by
                    and row.check_by < today
                ),
            }
            for row in rows
        ]

    def show(self, answer: Any) -> None:
        for one in answer:
            state = f"superseded by {one['superseded_by']}" if one["superseded_by"] else one["status"]
            due = f", check by {one['check_by']}{' (overdue)' if one['overdue'] else ''}"
            self.stdout.write(
                f"{one['id']}  {one['title']} {one['edition']}: {state}{due if one['check_by'] else ''}"
            )
