"""Run benchmarks, each in a separate process, and write a page for each result.

`python -m benchmarks` (or `make bench`) runs all benchmarks; `python -m benchmarks search turn` runs these two. Each
result is stored as docs/benchmarks/NAME.json with its command and machine. `report.py` writes the pages from all stored
results. Database and Redis are the configured ones; otherwise the embedded ones are started.
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
from typing import Final

from benchmarks.plots import PLOTS
from benchmarks.report import pages
from heydpe.runtime.embedded import embedded_for, stored_secret_key
from heydpe.runtime.services import acquire_services

ROOT: Final = Path(__file__).resolve().parent.parent
RESULTS: Final = ROOT / "docs" / "benchmarks"
BENCHMARKS: Final[Mapping[str, str]] = {
    "ingestion": "Speed of ingestion, compared with bare libraries",
    "rectangles": "Whether highlighted rectangles contain exactly the words of a line",
    "chunking": "Search quality of each chunking strategy",
    "embedding": "Speed of embedding, compared with the bare model",
    "windows": "Ways to embed a long passage",
    "search": "Speed of search, compared with bare pgvector",
    "retrieval": "Search quality on labeled sets, compared with plain methods",
    "legal": "Search quality for short legal questions, compared with plain methods",
    "stories": "Search quality for long questions",
    "golden": "Search quality for the golden questions",
    "thresholds": "Thresholds: scores of correct passages and of unanswerable questions",
    "rules_routing": "European rules: recognizing what a question asks for, and which countries",
    "rules_retrieval": "European rules: search quality and answer times",
    "graph": "Reading a bundle from a large concept graph, compared with the original SQL",
    "keepers": "Page times with 1,000 documents and 20,000 pending claims",
    "reading": "What a reviewer reads before a decision on a claim",
    "tiers": "How often the caches of an exam save a search",
    "planner": "Time to choose the next of 2,200 elements",
    "turn": "Time from answer to next question, with 1, 20, and 200 exams",
    "items": "The item bank on the FAA's files",
    "offline_assessor": "The offline judge, compared with people",
    "entailment": "Whether a passage supports a statement, compared with word rules and cosine",
    "lies": "What a lying vendor's model can show, and which grades it changes",
    "tricks": "How often the offline judge accepts trick answers",
}
# Only when named: `soak` takes most of an hour (`make soak`), `stems` reads a library that has the item bank.
LONG: Final[Mapping[str, str]] = {
    "soak": "Robustness: killed processes, a lost Redis, competing workers, 10,000 pages",
    "stems": "Search quality for the questions of the item bank",
}
ALL: Final = {**BENCHMARKS, **LONG}


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
    for page, text in pages(RESULTS, ALL).items():
        (RESULTS / page).write_text(text, encoding="utf-8")
    print(f"Written to {RESULTS.relative_to(ROOT)}/README.md and a page for each benchmark")
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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
