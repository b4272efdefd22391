"""The item bank on the FAA's own files: anchors, and what can be asked once the clean ones are accepted.

`python -m benchmarks.items` prints one JSON document. It loads the private pilot ACS and the FAA's files of
`../shared/data` into a library of its own (a temporary data directory), by the product's own commands, and takes some
nine minutes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
FAA: Final = ROOT.parent / "shared" / "data" / "faa"
DOCUMENTS: Final = ("cfr", "aim", "phak", "pcg", "pdf/ac_90-66c.pdf")


def measure() -> dict[str, Any]:
    """Counts, and shares between 0 and 1. Raises SystemExit where the FAA's files are missing."""
    if not FAA.exists():
        raise SystemExit(f"The FAA's files are not at {FAA}.")
    with TemporaryDirectory() as folder:

        def told(command: str, *arguments: str) -> Any:
            return _told(folder, command, *arguments)

        told("demo")  # for its accounts; its handbook is put away by the real standard
        told("load_acs", str(FAA / "pdf" / "FAA-S-ACS-6C_Private_Pilot_ACS.pdf"))
        told("ingest", *(str(FAA / name) for name in DOCUMENTS))
        began = time.monotonic()
        loaded = told("load_items", "--certificate", "private")
        seconds = time.monotonic() - began
        accepted = told("accept_items", "--reviewer", "reviewer", "--certificate", "private")
        board = told("coverage")
    lacking = Counter(
        document
        for one in loaded["unanchored"]
        if not (document := one["missing_document"] or "no passage").startswith("HeyDPE Handbook")
    )  # the demo's own items lost their handbook to the real standard
    return {
        "items": loaded["items"],
        "points": loaded["points"],
        "points accepted as clean": accepted["accepted"],
        "points left for a reader": accepted["left"],
        "points a second": round(loaded["points"] / seconds, 1),
        "Tasks": len(board["tasks"]),
        "Tasks that can be completed": board["completable"],
        "elements": board["elements"],
        "without a passage, by document": dict(lacking.most_common(8)),
    }


def _told(folder: str, command: str, *arguments: str) -> Any:
    outside = ("DATABASE_URL", "REDIS_URL", "HEYDPE_LIBRARY")
    environment = {name: value for name, value in os.environ.items() if name not in outside}
    environment |= {"HEYDPE_DATA_DIR": folder, "DEBUG": "1"}
    run = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), command, *arguments, "--json"],
        env=environment,
        stdout=subprocess.PIPE,
        check=True,
        cwd=ROOT,
    )
    return json.loads(run.stdout)


if __name__ == "__main__":
    print(json.dumps(measure(), indent=2))
