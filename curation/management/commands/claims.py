"""List claims as the verification queue shows them, P0 first."""

from typing import Any

from django.core.management.base import CommandParser

from curation.models import Claim
from curation.selectors import ORDER, claim_as_dict, with_evidence
from knowledge.management.json_command import JsonCommand
from knowledge.models.graph import ValidationStatus

READ_AT_ONCE = 1000  # rows, with their evidence


class Command(JsonCommand):
    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("--status", choices=ValidationStatus.values, help="only these")

    def answer(self, options: dict[str, Any]) -> Any:
        claims = with_evidence(Claim.objects.order_by(*ORDER))
        if options["status"]:
            claims = claims.filter(validation_status=options["status"])
        return [claim_as_dict(claim) for claim in claims.iterator(chunk_size=READ_AT_ONCE)]

    def show(self, answer: Any) -> None:
        for claim in answer:
            self.stdout.write(f"{claim['priority']} {claim['status']:<9} {claim['statement']}")
