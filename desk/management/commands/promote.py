"""`manage.py promote FLAG`: turn a flag on for everyone, if measurements support it."""

from typing import Any

from django.core.management.base import CommandParser

from desk.experiments.flag_promotion import NotSupported, promote_flag
from knowledge.flags import state_in_words
from knowledge.management.json_command import JsonCommand


class Command(JsonCommand):
    help = "Turn a flag on for everyone. The graph's arm is refused while the interval of its difference includes 0."
    refusals = (NotSupported,)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("flag", help="the name of the flag")

    def answer(self, options: dict[str, Any]) -> Any:
        row = promote_flag(options["flag"])
        return {"flag": row.name, "state": state_in_words(row)}

    def show(self, answer: Any) -> None:
        self.stdout.write(f"{answer['flag']} is {answer['state']}.")
