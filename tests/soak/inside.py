"""What a soak asks of the house it runs, in a process that has the house's environment: `python -m tests.soak.inside`.

submit PATH…      hand files in, as the upload page does
offer PATH…       the same, of files that may be turned away
said              what the library says, as plain values
jobs              how the jobs stand
ids               the ids of all passages by document and place
"""

import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import django

django.setup()

from knowledge.ingestion.errors import RefusedFile  # noqa: E402
from knowledge.ingestion.jobs.jobs import submit_file  # noqa: E402
from knowledge.models import Chunk, IngestionJob  # noqa: E402
from tests.doubles.libraries import said_by  # noqa: E402
from tests.soak.material import title  # noqa: E402


def submit(*names: str) -> list[str]:
    return [_submitted(Path(name)) for name in names]


def _submitted(path: Path) -> str:
    return str(submit_file(path, options={"doc_type": "handbook", "title": title(path)}).pk)


def offer(*names: str) -> list[str]:
    """As `submit`, of files that may be turned away."""
    taken = []
    for name in names:
        with suppress(RefusedFile):
            taken.append(_submitted(Path(name)))
    return taken


def said() -> Any:
    return said_by(tenant=None)


def jobs() -> list[Any]:
    found = IngestionJob.objects.order_by("created_at")
    return list(found.values("source_name", "state", "step", "attempts", "fence", "error", "steps", "counts"))


def ids() -> dict[str, str]:
    rows = Chunk.objects.values_list("document__content_hash", "index", "content_hash", "id")
    return {f"{document} {index} {text}": str(pk) for document, index, text, pk in rows}


if __name__ == "__main__":
    name, *rest = sys.argv[1:]
    json.dump(
        {"submit": submit, "offer": offer, "said": said, "jobs": jobs, "ids": ids}[name](*rest), sys.stdout
    )
