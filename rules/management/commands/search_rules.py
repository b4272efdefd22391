"""Search the European rules. Countries are those of --country, else those that the question names."""

from typing import Any

from django.core.management.base import CommandParser

from knowledge.management.json_command import JsonCommand, WrongArgument
from rules import conf
from rules.countries import countries_of
from rules.query.query_preparation import Unanswerable, checked_question, country_named, question_asked
from rules.search.search import RulesSearch, find_rules


class Command(JsonCommand):
    tenant_help = "a school's slug: its own rules are searched, too"
    refusals = (Unanswerable,)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("query")
        parser.add_argument("--country", action="append", nargs="+", default=[], help="FR DE, or France")
        parser.add_argument("--category", default="")
        parser.add_argument(
            "--tag", action="append", default=[], help="may be given several times: any of them"
        )
        parser.add_argument("-k", type=int, default=None, help="questions to return")
        parser.add_argument("--threshold", type=float, default=None, help="least nearness of meaning, 0 to 1")

    def answer(self, options: dict[str, Any]) -> Any:
        query = checked_question(options["query"])
        named = tuple(dict.fromkeys(country_named(one) for some in options["country"] for one in some))
        if options["k"] is not None and not 1 <= options["k"] <= conf.FOUND_MOST:
            raise WrongArgument(f"-k must be 1 to {conf.FOUND_MOST}")
        if options["threshold"] is not None and not 0 <= options["threshold"] <= 1:
            raise WrongArgument("--threshold must be 0 to 1")
        found = find_rules(
            RulesSearch(
                question=question_asked(query),
                countries=named or countries_of([query]).countries,
                category=options["category"],
                tags=tuple(options["tag"]),
                tenant=options["tenant_id"],
                k=options["k"],
                threshold=options["threshold"],
            )
        )
        return {**found.to_dict(), "query": query}

    def show(self, answer: Any) -> None:
        self.stdout.write(f"{answer['quality']['verdict']} ({len(answer['results'])} found)")
        if answer["degraded"]:
            self.stdout.write(answer["degraded"])
        if answer["missing_countries"]:
            self.stdout.write(f"no rules for {', '.join(answer['missing_countries'])}")
        for one in answer["results"]:
            self.stdout.write(f"{one['score']:.2f}  {one['question']}")
            for country, said in one["answers"].items():
                text = "no answer" if said["missing"] else " ".join(said["text"].split())
                self.stdout.write(f"      {country}: {text[:160]}")
