"""Answer a rules question from approved claims, without a model: a cell of a decision table, or the whole table."""

from typing import Any

from django.core.management.base import CommandParser

from knowledge.decision_tables.answers import compute_tables
from knowledge.decision_tables.table_data import UnknownCell, decision_tables, find_cell, table_named
from knowledge.management.json_command import JsonCommand


class Command(JsonCommand):
    tenant_help = "a school's slug; its own claims count, too"
    refusals = (UnknownCell,)

    def add_options(self, parser: CommandParser) -> None:
        tables = decision_tables()
        parser.add_argument(
            "--domain", default="", help=f"one of {', '.join(tables)}; alone, the whole table"
        )
        for name in sorted({name for table in tables.values() for name in table.dimensions}):
            values = [
                value
                for table in tables.values()
                if name in table.dimensions
                for value in table.dimensions[name].values
            ]
            parser.add_argument(f"--{name}", default="", help=", ".join(dict.fromkeys(values)))

    def answer(self, options: dict[str, Any]) -> Any:
        table = table_named(options["domain"])
        names = {name for one in decision_tables().values() for name in one.dimensions}
        asked = {name: options[name] for name in names if options[name]}
        if asked:
            find_cell(table, asked)
        (computed,) = compute_tables([table], options["tenant_id"])
        return (computed.cell_at(asked) if asked else computed).to_dict()

    def show(self, answer: Any) -> None:
        for cell in answer.get("cells", [answer]):
            self.stdout.write(", ".join(f"{name} {value}" for name, value in cell["cell"].items()))
            for title, ways in cell["words"].items():
                self.stdout.write(f"  {title}: {' or '.join(ways)}")
            if cell["conflicts"]:
                self.stdout.write(f"  The claims contradict each other on {', '.join(cell['conflicts'])}.")
            if cell["missing"]:
                self.stdout.write(f"  {cell['missing']}")
            for claim in cell["claims"]:
                self.stdout.write(f"  {claim['citation']['label']}: {claim['statement']}")
            for one in cell["exceptions"]:
                self.stdout.write(f"  Exception: {' '.join(filter(None, (one['text'], one['reference'])))}")
