"""Search the library, as an exam does."""

from typing import Any

from django.core.management.base import CommandParser

from knowledge import conf
from knowledge.management.json_command import JsonCommand, WrongArgument
from knowledge.models.documents import DocType
from knowledge.retrieval.request import TEXTS, BadSearch, clean_code, clean_text
from knowledge.retrieval.search import search
from knowledge.retrieval.values import ARMS, Filters, SearchRequest
from knowledge.standards.elements import UnknownElement

CLASSES = ("ASEL", "AMEL", "ASES", "AMES")


class Command(JsonCommand):
    tenant_help = "a school's slug; its own documents are searched too"
    refusals = (BadSearch, UnknownElement)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("query")
        parser.add_argument("-k", type=int, default=conf.SEARCH_K, help="passages to return")
        parser.add_argument("--element", default="", help="the ACS element under test: PA.I.E.K1")
        parser.add_argument("--question", default="", help="the examiner's question about it")
        parser.add_argument("--answer", default="", help="what the student said")
        parser.add_argument("--type", action="append", default=[], choices=DocType.values)
        parser.add_argument("--category", default="")
        serves = "only passages that serve a Task of it, or no Task"
        parser.add_argument("--certificate", default="", help=f"private, instrument…: {serves}")
        parser.add_argument("--class", dest="aircraft_class", default="", choices=("", *CLASSES), help=serves)
        parser.add_argument(
            "--serves",
            default="",
            help="PA.I.A.K1 or PA.I.A: only passages that approved statements of it rest on",
        )
        parser.add_argument("--threshold", type=float, default=None, help="least score, from 0 to 1")
        parser.add_argument("--arm", default="hybrid", choices=ARMS)

    def answer(self, options: dict[str, Any]) -> Any:
        return search(_request(options)).to_dict()

    def show(self, answer: Any) -> None:
        quality = answer["quality"]
        self.stdout.write(f"{quality['verdict']} ({len(answer['results'])} found, {answer['latency_ms']} ms)")
        if answer["degraded"]:
            self.stdout.write(answer["degraded"])
        if answer["reformulated"]:
            self.stdout.write(f"Searched instead: {answer['reformulated']}")
        for conflict in answer["conflicts"]:
            self.stdout.write(f"Two sources disagree: {conflict['what']}")
        for one in answer["results"]:
            self.stdout.write(f"{one['score']:.2f}  {one['label']}  {one['heading']}")
            self.stdout.write(f"      {' '.join(one['text'].split())[:160]}")


def _request(options: dict[str, Any]) -> SearchRequest:
    texts = {name: clean_text(name, options["query" if name == "q" else name]) for name in TEXTS}
    if not (texts["q"] or options["element"].strip()):
        raise BadSearch("q", "Say what to look for.")
    if not 1 <= options["k"] <= conf.SEARCH_MAX_K:
        raise WrongArgument(f"-k must be 1 to {conf.SEARCH_MAX_K}")
    if options["threshold"] is not None and not 0 <= options["threshold"] <= 1:
        raise WrongArgument("--threshold must be 0 to 1")
    return SearchRequest(
        query=texts["q"],
        question=texts["question"],
        answer=texts["answer"],
        element=options["element"],
        tenant=options["tenant_id"],
        k=options["k"],
        threshold=options["threshold"],
        arm=options["arm"],
        filters=Filters(
            doc_types=tuple(options["type"]),
            category=options["category"],
            certificate=options["certificate"],
            aircraft_class=options["aircraft_class"],
            serves=clean_code(options["serves"]),
        ),
    )
