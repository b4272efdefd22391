"""Evaluate the rules router on labeled queries: the path it chooses and the countries it recognizes.

Each query goes through the product's own router with its history. A set of countries counts if it is exactly right.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from rules.query.router import QueryRouter

from .labeled_files import Tick, ignore_progress, read_rows, ticked
from .rule_queries import RuleQuery

PATHS = ("rules", "database", "both")


@dataclass(frozen=True, slots=True)
class Routed:
    """A query and the router's decision."""

    query: RuleQuery
    path: str
    countries: frozenset[str]
    stage: str


def evaluate_routing(path: Path, tick: Tick = ignore_progress) -> dict[str, Any]:
    """CONTRACT's shape of `manage.py evaluate routing --json`. Raises BadFile."""
    queries = read_rows(path, RuleQuery)
    digest = sha256(path.read_bytes()).hexdigest()
    return {
        "file": path.name,
        "sha256": digest,
        **routing_figures(route_queries(queries, QueryRouter(), tick)),
    }


def route_queries(
    queries: Sequence[RuleQuery], router: QueryRouter, tick: Tick = ignore_progress
) -> list[Routed]:
    found = []
    for query in ticked(queries, tick):
        decision = router.route([*query.history, query.query])
        found.append(Routed(query, decision.path, frozenset(decision.countries), decision.stage))
    return found


def routing_figures(found: Sequence[Routed]) -> dict[str, Any]:
    """Shares from 0 to 1, None without such a label. A row of the confusion is a label, a column a decision; `stages`
    has how many queries each stage decides, and the share of right decisions."""
    judged = [one for one in found if one.query.route is not None]
    confusion = Counter((str(one.query.route), one.path) for one in judged)
    exactly_right = sum(one.countries == frozenset(one.query.countries) for one in found)
    stages = {}
    for stage in ("keyword", "model"):
        some = [one for one in judged if one.stage == stage]
        stages[stage] = {"queries": len(some), "right": _share_on_right_path(some)}
    return {
        "queries": len(found),
        "accuracy": {
            "path": _share_on_right_path(judged),
            "countries": round(exactly_right / len(found), 4) if found else None,
        },
        "confusion": {label: {path: confusion[label, path] for path in PATHS} for label in PATHS},
        "countries": {
            "exactly right": exactly_right,
            "with one too many": sum(bool(one.countries - frozenset(one.query.countries)) for one in found),
            "with one missed": sum(bool(frozenset(one.query.countries) - one.countries) for one in found),
        },
        "stages": stages,
    }


def _share_on_right_path(judged: Sequence[Routed]) -> float | None:
    right = sum(one.path == one.query.route for one in judged)
    return round(right / len(judged), 4) if judged else None


def routing_table(answer: Mapping[str, Any]) -> str:
    """The figures for a person."""
    accuracy, lines = answer["accuracy"], [f"{answer['queries']} queries of {answer['file']}"]
    lines += [f"path {accuracy['path']}, countries exactly right {accuracy['countries']}"]
    lines += ["label \\ decision  " + "  ".join(f"{path:>8}" for path in PATHS)]
    for label, row in answer["confusion"].items():
        lines += [f"{label:17} " + "  ".join(f"{row[path]:>8}" for path in PATHS)]
    return "\n".join(lines)
