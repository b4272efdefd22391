"""Snapshots show whether a code change alters what the product does.

`python -m tools.snapshots` compares the product's results on real material with the stored ones and lists the cases
that differ; `--write` stores the current results; names limit either. Only hashes are stored: the FAA's words and the
labeled sets stay in `../shared/data`.

The models' last digits depend on the processor, so searches, verdicts and orals that were stored on another kind of
machine differ. `--against REV` takes both sides here: this tree beside the commit REV.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
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
    parser.add_argument("--against", metavar="REV", help="compare with this commit, not with what is stored")
    parser.add_argument(
        "--trace", action="store_true", help="only list the modules that an answer and a search run"
    )
    asked = parser.parse_args()
    if unknown := set(asked.names) - set(known):
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    differing = 0
    with with_services() as environment, tree_of(asked.against) as other:
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
            stored = (
                _output_of("take", name, environment=environment, tree=other) if other else path.read_text()
            )
            then = json.loads(stored)
            changed = [case for case in {**then, **now} if then.get(case) != now.get(case)]
            differing += len(changed)
            print(
                f"{name}: {len(changed)} of {len(now)} cases differ", *changed[:SHOWN], sep="\n  ", flush=True
            )
    return 1 if differing else 0


@contextmanager
def tree_of(revision: str | None) -> Iterator[Path | None]:
    """A checkout of the revision beside this tree (where `../shared` is found), removed afterward."""
    if revision is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="heydpe-snapshots-", dir=ROOT.parent) as folder:
        tree = Path(folder) / "tree"
        _git("worktree", "add", "--quiet", "--detach", str(tree), revision)
        (Path(folder) / "shared").symlink_to(ROOT.parent / "shared")
        try:
            yield tree
        finally:
            _git("worktree", "remove", "--force", str(tree))


def _git(*arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=ROOT, check=True)


def _output_of(module: str, *arguments: str, environment: Mapping[str, str], tree: Path = ROOT) -> str:
    run = subprocess.run(
        [sys.executable, "-m", f"tools.snapshots.{module}", *arguments],
        cwd=tree,
        env=dict(environment),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return run.stdout


if __name__ == "__main__":
    sys.exit(main())
