"""`manage.py shadow_report`: what the graph adds to the search alone, measured by shadow mode."""

from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from desk.experiments.arms_report import ALL, report_on_arms
from knowledge.access.tenants import tenant_named
from knowledge.management.json_command import JsonCommand


class Command(JsonCommand):
    help = "Report on shadow mode: both arms over the same questions, and the interval of their difference."

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("--tenant", default="", help="a school's slug; default: all schools together")

    def answer(self, options: dict[str, Any]) -> Any:
        school = tenant_named(options["tenant"]) if options["tenant"] else ALL
        return report_on_arms(timezone.now(), school).to_dict()

    def show(self, answer: Any) -> None:
        say = self.stdout.write
        say(
            f"since {answer['since']}: {answer['questions']} questions of {answer['exams']} exams,"
            f" {answer['labeled']} with labeled passages, {answer['decided']} decided by a reviewer"
        )
        for arm in ("plain", "enhanced"):
            of = answer[arm]
            say(
                f"  {arm:9} found {of['found']}, reviewer's verdict {of['accuracy']}, same verdict {of['agrees']},"
                f" p50 {of['p50']} ms, p95 {of['p95']} ms, fair {of['fair']} of {of['taps']} taps,"
                f" served {of['served']}"
            )
        for name in ("found", "accuracy", "fair"):
            found = answer[name]
            if found["mean"] is not None:
                say(f"  {name}: {found['mean']:+.3f} ({found['lower']:+.3f} to {found['upper']:+.3f})")
        say(f"  same verdict by both {answer['agreement']}, overlap {answer['overlap']}")
        say(f"  the enhanced arm is {answer['flag']}")
        say(answer["refusal"] or "The enhanced arm may be on for everyone.")
