"""`manage.py kb_report`: the report on searches and on what the library lacks."""

from datetime import timedelta
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from desk.operations.weekly_report import count_week
from knowledge.access.tenants import tenant_named
from knowledge.management.json_command import JsonCommand, WrongArgument

DAYS_MOST = 366  # of one report: a year


class Command(JsonCommand):
    help = "Report on searches: weak queries, what nobody uses, sparse kinds, unsupported elements, caches."

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("--days", type=int, default=7, help="so many days up to today; default: 7")
        parser.add_argument("--tenant", default="", help="a school's slug; default: users without a school")

    def answer(self, options: dict[str, Any]) -> Any:
        today, tenant, days = timezone.now().date(), tenant_named(options["tenant"]), options["days"]
        if not 1 <= days <= DAYS_MOST:
            raise WrongArgument(f"--days is 1 to {DAYS_MOST}")
        return count_week(tenant, today - timedelta(days=days - 1), days).to_dict()

    def show(self, answer: Any) -> None:
        say = self.stdout.write
        say(
            f"from {answer['start']}, {len(answer['days'])} days: {answer['searches']} searches, {answer['qualities']}"
        )
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
        for row in answer["unused"]:
            say(f"  not found by any search: {row['abbreviation'] or row['title']}")
        for row in answer["categories"]:
            if row["sparse"]:
                say(f"  sparse: {row['name']}, {row['passages']} passages")
        for row in answer["unsupported"]:
            say(f"  unsupported: {', '.join(row['elements'])}")
        for name, more in answer["cut"].items():
            if more:
                say(f"  and {more} more of {name}")
