"""Serve a superseded edition again, in place of the one in force."""

from typing import Any

from django.core.management.base import CommandParser

from knowledge.documents.lifecycle import bring_back_document
from knowledge.ingestion.editions.editions import WrongEdition
from knowledge.management.job_commands import documents_named
from knowledge.management.json_command import JsonCommand, WrongArgument
from knowledge.models import Document


class Command(JsonCommand):
    refusals = (WrongEdition,)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("document", metavar="ID", help="the edition's id, as `editions` lists it")

    def answer(self, options: dict[str, Any]) -> Any:
        found = documents_named(options["document"], Document.objects.none())
        if not found:
            raise WrongArgument("name the edition's id, as `editions` lists it")
        (document,) = found
        served = bring_back_document(document)
        return {"id": str(document.pk), "title": document.title, **served.to_dict()}

    def show(self, answer: Any) -> None:
        claims = answer["claims"]
        self.stdout.write(
            f"{answer['title']} is served again: {answer['kept']} passages unchanged, {answer['new']} of its own; "
            f"{claims['restored']} claims count again, {claims['stale']} wait for reviewers"
        )
