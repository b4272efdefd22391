"""`manage.py demo`: load what is missing of the demo: accounts, elements, handbook, claims and items."""

from dataclasses import asdict
from typing import Any

from desk.demo.load import DemoFailed, DemoNotHere, load_demo
from knowledge.management.json_command import JsonCommand


class Command(JsonCommand):
    help = "Load the demo: three accounts, a small handbook, elements and claims (with DEBUG only)."
    refusals = (DemoFailed,)

    def answer(self, options: dict[str, Any]) -> dict[str, Any]:
        say = (lambda line: None) if options["json"] else (lambda line: self.stdout.write(f"demo: {line}"))
        try:
            return asdict(load_demo(say))
        except DemoNotHere as reason:
            return {"new": False, "why": str(reason)}

    def show(self, answer: dict[str, Any]) -> None:
        if "why" in answer:
            self.stdout.write(f"demo: not loaded: {answer['why']}")
            return
        done = "loaded" if answer["new"] else "was loaded already"
        self.stdout.write(
            f"demo: {done}: {answer['elements']} elements, {answer['chunks']} chunks, "
            f"{answer['approved']} approved claims, {answer['pending']} pending"
        )
