"""Known vulnerabilities of what the product installs, by the database of OSV.

`python -m tools.audit` asks about all pins of requirements.txt in one request, prints one line for each package with a
known vulnerability, and fails. Without a network it says so and fails nothing: a build must not depend on one.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final
from urllib.error import URLError
from urllib.request import Request, urlopen

REQUIREMENTS: Final = Path(__file__).parents[1] / "requirements.txt"
DATABASE: Final = "https://api.osv.dev/v1/querybatch"
PATIENCE_SECONDS: Final = 10
ACCEPTED: Final[Mapping[str, str]] = {}
"""Vulnerabilities that do not concern this product: id → why."""


class DatabaseAway(Exception):
    """The database cannot be reached, or does not answer as it should."""


def pins_in(text: str) -> Iterator[tuple[str, str]]:
    """Name and version of each pinned requirement."""
    for found in re.finditer(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^\s;\\]+)", text, re.MULTILINE):
        yield found[1], found[2]


def vulnerabilities_of(pins: list[tuple[str, str]], database: str = DATABASE) -> dict[str, list[str]]:
    """By "name version", the ids of known vulnerabilities that are not accepted. Raises DatabaseAway."""
    asked = [{"package": {"name": name, "ecosystem": "PyPI"}, "version": version} for name, version in pins]
    body = json.dumps({"queries": asked}).encode()
    try:
        request = Request(database, body, {"Content-Type": "application/json"})
        with urlopen(request, timeout=PATIENCE_SECONDS) as reply:
            results = json.load(reply)["results"]
        found = [sorted(one["id"] for one in result.get("vulns") or ()) for result in results]
    except (URLError, OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise DatabaseAway(f"{type(error).__name__}: {error}") from error
    if len(found) != len(pins):
        raise DatabaseAway(f"{len(found)} answers for {len(pins)} packages")
    named = {f"{name} {version}": ids for (name, version), ids in zip(pins, found, strict=True)}
    left = {name: [one for one in ids if one not in ACCEPTED] for name, ids in named.items()}
    return {name: ids for name, ids in left.items() if ids}


def main(database: str = DATABASE) -> int:
    pins = list(pins_in(REQUIREMENTS.read_text("utf-8")))
    try:
        found = vulnerabilities_of(pins, database)
    except DatabaseAway as error:
        print(f"Skipped: {database} is out of reach ({error}). Nothing is known about {len(pins)} packages.")
        return 0
    for name, ids in sorted(found.items()):
        print(f"{name}: {', '.join(ids)}")
    print(f"{len(found)} of {len(pins)} packages have known vulnerabilities.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
