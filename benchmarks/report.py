"""Write pages from stored results: a short table of the main figures, and a page with all figures of each benchmark."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.plots import PLOTS

Place = tuple[str, ...]
Cells = dict[str, Any]

HEADLINES: Final[tuple[tuple[str, str, Place, str, Place], ...]] = (
    ("search", "Search of 100,000 passages, p50 in ms", ("passages", "100,000", "milliseconds", "search", "p50"),
     "bare pgvector HNSW", ("passages", "100,000", "milliseconds", "bare HNSW", "p50")),
    ("search", "Search of 100,000 passages, p50 in ms", ("passages", "100,000", "milliseconds", "search", "p50"),
     "the original SQL (seed 001)", ("passages", "100,000", "seed 001, milliseconds", "p50")),
    ("search", "Search of 1,000,000 passages, p95 in ms", ("passages", "1,000,000", "milliseconds", "search", "p95"),
     "bare pgvector HNSW", ("passages", "1,000,000", "milliseconds", "bare HNSW", "p95")),
    ("retrieval", "Search quality (nDCG@10), 123 pilots' questions", ("sets", "cfr_aim", "hybrid", "ndcg@10"),
     "BM25", ("sets", "cfr_aim", "BM25", "ndcg@10")),
    ("retrieval", "Search quality (nDCG@10), Cranfield", ("sets", "cranfield", "hybrid", "ndcg@10"),
     "BM25", ("sets", "cranfield", "BM25", "ndcg@10")),
    ("legal", "Search quality (nDCG@10), 122 unseen legal questions", ("unseen half", "hybrid", "ndcg@10"),
     "BM25 and vectors, 0.65 / 0.35", ("unseen half", "0.65 / 0.35", "ndcg@10")),
    ("golden", "Search quality (nDCG@10), 240 golden questions", ("ways", "hybrid", "all", "ndcg@10"),
     "BM25 and vectors, 0.65 / 0.35", ("ways", "0.65 / 0.35", "all", "ndcg@10")),
    ("ingestion", "Reading the text of PDFs, times as fast as pymupdf4llm", ("all", "text_beside_pymupdf4llm"), "", ()),
    ("graph", "First bundle of an element, 24,613 nodes, p95 in ms",
     ("milliseconds", "elements", "bundle, first asked", "p95"),
     "the original SQL (seed 002), following edges both ways",
     ("milliseconds", "elements", "seed 002, both ways", "p95")),
    ("graph", "Cached bundle of an element, p95 in ms", ("milliseconds", "elements", "bundle", "p95"),
     "the original SQL (seed 002), which finds no claim", ("milliseconds", "elements", "seed 002", "p95")),
    ("keepers", "Slowest page for a reviewer, 20,000 claims, in ms", ("reviewer", "slowest, ms"),
     "a page without a table", ("reviewer", "a page without a table, ms")),
    ("planner", "Choosing the next of 2,200 elements, p95 in ms", ("66 questions", "p95 ms"), "", ()),
    ("turn", "From answer to next question, one exam, p95 in ms",
     ("exams", "1", "milliseconds", "turn", "p95"), "", ()),
    ("turn", "From answer to next question, 20 answers at once, p95 in ms",
     ("exams", "20", "milliseconds", "turn", "p95"), "", ()),
    ("turn", "From answer to next question, 200 exams at their own pace, p95 in ms",
     ("exams", "200 at their own pace", "milliseconds", "turn", "p95"), "", ()),
    ("offline_assessor", "Offline judge: right answers accepted", ("items", "right ones accepted"), "", ()),
    ("offline_assessor", "Offline judge: wrong answers accepted", ("items", "wrong ones passed"), "", ()),
    ("offline_assessor", "Offline judge: right answers of 5 to 25 words accepted",
     ("items, short answers", "right ones accepted"), "", ()),
    ("offline_assessor", "Offline judge: answers with one wrong detail accepted",
     ("items, right but for one detail", "wrong ones passed"), "", ()),
    ("tricks", "Offline judge: tricks accepted, of the kinds it was built for", ("families known to the judge",),
     "kinds written without knowledge of the judge", ("families written apart",)),
    ("lies", "A vendor's model that lies in 30 % of its replies: lies shown to students",
     ("lies in 30 %", "lies shown"), "", ()),
    ("entailment", "Whether a passage supports a statement: balanced accuracy on unseen documents",
     ("free text, unseen documents", "check", "balanced accuracy"),
     "rules on words and facts", ("free text, unseen documents", "words and facts", "balanced accuracy")),
    ("rules_retrieval", "European rules: first result correct", ("whole desk", "hit@1"), "", ()),
    ("soak", "Documents lost, duplicated, or changed after kills", ("kills", "lost, doubled or different"), "", ()),
)  # fmt: skip
"""Benchmark, label, the path of its figure, and the label and path of the figure it is compared with, if any."""

_WIDEST: Final = 8
"""Columns of a table beside the first; wider ones cannot be read on a page."""
_ALIKE: Final = 0.75
"""Least share of filled cells in a table of several parts."""

_HEAD: Final = """# Figures

