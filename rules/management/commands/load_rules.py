"""Load a file of European rules, JSON or an Excel workbook; what changed is embedded again, what went disappears."""

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from knowledge.management.job_commands import bar_for, run_to_end
from knowledge.management.json_command import JsonCommand, WrongArgument
from knowledge.models.telemetry import JobKind
from rules.countries import KNOWN_COUNTRIES
from rules.data.parse import NotRules, read_rules
from rules.data.rule_jobs import request_rules


class Command(JsonCommand):
    tenant_help = "a school's slug: rules that only it reads"
    refusals = (NotRules,)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path, help='JSON: {"questions": [{"question_id", …}]}, or .xlsx')

    def answer(self, options: dict[str, Any]) -> Any:
        path: Path = options["path"]
        try:
            content = path.read_bytes()
        except OSError as error:
            raise WrongArgument(f"{path} cannot be read: {error.strerror}") from error
        file = read_rules(content, KNOWN_COUNTRIES)
        job = request_rules(path.name, path=path, tenant=options["tenant"], wake=False)
        if failure := run_to_end(job, bar_for(JobKind.RULES)):
            raise NotRules(failure)
        return {
            "questions": len(file.questions),
            "countries": len(file.countries),
            "answers": sum(len(question.answers) for question in file.questions),
            **job.counts["loaded"],
            "embedded": job.counts["embedded_texts"],
            "refused": [asdict(one) for one in file.refused],
            "mended": [asdict(one) for one in file.mended],
        }

    def show(self, answer: Any) -> None:
        said = "{questions} questions, {countries} countries, {answers} answers: {added} added, {changed} changed, "
        said += "{removed} removed, {unchanged} as before; {embedded} texts embedded"
        self.stdout.write(said.format(**answer))
        for name in ("refused", "mended", "written"):
            for what, times in Counter(one["what"] for one in answer[name]).most_common():
                self.stdout.write(f"{name}: {what}: {times}")
        for one in answer["refused"]:
            row = f"row {one['row']}: " if one["row"] else ""
            self.stdout.write(f"  {row}{one['where']}: {one['what']}")
