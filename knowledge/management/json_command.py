"""The base of the commands: print an answer for a person, or with `--json` one document on stdout.

Exit status 2 means a wrong argument, 3 a service that is away; each prints one line on stderr.
"""

import json
import sys
from abc import abstractmethod
from functools import partial
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import InterfaceError, OperationalError
from redis.exceptions import ConnectionError as RedisAway

from knowledge.access.tenants import UnknownTenant, tenant_named

WRONG_ARGUMENT = 2
SERVICE_AWAY = 3


class WrongArgument(ValueError):
    """An argument cannot be used; the message is the line that is printed."""


class JsonCommand(BaseCommand):
    """Declare arguments in `add_options`, compute the result in `answer`, and print it for a person in `show`. Its help
    is the docstring of its module.

    `refusals` are the exceptions of `answer` that mean a wrong argument, besides WrongArgument and a school that is
    unknown; their message is printed. With `tenant_help` it takes `--tenant`: `answer` finds the school as `tenant` and
    its id as `tenant_id`, both None for the shared library.
    """

    refusals: tuple[type[Exception], ...] = ()
    tenant_help = ""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.help = cls.help or " ".join((sys.modules[cls.__module__].__doc__ or "").split())

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        setattr(parser, "error", partial(_refuse, parser))  # noqa: B010 - a usage is more than one line
        return parser

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--json", action="store_true", help="one JSON document on stdout and nothing else"
        )
        if self.tenant_help:
            parser.add_argument("--tenant", default="", metavar="SLUG", help=self.tenant_help)
        self.add_options(parser)

    def add_options(self, parser: CommandParser) -> None:
        """Declare what this command takes."""

    @abstractmethod
    def answer(self, options: dict[str, Any]) -> Any:
        """What the command found or did, as plain values that JSON can hold."""

    def show(self, answer: Any) -> None:
        """Print the answer for a person."""
        self._print(answer, indent=2)

    def handle(self, *args: Any, **options: Any) -> None:
        refused: tuple[type[Exception], ...] = (WrongArgument, UnknownTenant, *self.refusals)
        try:
            if self.tenant_help:
                options["tenant"] = tenant = tenant_named(options["tenant"])
                options["tenant_id"] = tenant.pk if tenant else None
            answer = self.answer(options)
        except refused as error:
            raise CommandError(one_line(error), returncode=WRONG_ARGUMENT) from error
        except (OperationalError, InterfaceError, RedisAway) as error:
            raise CommandError(f"a service is away: {one_line(error)}", returncode=SERVICE_AWAY) from error
        if options["json"]:
            self._print(answer)
        else:
            self.show(answer)

    def _print(self, answer: Any, indent: int | None = None) -> None:
        self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=indent, default=str))


def one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _refuse(parser: CommandParser, message: str) -> NoReturn:
    if not parser.called_from_command_line:
        raise CommandError(one_line(ValueError(message)), returncode=WRONG_ARGUMENT)
    sys.stderr.write(f"{parser.prog}: {one_line(ValueError(message))}\n")
    sys.exit(WRONG_ARGUMENT)
