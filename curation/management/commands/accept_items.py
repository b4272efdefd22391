"""Approve all clean key points of the item bank as one batch, in the name of a reviewer who read a sample."""

from typing import Any

from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.core.management.base import CommandParser

from curation.item_review import SAMPLE, accept_clean_points
from knowledge.management.json_command import JsonCommand, WrongArgument


class Command(JsonCommand):
    refusals = (PermissionDenied,)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("--reviewer", required=True, help="the account that read the sample")
        parser.add_argument("--certificate", default="", help="only items of this certificate")
        parser.add_argument("--sample", type=int, default=SAMPLE, help="how many points were read")

    def answer(self, options: dict[str, Any]) -> Any:
        reviewer = get_user_model().objects.filter(username=options["reviewer"]).first()
        if reviewer is None:
            raise WrongArgument(f"there is no account {options['reviewer']}")
        done = accept_clean_points(reviewer, certificate=options["certificate"], sample=options["sample"])
        return {"accepted": done.accepted, "left": done.left, "sample": done.sample}

    def show(self, answer: Any) -> None:
        self.stdout.write(
            f"{answer['accepted']} points approved after a sample of {answer['sample']}; {answer['left']} still wait"
        )
