"""What a library survives: killed processes, a lost Redis, competing workers, ten thousand pages.

Also an oral in a real browser, while PostgreSQL and the web server are killed.

`python -m benchmarks.soak` prints one JSON document. The soaks are tests (`tests/soak`), which fail if a passage is
lost, doubled, or different from that of an undisturbed run; here they run in one pytest process, and their figures are
collected. It takes most of an hour on two cores, so `make bench` leaves it out and `make soak`
runs it.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent


def measure() -> dict[str, Any]:
    """The figures of each soak, by its name."""
    with TemporaryDirectory() as folder:
        environment = {**os.environ, "HEYDPE_SOAK": "1", "HEYDPE_SOAK_FIGURES": folder}
        for name in ("DATABASE_URL", "REDIS_URL", "HEYDPE_DATA_DIR"):  # the tests have their own
            environment.pop(name, None)
        command = [sys.executable, "-m", "pytest", "tests/soak", "-q", "-s"]
        subprocess.run(command, cwd=ROOT, env=environment, stdout=sys.stderr, check=True)
        found = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(Path(folder).iterdir())}
    return {"what": "each run compared with an undisturbed run of the same files", **found}


if __name__ == "__main__":
    json.dump(measure(), sys.stdout, indent=1)
    sys.stdout.write("\n")
