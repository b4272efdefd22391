"""`manage.py simulate_exams N`: simulated students take exams through the real session code."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from desk.evaluation.simulate import simulate
from exams.domain.exam_request import OrderRefused
from exams.exchange.answer_processing import OralPaused
from knowledge.access.tenants import tenant_named
from knowledge.management.json_command import SERVICE_AWAY, JsonCommand, WrongArgument


class Command(JsonCommand):
    help = "Let simulated students take exams through the session's own code, then remove everything."
    refusals = (OrderRefused,)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("number", type=int, help="how many exams")
        parser.add_argument("--questions", type=int, default=None, help="scored elements of each exam")
        parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same students")
        parser.add_argument(
            "--processes", type=int, default=1, help="as if so many processes each took an equal part"
        )
        parser.add_argument("--tenant", default="", help="a school's slug; default: the shared library")

    def answer(self, options: dict[str, Any]) -> Any:
        if options["number"] < 1 or options["processes"] < 1:
            raise WrongArgument("ask for at least one exam and one process")
        try:
            found = simulate(
                options["number"],
                seed=options["seed"],
                tenant=tenant_named(options["tenant"]),
                questions=options["questions"],
                processes=options["processes"],
            )
        except OralPaused as paused:
            raise CommandError(f"an exam was paused: {paused}", returncode=SERVICE_AWAY) from paused
        return found.to_dict()

    def show(self, answer: Any) -> None:
        say = self.stdout.write
        say(
            f"{answer['exams']} exams, {answer['ended_by_plan']} ended by plan, {answer['questions']} questions"
        )
        say(
            f"{answer['elements']} of {answer['askable']} elements that can be asked ({answer['coverage']:.0%})"
        )
        say(f"{answer['right']} of {answer['verdicts']} verdicts as meant")
        for kind, of in answer["look_ups"].items():
            say(
                f"  by {kind}: {of['number']} look-ups, {of['memory']} from memory, {of['hot']} from the cache,"
                f" {of['full']} searched; {of['hits']:.1%} hit"
            )
