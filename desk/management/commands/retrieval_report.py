"""`manage.py retrieval_report`: the weekly report on searches."""

from datetime import date
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from desk.operations.weekly_report import monday_of, stored_week
from knowledge.access.tenants import UnknownTenant, tenant_named
from knowledge.management.json_command import JsonCommand


class NoSuchWeek(ValueError):
    """The argument is no past day."""


class Command(JsonCommand):
    help = "Report on a week of searches: weak queries, passages never cited, sparse kinds, unsupported elements."
    refusals = (NoSuchWeek, UnknownTenant)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("--week", default="", help="a day of the week, as 2026-03-02; default: this week")
        parser.add_argument("--tenant", default="", help="a school's slug; default: users without a school")

    def answer(self, options: dict[str, Any]) -> Any:
        today = timezone.now().date()
        try:
            day = date.fromisoformat(options["week"]) if options["week"] else today
        except ValueError as error:
            raise NoSuchWeek("--week is a day, as 2026-03-02") from error
        if day > today:
            raise NoSuchWeek(f"--week {day} has not come yet")
        return stored_week(tenant_named(options["tenant"]), monday_of(day), today).to_dict()

    def show(self, answer: Any) -> None:
        say = self.stdout.write
        say(f"week of {answer['start']}: {answer['searches']} searches, {answer['qualities']}")
        say(f"{answer['fell_back']} of {answer['filtered']} filtered searches fell back")
        for row in answer["look_ups"]:
            say(
                f"  by {row['kind']}: {row['number']}, {row['memory']} from memory, {row['hot']} from the cache,"
                f" {row['full']} searched, {row['cited']} cited"
            )
        for row in answer["weak"]:
            say(f"  weak, {row['times']} times: {row['element']} {' '.join(row['query'].split())[:120]}")
        for row in answer["uncited"]:
            say(f"  found {row['times']} times, never cited: {row['label']} {row['heading']}")
        for row in answer["categories"]:
            if row["sparse"]:
                say(f"  sparse: {row['name']}, {row['passages']} passages")
        for row in answer["unsupported"]:
            say(f"  unsupported: {', '.join(row['elements'])}")
        for name, more in answer["cut"].items():
            if more:
                say(f"  and {more} more of {name}")
