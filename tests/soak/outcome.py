"""What must be true at the end of a soak, whatever happened in it; and its figures, for whoever stores them."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.soak.conftest import Files
from tests.soak.house import House, wait_until


def assert_as_undisturbed(one: House, files: Files, paths: Sequence[Path]) -> list[dict[str, Any]]:
    """Nothing lost, nothing doubled, nothing left: the same rows, the same files. How the jobs stand."""
    jobs = one.ask("jobs")
    assert [job for job in jobs if job["state"] != "succeeded"] == []
    said, wanted = one.ask("said"), files.undisturbed(paths)
    assert said.keys() == wanted.keys()
    for name, document in wanted.items():
        for part, rows in document.items():
            assert said[name][part] == rows, f"{part} of {name}"
    assert wait_until(lambda: not any("unfinished" in name for name in one.stored()), 60)
    assert wait_until(lambda: not one.orphans(), 30), one.orphans()
    mine = {name for name in files.stored if name in one.stored()}
    assert one.stored() == {name: files.stored[name] for name in mine}
    return list(jobs)


def tell(name: str, figures: dict[str, Any]) -> None:
    """Figures go where `python -m benchmarks soak` collects them."""
    if folder := os.environ.get("HEYDPE_SOAK_FIGURES"):
        (Path(folder) / f"{name}.json").write_text(json.dumps(figures))
    print(name, figures)
