"""Compare what countries answer, by what they say (yes or no, figures, limits) and by meaning."""

from typing import Any

from django.core.management.base import CommandParser

from knowledge.management.json_command import JsonCommand
from rules.answers.compare import RulesComparison, compare_rules
from rules.query.query_preparation import Unanswerable, checked_question, country_named, question_asked
from rules.search.search import RulesSearch, find_rules


class Command(JsonCommand):
    tenant_help = "a school's slug: its own rules are compared, too"
    refusals = (Unanswerable,)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("countries", nargs="+", help="FR DE, or France Germany")
        parser.add_argument("--question", default="", help="only what speaks of this")
        parser.add_argument("--category", default="")
        parser.add_argument(
            "--tag", action="append", default=[], help="may be given several times: any of them"
        )
        parser.add_argument("--max", dest="most", type=int, default=None, help="questions to return")
        parser.add_argument("--min-difference", dest="least", type=float, default=None, help="0 to 1")

    def answer(self, options: dict[str, Any]) -> Any:
        countries = tuple(dict.fromkeys(map(country_named, options["countries"])))
        questions = None
        if options["question"]:  # the questions that speak of it, whoever answers them
            matter = question_asked(checked_question(options["question"]))
            found = find_rules(RulesSearch(question=matter, tenant=options["tenant_id"]))
            questions = tuple(one.id for one in found.results)
        asked = RulesComparison(
            countries=countries,
            category=options["category"],
            tags=tuple(options["tag"]),
            tenant=options["tenant_id"],
            questions=questions,
            most=options["most"],
            least=options["least"],
        )
        return compare_rules(asked).to_dict()

    def show(self, answer: Any) -> None:
        counts = "{compared} questions answered by two or more, {alike} of them alike, {left_out} not shown"
        self.stdout.write(counts.format(**answer))
        for one in answer["differences"]:
            self.stdout.write(f"{one['difference']:.2f}  {one['question']}\n      {one['why']}")
            for country, said in one["answers"].items():
                text = "no answer" if said["missing"] else " ".join(said["text"].split())
                self.stdout.write(f"      {country}: {text[:160]}")
        self.stdout.write(f"{len(answer['missing'])} answers are missing")
