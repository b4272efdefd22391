"""Write the passages of the FAA's documents as the product makes them: `doc`, `heading`, and `text` a line, in JSON.

`python -m tools.training.faa_passages ../shared/data/faa PASSAGES`; `entailment_rows` reads them. Rows of labeled pairs
name a passage by the hash of its text and a span in it, since the FAA's words are not kept here.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
django.setup()

from knowledge.ingestion.chunking.chunker import chunk_pages  # noqa: E402 - models need Django set up
from knowledge.ingestion.document_model import Description  # noqa: E402
from knowledge.ingestion.source_files import parsed_source, read_source  # noqa: E402
from llm.local.encoder import LocalEmbeddingModel  # noqa: E402

LEFT_OUT = ("ACS", "uag_sample")
"""Names of files that state nothing: standards and questions."""


def passages_in(folder: Path, names: Iterable[str]) -> Iterator[dict[str, str]]:
    """The passages of these documents of the folder, in their order."""
    with TemporaryDirectory() as cache:
        model = LocalEmbeddingModel(Path(cache))
        for name in names:
            path = folder / name
            source = parsed_source(read_source(path, lambda done, of: None), path.name, Description())
            for chunk in chunk_pages(source, count_tokens=model.count_tokens):
                yield {"doc": name, "heading": chunk.heading, "text": chunk.text}


def with_passages(
    rows: Iterable[Mapping[str, Any]], passages: Iterable[Mapping[str, str]]
) -> Iterator[dict[str, Any]]:
    """Each row with its `passage`: the one that it has, or the span that it names. A passage that is read otherwise
    today leaves its rows out."""
    by_hash = {sha256(one["text"].encode()).hexdigest()[:16]: one["text"] for one in passages}
    for row in rows:
        if "passage" in row:
            yield dict(row)
        elif row["chunk"] in by_hash:
            yield {**row, "passage": by_hash[row["chunk"]][slice(*row["span"])]}


def main(folder: Path, target: Path) -> None:
    found = (one for one in folder.rglob("*") if one.suffix in (".md", ".pdf"))
    names = sorted(
        str(one.relative_to(folder)) for one in found if not any(out in one.name for out in LEFT_OUT)
    )
    with target.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(one) + "\n" for one in passages_in(folder, names))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
