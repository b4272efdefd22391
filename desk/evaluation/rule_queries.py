"""Lines of a file of labelled queries become queries for the rules desk, with what is right for each. Pure.

Files are untrusted: a line that is not what it should be is refused with its number.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

Country = Annotated[str, Field(pattern=r"^[A-Z]{2}$")]


class BadQueries(ValueError):
    """The file is not what labelled queries are; the message says where."""


class RuleQuery(BaseModel):
    """One message after what was said before it. `questions` are those that answer it, best first; none are expected
    where nothing does. `route` and `missing_countries` are judged where they are given."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    query: Annotated[str, Field(min_length=1, max_length=4000)]
    history: tuple[str, ...] = ()
    countries: tuple[Country, ...] = ()
    questions: tuple[str, ...] = ()
    route: Literal["rules", "database", "both"] | None = Field(
        default=None, validation_alias=AliasChoices("route", "path")
    )
    missing_countries: tuple[Country, ...] | None = None


def read_rule_queries(path: Path) -> tuple[RuleQuery, ...]:
    """Raises BadQueries."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadQueries(f"{path} cannot be read: {error}") from error
    queries = tuple(_queries(path, lines))
    if not queries:
        raise BadQueries(
            f"{path} has no queries: one JSON object a line, with query, countries and questions"
        )
    return queries


def _queries(path: Path, lines: list[str]) -> Iterator[RuleQuery]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield RuleQuery.model_validate(json.loads(line))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False, include_context=False)[0]
            place = ".".join(map(str, first["loc"])) or "the line"
            raise BadQueries(f"{path}, line {number}: {place}: {first['msg']}") from error
        except ValueError as error:
            raise BadQueries(f"{path}, line {number} is no JSON") from error
