"""`manage.py grade`: assesses one answer without an exam."""

from typing import Any

from django.core.management.base import CommandParser

from exams.examiner.briefing import NoSupport
from exams.exchange.single_answer import AnswerTooLong, NothingToJudgeBy, assess_alone
from knowledge.management.json_command import JsonCommand
from knowledge.standards.elements import UnknownElement


class Command(JsonCommand):
    help = "Assess one answer to one question, without an exam."
    refusals = (AnswerTooLong, NothingToJudgeBy, NoSupport, UnknownElement)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("--question", required=True)
        parser.add_argument("--answer", required=True)
        parser.add_argument(
            "--reference", action="append", default=[], help="a whole right answer; any one suffices"
        )
        parser.add_argument("--element", default="", help="an ACS code whose approved claims are expected")

    def answer(self, options: dict[str, Any]) -> Any:
        found = assess_alone(
            options["question"],
            options["answer"],
            references=options["reference"],
            element=options["element"],
        )
        return found.to_dict()

    def show(self, answer: Any) -> None:
        self.stdout.write(f"{answer['verdict']} ({answer['score']:.2f})")
        for point in answer["points"]:
            self.stdout.write(f"  {point['met']}: {point['expectation']}")
            self.stdout.write(f"      {point['why']}")
        self.stdout.write(answer["feedback"])
