"""Snapshots show whether a code change alters what the product does.

`python -m tools.snapshots` compares the product's results on real material with the stored ones and lists the cases
that differ; `--write` stores the current results; names limit either. Only hashes are stored: the FAA's words and the
labeled sets stay in `../shared/data`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from benchmarks.__main__ import with_services

ROOT: Final = Path(__file__).resolve().parents[2]
STORED: Final = Path(__file__).parent
SHOWN: Final = 20


def main() -> int:
    known = sorted(path.stem for path in STORED.glob("*.json"))
    parser = argparse.ArgumentParser(
        prog="python -m tools.snapshots", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("names", nargs="*", metavar="name", help=f"any of {', '.join(known)}; all, if none")
    parser.add_argument("--write", action="store_true", help="store what it is now")
    parser.add_argument(
        "--trace", action="store_true", help="only list the modules that an answer and a search run"
    )
    asked = parser.parse_args()
    if unknown := set(asked.names) - set(known):
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    differing = 0
    with with_services() as environment:
        if asked.trace:
            print(_output_of("trace", environment=environment))
            return 0
        for name in asked.names or known:
            now = json.loads(_output_of("take", name, environment=environment))
            path = STORED / f"{name}.json"
            if asked.write:
                path.write_text(json.dumps(now, indent=0) + "\n", encoding="utf-8")
                print(f"{name}: {len(now)} cases stored", flush=True)
                continue
            then = json.loads(path.read_text(encoding="utf-8"))
            changed = [case for case in {**then, **now} if then.get(case) != now.get(case)]
            differing += len(changed)
            print(
                f"{name}: {len(changed)} of {len(now)} cases differ", *changed[:SHOWN], sep="\n  ", flush=True
            )
    return 1 if differing else 0


def _output_of(module: str, *arguments: str, environment: Mapping[str, str]) -> str:
    run = subprocess.run(
        [sys.executable, "-m", f"tools.snapshots.{module}", *arguments],
        cwd=ROOT,
        env=dict(environment),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return run.stdout


if __name__ == "__main__":
    sys.exit(main())
