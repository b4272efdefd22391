"""Ways to combine the windows of a long chunk for search: which finds more, and what it costs.

`python -m benchmarks.windows` prints one JSON document. The local model reads 256 tokens at once; a chunk of up to 800
has several windows. It compares: their mean, weighted by tokens, as one vector; the best of them for each question (one
vector per window, all searched); half of each; the first one alone; and chunks no longer than one window. The two
labelled sets of `../shared/data/retrieval` are chunked as the product does it, each chunk is embedded under its
heading, and a document ranks by its best chunk's cosine alone: the words that the product's search adds would hide what
the windows do. "Long" counts the questions again whose right documents have a chunk of several windows; for all others
the ways are the same.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knowledge.ingestion.chunking.chunker import ChunkDraft, chunk_pages
from knowledge.ingestion.chunking.strategies import Strategy, strategy_named
from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.formats.markdown import markdown_document
from llm.local.encoder import LocalEmbeddingModel

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "retrieval"
SETS = ("cfr_aim", "cranfield")
STRATEGIES = ("fixed-800-100", "fixed-512-50")
ONE_WINDOW = "fixed-220-30"  # with its heading such a chunk is one window
AT_ONCE = 64  # texts
K = 10

Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Case:
    """A question and how right each document is for it."""

    text: str
    right: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Windows:
    """All windows of all chunks: their vectors and tokens, the chunk each belongs to, the document of each chunk."""

    vectors: Matrix
    tokens: NDArray[np.int64]
    chunk: NDArray[np.int64]
    document: NDArray[np.int64]
    names: tuple[str, ...]

    @property
    def first(self) -> NDArray[np.bool_]:
        return np.concatenate(([True], self.chunk[1:] != self.chunk[:-1]))


Scores = Callable[[Windows, Matrix], Matrix]


def mean_of_windows(windows: Windows, queries: Matrix) -> Matrix:
    """As the product has it: one vector a chunk."""
    summed = np.zeros((len(windows.document), windows.vectors.shape[1]), np.float32)
    np.add.at(summed, windows.chunk, windows.vectors * windows.tokens[:, None])
    summed /= np.linalg.norm(summed, axis=1, keepdims=True)
    return queries @ summed.T


def best_window(windows: Windows, queries: Matrix) -> Matrix:
    starts = np.flatnonzero(windows.first)
    return np.maximum.reduceat(queries @ windows.vectors.T, starts, axis=1)


def half_of_each(windows: Windows, queries: Matrix) -> Matrix:
    return (mean_of_windows(windows, queries) + best_window(windows, queries)) / np.float32(2)


def first_window(windows: Windows, queries: Matrix) -> Matrix:
    return queries @ windows.vectors[windows.first].T


WAYS: Mapping[str, Scores] = {
    "mean of windows": mean_of_windows,
    "best window": best_window,
    "half of each": half_of_each,
    "first window": first_window,
}


def measure(data: Path = DATA, cache: Path | None = None, limit: int | None = None) -> dict[str, Any]:
    """nDCG@10 and recall@10 of each way, by set and limits of chunks. `limit` takes only so many documents."""
    if cache is None:
        with TemporaryDirectory() as folder:
            return measure(data, Path(folder), limit)
    model = LocalEmbeddingModel(cache)
    return {
        "what": "nDCG@10 by cosine alone; a document ranks by its best chunk",
        "sets": {name: _of_set(data / name, model, limit) for name in SETS},
    }


def _of_set(folder: Path, model: LocalEmbeddingModel, limit: int | None) -> dict[str, Any]:
    texts = dict(list(_documents(folder))[:limit])
    cases = _cases(folder, texts.keys())
    queries = np.array([model.embed_query(case.text) for case in cases], np.float32)
    found: dict[str, Any] = {"questions": len(cases), "documents": len(texts)}
    for label in STRATEGIES:
        windows = _windows(texts, strategy_named(label), model)
        found[label] = _figures(windows, cases, queries, WAYS)
    windows = _windows(texts, strategy_named(ONE_WINDOW), model)
    found[f"one window a chunk ({ONE_WINDOW})"] = _figures(
        windows, cases, queries, {"one window": best_window}
    )
    return found


def _figures(
    windows: Windows, cases: Sequence[Case], queries: Matrix, ways: Mapping[str, Scores]
) -> dict[str, Any]:
    long = _with_long_chunks(windows)
    of_long = [place for place, case in enumerate(cases) if long & case.right.keys()]
    found: dict[str, Any] = {
        "chunks": len(windows.document),
        "windows": len(windows.chunk),
        "questions about long chunks": len(of_long),
    }
    for way, scores in ways.items():
        ranked = list(_ranked(windows, scores(windows, queries)))
        gains = [_ndcg(names, case) for names, case in zip(ranked, cases, strict=True)]
        recalls = [_recall(names, case) for names, case in zip(ranked, cases, strict=True)]
        found[way] = {
            "ndcg@10": round(mean(gains), 3),
            "recall@10": round(mean(recalls), 3),
            "ndcg@10, long": round(mean(gains[place] for place in of_long), 3) if of_long else None,
            "recall@10, long": round(mean(recalls[place] for place in of_long), 3) if of_long else None,
        }
    return found


def _with_long_chunks(windows: Windows) -> set[str]:
    long = np.bincount(windows.chunk) > 1
    return {windows.names[place] for place in windows.document[long]}


def _ranked(windows: Windows, scores: Matrix) -> Iterator[list[str]]:
    """For each question the names of the best documents, each by its best chunk."""
    for row in scores:
        best = np.full(len(windows.names), -np.inf, np.float32)
        np.maximum.at(best, windows.document, row)
        yield [windows.names[place] for place in np.argsort(-best, kind="stable")[:K]]


def _ndcg(names: Sequence[str], case: Case) -> float:
    gain = sum(case.right.get(name, 0) / log2(place + 2) for place, name in enumerate(names))
    ideal = sorted(case.right.values(), reverse=True)[:K]
    return gain / sum(value / log2(place + 2) for place, value in enumerate(ideal))


def _recall(names: Sequence[str], case: Case) -> float:
    return len(case.right.keys() & set(names)) / len(case.right)


# --- the data ------------------------------------------------------------


def _documents(folder: Path) -> Iterator[tuple[str, str]]:
    with (folder / "corpus.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield row["_id"], f"# {row['title']}\n\n## {row['title']}\n\n{row['text']}\n"


def _cases(folder: Path, known: Mapping[str, str] | Any) -> list[Case]:
    right: dict[str, dict[str, int]] = {}
    with (folder / "qrels" / "test.tsv").open(encoding="utf-8") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            if row["corpus-id"] in known and int(row["score"]) > 0:
                right.setdefault(row["query-id"], {})[row["corpus-id"]] = int(row["score"])
    with (folder / "queries.jsonl").open(encoding="utf-8") as lines:
        asked = {row["_id"]: row["text"] for row in map(json.loads, lines)}
    return [Case(asked[name], found) for name, found in right.items()]


def _windows(texts: Mapping[str, str], strategy: Strategy, model: LocalEmbeddingModel) -> Windows:
    names = tuple(texts)
    chunks = [
        (place, _embedded_text(chunk))
        for place, name in enumerate(names)
        for chunk in _chunks(texts[name], strategy, model)
    ]
    vectors, tokens, owner = [], [], []
    for at in range(0, len(chunks), AT_ONCE):
        some = model.window_vectors([text for _, text in chunks[at : at + AT_ONCE]])
        for number, windows in enumerate(some, at):
            vectors += [vector for vector, _ in windows]
            tokens += [count for _, count in windows]
            owner += [number] * len(windows)
    return Windows(
        np.array(vectors, np.float32),
        np.array(tokens),
        np.array(owner),
        np.array([place for place, _ in chunks]),
        names,
    )


def _chunks(text: str, strategy: Strategy, model: LocalEmbeddingModel) -> Sequence[ChunkDraft]:
    try:
        document = markdown_document(text, file_name="section.md")
    except IngestionError:  # a reserved section says nothing
        return ()
    return chunk_pages(document, strategy=strategy, count_tokens=model.count_tokens)


def _embedded_text(chunk: ChunkDraft) -> str:
    """What of a chunk is embedded, as `knowledge.ingestion.vectors.embedding` has it."""
    named = not chunk.heading or chunk.heading in chunk.text[:400]
    return chunk.text if named else f"{chunk.heading}\n\n{chunk.text}"


if __name__ == "__main__":
    json.dump(measure(), sys.stdout, indent=2)
    print()