Each name links to all figures of a benchmark and its command. The ratio is HeyDPE's figure divided by the other one.
Each result is one run, so read times as an order of magnitude. `make bench` measures everything again.
"""


def overview(results: Path, titles: Mapping[str, str]) -> str:
    """README.md: the main figures, then a list of all benchmarks."""
    stored = {name: _read(results / f"{name}.json") for name in titles if (results / f"{name}.json").exists()}
    rows = ["| figure | HeyDPE | compared with | ratio | benchmark |", "|---|---|---|---|---|"]
    for name, what, place, other, its_place in HEADLINES:
        if name not in stored:
            continue
        here = _at(stored[name]["result"], place)
        there = _at(stored[name]["result"], its_place) if its_place else None
        beside = f"{other}: {there}" if there is not None else ""
        ratio = f"{here / there:.2f}" if there else ""
        rows.append(f"| {what} | {here} | {beside} | {ratio} | [{name}]({name}.md) |")
    every = [f"* [{titles[name]}]({name}.md), {one['date']}" for name, one in stored.items()]
    return "\n".join([_HEAD, *rows, "", "## All benchmarks", "", *every, ""])


def page_of(name: str, title: str, stored: Mapping[str, Any]) -> str:
    """All figures of one result."""
    result = dict(stored["result"])
    what = result.pop("what", "").rstrip(".")
    told = f" {what[0].upper() if what.split()[0].isalpha() else what[0]}{what[1:]}." if what else ""
    run = f"`{stored['command']}`, {stored['date']}, {stored['seconds']} s on {stored['machine']}.{told}"
    plot = [f"![{title}]({name}.svg)\n"] if name in PLOTS else []
    return "\n".join([f"# {title}\n", f"{run}\n", *plot, *tables(result)])


def tables(part: Mapping[str, Any], place: str = "") -> Iterator[str]:
    """Lines of the tables of a part of a result: first its own figures, then those of its parts.

    Parts that measure the same share a table, with a column (or, where they measure little, a row) for each.
    """
    parts = {key: rows for key, value in part.items() if (rows := _named(value))}
    own = {key: value for key, value in part.items() if key not in parts}
    if own:
        yield from _table(["figure", "value"], own.items())
    untitled = bool(place) and not own
    for group in _groups({key: dict(figures(value)) for key, value in parts.items()}):
        if len(group) > 1:
            if untitled:
                yield f"## {_cell(place)}\n"
            untitled = False
            yield from _shared_table(group)
            continue
        key = next(iter(group))
        inner = f"{place}, {key}" if place else str(key)
        if not all(map(_named, parts[key].values())):
            yield f"## {_cell(inner)}\n"
        yield from tables(parts[key], inner)


def _groups(parts: Mapping[str, Cells]) -> list[dict[str, Cells]]:
    """The parts in their order; those that follow each other and measure the same are together."""
    groups: list[dict[str, Cells]] = []
    for key, cells in parts.items():
        if groups and _fit(together := {**groups[-1], key: cells}):
            groups[-1] = together
        else:
            groups.append({key: cells})
    return groups


def _fit(group: Mapping[str, Cells]) -> bool:
    names = {name for cells in group.values() for name in cells}
    filled = sum(map(len, group.values())) / (len(names) * len(group))
    return filled >= _ALIKE and min(len(names), len(group)) <= _WIDEST


def _shared_table(group: Mapping[str, Cells]) -> list[str]:
    names = list(dict.fromkeys(name for cells in group.values() for name in cells))
    if len(names) <= _WIDEST:
        return _table(["", *names], [(key, *map(cells.get, names)) for key, cells in group.items()])
    return _table(["", *group], [(name, *(cells.get(name) for cells in group.values())) for name in names])


def figures(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """The figures of a part of a result, each with its path."""
    named = _named(value)
    if not named:
        yield place, value
    for key, one in named.items():
        yield from figures(one, f"{place}, {key}" if place else str(key))


def _named(value: Any) -> Mapping[str, Any]:
    """The parts of a value by name: a mapping, or a list of mappings that name themselves; none of a plain figure."""
    if isinstance(value, Mapping):
        return value
    if not (isinstance(value, list) and value and isinstance(value[0], Mapping)):
        return {}
    label = next((key for key in ("file", "name") if key in value[0]), "")
    return {
        str(one.get(label, at)): {key: figure for key, figure in one.items() if key != label}
        for at, one in enumerate(value, 1)
    }


def _table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[str]:
    lines = [f"| {' | '.join(map(_cell, row))} |" for row in (head, *rows)]
    return [lines[0], "|---" * len(head) + "|", *lines[1:], ""]


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(round(value, 4) if isinstance(value, float) else value).replace("_", " ").replace("|", "\\|")


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
