"""An empty or older database becomes one that can be used: tables, the demo, the folder HEYDPE_LIBRARY names.

Run as `python -m heydpe.prepare` by `heydpe.run`; each step says what it does.
"""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import django
from django.core.management import CommandError, call_command, get_commands

from .cli import FAILED, SERVICE_AWAY, ServiceAway, absences_told, migration_lock, require_database
from .env import Environment, read_environment


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
    django.setup()
    environment = read_environment()
    try:
        require_database()
        with absences_told():
            with migration_lock():
                _step("tables", _migrate)
                _step("demo", _load_demo)
            _step("library", lambda: _load_library(environment))
            _step("items", _load_items)
    except ServiceAway as error:
        print(error, file=sys.stderr, flush=True)
        return SERVICE_AWAY
    except CommandError as error:
        print(f"A step of the start failed: {error}", file=sys.stderr, flush=True)
        return FAILED
    return 0


def _step(name: str, action: Callable[[], str]) -> None:
    start = time.monotonic()
    done = action()
    if done:
        print(f"  {time.monotonic() - start:5.1f} s  {name}: {done}", flush=True)


def _migrate() -> str:
    call_command("migrate", verbosity=0, interactive=False)
    return "up to date"


def _load_demo() -> str:
    if "demo" not in get_commands():
        return ""
    with open(os.devnull, "w") as nowhere:
        call_command("demo", stdout=nowhere)
    return "loaded"


def _load_library(environment: Environment) -> str:
    """Once per folder. A folder that fails is said and tried again at the next start; the rest goes on."""
    folder = environment.library
    marker = environment.data_dir / "library_loaded"
    if not folder or (marker.exists() and folder in marker.read_text().splitlines()):
        return ""
    if not Path(folder).is_dir():
        return f"HEYDPE_LIBRARY names {folder}, which is no folder; it is left out"
    print(f"  Reading {folder}; a handbook takes about half a minute.", flush=True)
    try:
        call_command("ingest", folder)
    except CommandError as error:
        return f"{folder} could not be read: {error}"
    with marker.open("a") as file:
        file.write(folder + "\n")
    return f"{folder} loaded"


def _load_items() -> str:
    """The project's items for the standards at hand; the worker looks for their passages meanwhile."""
    if "load_items" not in get_commands():
        return ""
    with open(os.devnull, "w") as nowhere:
        call_command("load_items", "--later", stdout=nowhere)
    return "loaded"


if __name__ == "__main__":
    sys.exit(main())
