"""Recompute the chain of decisions of each school, and list what does not fit."""

from typing import Any

from curation.oversight.audit import verify_chains
from knowledge.management.json_command import JsonCommand


class Command(JsonCommand):
    def answer(self, options: dict[str, Any]) -> Any:
        return verify_chains().to_dict()

    def show(self, answer: Any) -> None:
        for one in answer["broken"]:
            where = one["school"] or "shared library"
            row = f" (row {one['decision']} on the {one['kind']})" if one["decision"] else ""
            self.stdout.write(f"{where}, decision {one['number']}{row}: {one['fault']}")
        for school, head in answer["heads"].items():
            self.stdout.write(f"{school or 'shared library'}: {head['rows']} decisions, head {head['hash']}")
        self.stdout.write(f"{answer['rows']} decisions, {len(answer['broken'])} faults")
