"""List what abbreviations stand for; with --read, read the published documents for more first."""

from typing import Any

from django.core.management.base import CommandParser
from django.db.models import Q

from knowledge.management.json_command import JsonCommand
from knowledge.models import Abbreviation, Document
from knowledge.models.documents import DocumentStatus
from knowledge.retrieval.glossary import read_glossary


class Command(JsonCommand):
    tenant_help = "with those of this school"

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("--read", action="store_true", help="read every published document again")

    def answer(self, options: dict[str, Any]) -> Any:
        tenant = options["tenant"]
        own = Q(tenant__isnull=True) | Q(tenant=tenant) if tenant else Q(tenant__isnull=True)
        published = Document.objects.filter(own, status=DocumentStatus.PUBLISHED)
        new = sum(map(read_glossary, published.order_by("id"))) if options["read"] else 0
        rows = Abbreviation.objects.filter(own).select_related("tenant")
        abbreviations = [
            {
                "short": row.short,
                "long": row.long,
                "origin": row.origin,
                "active": row.active,
                "tenant": row.tenant.slug if row.tenant else None,
                "chunk_id": str(row.chunk_id) if row.chunk_id else None,
                "quote": row.quote,
            }
            for row in rows
        ]
        return {"new": new, "abbreviations": abbreviations}

    def show(self, answer: Any) -> None:
        for one in answer["abbreviations"]:
            self.stdout.write(f"{one['short']:<12} {one['long']}{'' if one['active'] else ' (off)'}")
