"""Write pages from stored results: a short table of the main figures, and a page with all figures of each benchmark."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from benchmarks.plots import PLOTS

Place = tuple[str, ...]

HEADLINES: Final[tuple[tuple[str, str, Place, str, Place], ...]] = (
    ("search", "Search of 100,000 passages, p50 ms", ("passages", "100,000", "milliseconds", "search", "p50"),
     "bare pgvector HNSW", ("passages", "100,000", "milliseconds", "bare HNSW", "p50")),
    ("search", "The same", ("passages", "100,000", "milliseconds", "search", "p50"),
     "the original SQL (seed 001)", ("passages", "100,000", "seed 001, milliseconds", "p50")),
    ("search", "Search of 1,000,000 passages, p95 ms", ("passages", "1,000,000", "milliseconds", "search", "p95"),
     "bare pgvector HNSW", ("passages", "1,000,000", "milliseconds", "bare HNSW", "p95")),
    ("retrieval", "nDCG@10, 123 pilots' questions", ("sets", "cfr_aim", "hybrid", "ndcg@10"),
     "BM25", ("sets", "cfr_aim", "BM25", "ndcg@10")),
    ("retrieval", "nDCG@10, Cranfield", ("sets", "cranfield", "hybrid", "ndcg@10"),
     "BM25", ("sets", "cranfield", "BM25", "ndcg@10")),
    ("legal", "nDCG@10, 122 unseen legal questions", ("unseen half", "hybrid", "ndcg@10"),
     "BM25 and vectors, 0.65 / 0.35", ("unseen half", "0.65 / 0.35", "ndcg@10")),
    ("golden", "nDCG@10, 240 golden questions", ("ways", "hybrid", "all", "ndcg@10"),
     "BM25 and vectors, 0.65 / 0.35", ("ways", "0.65 / 0.35", "all", "ndcg@10")),
    ("ingestion", "Text of PDFs: speed relative to pymupdf4llm", ("all", "text_beside_pymupdf4llm"), "", ()),
    ("graph", "Bundle of an element among 24,613 nodes, p95 ms",
     ("milliseconds", "elements", "bundle, first asked", "p95"),
     "the original SQL (seed 002), both ways", ("milliseconds", "elements", "seed 002, both ways", "p95")),
    ("graph", "The same, asked for again while nothing changes", ("milliseconds", "elements", "bundle", "p95"),
     "the original SQL, which finds no claim", ("milliseconds", "elements", "seed 002", "p95")),
    ("keepers", "Slowest page of the reviewer's room, 20,000 claims, ms", ("reviewer", "slowest, ms"),
     "a page without a table", ("reviewer", "a page without a table, ms")),
    ("planner", "Planner's next step among 2,200 elements, p95 ms", ("66 questions", "p95 ms"), "", ()),
    ("turn", "Answer to next question, p95 ms, one exam", ("exams", "1", "milliseconds", "turn", "p95"), "", ()),
    ("turn", "The same, 20 answers at once", ("exams", "20", "milliseconds", "turn", "p95"), "", ()),
    (
        "turn",
        "The same, 200 exams at their own pace",
        ("exams", "200 at their own pace", "milliseconds", "turn", "p95"),
        "",
        (),
    ),
    ("offline_assessor", "Offline: right answers accepted", ("items", "right ones accepted"), "", ()),
    ("offline_assessor", "Offline: wrong answers passed", ("items", "wrong ones passed"), "", ()),
    ("offline_assessor", "Offline: right answers of 5 to 25 words accepted at once",
     ("items, short answers", "right ones accepted"), "", ()),
    ("offline_assessor", "Offline: answers wrong in one detail, passed",
     ("items, right but for one detail", "wrong ones passed"), "", ()),
    ("tricks", "Offline: tricks that passed, families that the judge was built for", ("families known to the judge",),
     "families written apart from it", ("families written apart",)),
    ("lies", "Vendor that lies in 30 %: lies shown", ("lies in 30 %", "lies shown"), "", ()),
    ("entailment", "Passage supports statement: balanced accuracy, unseen documents",
     ("free text, unseen documents", "check", "balanced accuracy"),
     "words and facts", ("free text, unseen documents", "words and facts", "balanced accuracy")),
    ("rules_retrieval", "European rules: first question correct", ("whole desk", "hit@1"), "", ()),
    ("soak", "Documents lost, doubled, or different after kills", ("kills", "lost, doubled or different"), "", ()),
)  # fmt: skip
"""Benchmark, label, the path of its figure, and the label and path of the figure it is compared with, if any."""

_HEAD: Final = """# Figures

`make bench` writes these pages from the stored results beside them; a test compares. Each result is one run on one
machine: an order of magnitude, not a promise. The name of a benchmark links to all its figures and its command. The
docstring of its module in `benchmarks/` explains what is measured.
"""


def overview(results: Path, titles: Mapping[str, str]) -> str:
    """README.md: the main figures, then a list of all benchmarks."""
    stored = {name: _read(results / f"{name}.json") for name in titles if (results / f"{name}.json").exists()}
    rows = ["| what | HeyDPE | compared with | ratio | benchmark |", "|---|---|---|---|---|"]
    for name, what, place, other, its_place in HEADLINES:
        if name not in stored:
            continue
        here = _at(stored[name]["result"], place)
        there = _at(stored[name]["result"], its_place) if its_place else None
        beside = f"{other}: {there}" if there is not None else ""
        ratio = f"{here / there:.2f}" if there else ""
        rows.append(f"| {what} | {here} | {beside} | {ratio} | [{name}]({name}.md) |")
    every = [f"* [{titles[name]}]({name}.md), {one['date']}" for name, one in stored.items()]
    return "\n".join([_HEAD, *rows, "", "## Every benchmark", "", *every, ""])


def page_of(name: str, title: str, stored: Mapping[str, Any]) -> str:
    """All figures of one result."""
    result = dict(stored["result"])
    what = result.pop("what", "")
    run = f"`{stored['command']}`, {stored['date']}, {stored['seconds']} s on {stored['machine']}."
    lines = [
        f"# {title}\n",
        f"{run} {what[:1].upper()}{what[1:]}".rstrip().removesuffix(".") + ".\n",
        *([f"![{title}]({name}.svg)\n"] if name in PLOTS else []),
        "| figure | value |",
        "|---|---|",
        *(f"| {figure} | {value} |" for figure, value in figures(result)),
        "",
    ]
    return "\n".join(lines)


def figures(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """A result's values, each with its path."""
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


def _read(path: Path) -> dict[str, Any]:
    stored: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return stored


def _at(result: Any, place: Place) -> Any:
    for key in place:
        result = result[key]
    return result


def pages(results: Path, titles: Mapping[str, str]) -> dict[str, str]:
    """Every page of the stored results, by file name."""
    of_each = {
        f"{name}.md": page_of(name, title, _read(results / f"{name}.json"))
        for name, title in titles.items()
        if (results / f"{name}.json").exists()
    }
    return {"README.md": overview(results, titles), **of_each}
