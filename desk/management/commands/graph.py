"""`manage.py graph`: counts the concept graph, and reads its sources into it."""

from typing import Any

from django.core.management.base import CommandParser

from curation.graph.relation_jobs import COUNTED, NothingToAsk, NoVendor, request_relations
from desk.graph_upkeep import refresh_graph
from knowledge.access.tenants import tenant_named
from knowledge.graph.counts import graph_counts
from knowledge.management.job_commands import bar_for, run_to_end
from knowledge.management.json_command import JsonCommand, WrongArgument
from knowledge.models.telemetry import JobKind


class Command(JsonCommand):
    help = "Count the concept graph by category, relation type, status and origin; empty types are named."
    refusals = (NoVendor, NothingToAsk)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("--read", action="store_true", help="first read the sources that changed")
        parser.add_argument("--again", action="store_true", help="first read all sources, changed or not")
        parser.add_argument(
            "--ask",
            type=int,
            default=0,
            metavar="N",
            help="ask the vendor's model about N passages that it has not read; what it proposes waits for a reviewer",
        )
        parser.add_argument(
            "--tenant",
            default="",
            help="a school's slug: its own nodes are counted too, and --ask reads its own passages",
        )

    def answer(self, options: dict[str, Any]) -> Any:
        tenant = tenant_named(options["tenant"])
        done = refresh_graph(again=options["again"]) if options["read"] or options["again"] else {}
        asked: dict[str, int] = {}
        if options["ask"] > 0:
            job = request_relations(options["ask"], tenant=tenant, wake=False)
            if job.held:
                raise WrongArgument(
                    f"The job “{job.source_name}” waits for you: start or cancel it under Operations first."
                )
            if error := run_to_end(job, bar_for(JobKind.GRAPH)):
                raise WrongArgument(error)
            asked = {name.removesuffix("_chunks"): job.counts[name] for name in COUNTED}
        counts = graph_counts(tenant.pk if tenant else None).to_dict()
        read = {origin: changes.to_dict() for origin, changes in done.items()}
        return {"read": read, "asked": asked, **counts}

    def show(self, answer: Any) -> None:
        say = self.stdout.write
        for origin, changes in answer["read"].items():
            said = ", ".join(
                f"{number} {what.replace('_', ' ')}" for what, number in changes.items() if number
            )
            say(f"read {origin}: {said or 'nothing changed'}")
        if answer["asked"]:
            say(", ".join(f"{number} {what}" for what, number in answer["asked"].items()))
        for kind in ("nodes", "edges"):
            for row in answer[kind]:
                origins = ", ".join(
                    f"{number} from {origin}" for origin, number in sorted(row["origins"].items())
                )
                say(
                    f"{row['name']}: {row['validated']} in force, {row['pending']} pending, "
                    f"{row['rejected']} rejected, {row['withdrawn']} withdrawn ({origins or 'empty'})"
                )
        if answer["empty"]:
            say(f"EMPTY: {', '.join(answer['empty'])}")
        say(f"{len(answer['thin'])} elements are thin in the graph")
        for row in answer["thin"]:
            say(f"  {row['code']}: {row['nodes']} nodes")
