"""Remove the review decisions of a school, so that the school can be deleted. The removal is recorded."""

from typing import Any

from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.core.management.base import CommandParser

from curation.oversight.audit import remove_school_decisions
from knowledge.management.json_command import JsonCommand, WrongArgument


class Command(JsonCommand):
    refusals = (PermissionDenied, ValueError)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the school")
        parser.add_argument("--operator", required=True, help="the account that answers for it")
        parser.add_argument("--reason", required=True, help="why, for the record")

    def answer(self, options: dict[str, Any]) -> Any:
        person = get_user_model().objects.filter(username=options["operator"]).first()
        if person is None:
            raise WrongArgument(f"there is no account {options['operator']}")
        removed = remove_school_decisions(options["slug"], person, options["reason"])
        return {"school": removed.school, "rows": removed.rows, "head": removed.head}

    def show(self, answer: Any) -> None:
        self.stdout.write(
            f"{answer['rows']} decisions of {answer['school']} removed; last hash {answer['head']}"
        )
