"""Every benchmark is run, each in a process of its own, and what it found becomes a page.

`python -m benchmarks` (or `make bench`) runs all of them; names run only those: `python -m benchmarks search turn`.
Each result is stored as docs/benchmarks/NAME.json with its command and the machine; docs/benchmarks/README.md is
written from whatever results are stored, and never by hand. Database and Redis are the configured ones, or the
embedded ones, which are started if they are not up.
"""

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from benchmarks.plots import PLOTS
from heydpe.embedded import embedded_for, stored_secret_key
from heydpe.services import acquire_services

ROOT: Final = Path(__file__).resolve().parent.parent
RESULTS: Final = ROOT / "docs" / "benchmarks"
BENCHMARKS: Final[Mapping[str, str]] = {
    "ingestion": "Stages of ingestion, beside bare libraries",
    "rectangles": "Lines of chunks whose rectangles hold exactly their words",
    "chunking": "What each way of chunking finds",
    "embedding": "Windows a second, beside the bare model",
    "windows": "From the windows of a long passage to what a search compares",
    "search": "Searching, beside bare pgvector",
    "retrieval": "What each arm of the search finds, beside plain ways",
    "stories": "What each arm finds for long questions",
    "golden": "What each arm finds for the golden questions",
    "thresholds": "Scores of what is right, and of what the library does not answer",
    "rules_routing": "What a question about Europe asks for, and about which countries",
    "rules_retrieval": "What the rules desk finds, and how long an answer takes",
    "tiers": "What of an exam's look-ups has to be searched",
    "turn": "A turn of an exam, 1 and 20 at once",
    "items": "What the item bank makes of the FAA's own files",
    "offline_assessor": "The offline assessor beside people's judgement",
    "tricks": "Answers that are none, and how often the offline assessor calls them satisfactory",
}
# Only when named: it takes most of an hour (`make soak`).
LONG: Final[Mapping[str, str]] = {"soak": "Kills, a Redis that goes, workers that meet, 10,000 pages"}
ALL: Final = {**BENCHMARKS, **LONG}
_HEAD: Final = """# Figures

Written by `make bench` from the results beside this page; a test compares. Each is one run on the machine that it
names: an order of magnitude, not a promise. What exactly is measured stands at the top of each module.
"""


def main(names: Sequence[str]) -> int:
    unknown = set(names) - set(ALL)
    if unknown:
        print(
            f"There is no benchmark {', '.join(sorted(unknown))}. There is: {', '.join(ALL)}.",
            file=sys.stderr,
        )
        return 2
    RESULTS.mkdir(parents=True, exist_ok=True)
    at = commit()  # before the first result is stored, which is a change itself
    with with_services() as environment:
        failed = [name for name in names or BENCHMARKS if not _run(name, environment, at)]
    (RESULTS / "README.md").write_text(page(), encoding="utf-8")
    print(f"Written to {RESULTS.relative_to(ROOT)}/README.md")
    return 1 if failed else 0


@contextmanager
def with_services() -> Iterator[dict[str, str]]:
    """Environment of a process that needs database and Redis; embedded ones run meanwhile if none is configured."""
    embedded = embedded_for(os.environ)
    environment = {
        **os.environ,
        **embedded.missing,
        "DEBUG": "1",
        "LLM_PROVIDER": "offline",
        "EMBEDDING_PROVIDER": "local",
    }
    if not embedded.missing:
        yield environment
        return
    use = acquire_services(embedded.data_dir, name="benchmarks")
    try:
        yield {"SECRET_KEY": stored_secret_key(embedded.data_dir), **environment}
    finally:
        use.release()


def _run(name: str, environment: Mapping[str, str], at: str) -> bool:
    print(f"{name}: {ALL[name].lower()} …", flush=True)
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{name}"],
        cwd=ROOT,
        env=dict(environment),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        print(f"{name} failed:\n{done.stderr[-3000:]}", file=sys.stderr)
        return False
    stored = {
        "command": f"python -m benchmarks.{name}",
        "date": datetime.now(UTC).date().isoformat(),
        "commit": at,
        "seconds": round(time.monotonic() - started),
        "machine": machine(),
        "result": json.loads(done.stdout),
    }
    (RESULTS / f"{name}.json").write_text(json.dumps(stored, indent=2) + "\n", encoding="utf-8")
    if name in PLOTS:
        (RESULTS / f"{name}.svg").write_text(PLOTS[name](stored["result"]), encoding="utf-8")
    print(f"{name}: {stored['seconds']} s", flush=True)
    return True


def commit() -> str:
    """What was measured; with a mark if a file of it had been changed since."""
    told = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--abbrev=12"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return told.stdout.strip()


def machine() -> str:
    return f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}, Python {platform.python_version()}"


def page() -> str:
    """The page of all results that are stored."""
    stored = {name: RESULTS / f"{name}.json" for name in ALL}
    parts = [
        _section(name, json.loads(path.read_text("utf-8"))) for name, path in stored.items() if path.exists()
    ]
    return "\n".join((_HEAD, *parts))


def _section(name: str, stored: Mapping[str, Any]) -> str:
    result = dict(stored["result"])
    what = result.pop("what", "")
    rows = [f"| {figure} | {value} |" for figure, value in figures(result)]
    run = f"`{stored['command']}`, {stored['date']}, {stored['seconds']} s on {stored['machine']}."
    lines = [
        f"## {ALL[name]}\n",
        f"{run} {what[:1].upper()}{what[1:]}.\n",
        *([f"![{ALL[name]}]({name}.svg)\n"] if name in PLOTS else []),
        "| figure | value |",
        "|---|---|",
        *rows,
        "",
    ]
    return "\n".join(lines)


def figures(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """A result's numbers and words, each with the way to it."""
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield from figures(one, f"{place}, {key}" if place else str(key))
    elif isinstance(value, list) and value and isinstance(value[0], Mapping):
        for one in value:
            named = dict(one)
            label = next((str(named.pop(key)) for key in ("file", "name") if key in named), "")
            yield from figures(named, ", ".join(filter(None, (place, label))))
    else:
        yield place.replace("_", " "), ", ".join(map(str, value)) if isinstance(value, list) else value


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
