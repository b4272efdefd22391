"""Labelled queries become figures of the router: the way it chooses, the countries it hears, and where it is wrong.

Each query goes through the product's own router with its history. A set of countries counts when it is exactly right.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from rules.query.router import QueryRouter

from .rule_queries import RuleQuery, read_rule_queries

PATHS = ("rules", "database", "both")

Tick = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Routed:
    """A query and what the router made of it."""

    query: RuleQuery
    path: str
    countries: frozenset[str]
    stage: str


def _silent(done: int, of: int) -> None:
    pass


def evaluate_routing(path: Path, tick: Tick = _silent) -> dict[str, Any]:
    """CONTRACT's shape of `manage.py evaluate routing --json`. Raises BadQueries."""
    queries = read_rule_queries(path)
    return {
        "file": path.name,
        "sha256": sha256(path.read_bytes()).hexdigest(),
        **figures(routed(queries, QueryRouter(), tick)),
    }


def routed(queries: Sequence[RuleQuery], router: QueryRouter, tick: Tick = _silent) -> list[Routed]:
    found = []
    for done, query in enumerate(queries):
        tick(done, len(queries))
        decision = router.route([*query.history, query.query])
        found.append(Routed(query, decision.path, frozenset(decision.countries), decision.stage))
    tick(len(queries), len(queries))
    return found


def figures(found: Sequence[Routed]) -> dict[str, Any]:
    """Shares from 0 to 1; None where no query has such a label. A row of the confusion is a label, a
    column a decision."""
    judged = [one for one in found if one.query.route is not None]
    right = [one for one in found if one.countries == frozenset(one.query.countries)]
    return {
        "queries": len(found),
        "accuracy": {
            "path": _share(sum(one.path == one.query.route for one in judged), len(judged)),
            "countries": _share(len(right), len(found)),
        },
        "confusion": _confusion(judged),
        "countries": {
            "exactly right": len(right),
            "with one too many": sum(bool(one.countries - frozenset(one.query.countries)) for one in found),
            "with one missed": sum(bool(frozenset(one.query.countries) - one.countries) for one in found),
        },
        "stages": _stages(judged),
    }


def _confusion(judged: Sequence[Routed]) -> dict[str, dict[str, int]]:
    counted = Counter((str(one.query.route), one.path) for one in judged)
    return {label: {path: counted[label, path] for path in PATHS} for label in PATHS}


def _stages(judged: Sequence[Routed]) -> dict[str, dict[str, Any]]:
    """How many queries each stage decides, and how many of them rightly."""
    stages: dict[str, dict[str, Any]] = {}
    for stage in ("keyword", "model"):
        some = [one for one in judged if one.stage == stage]
        right = sum(one.path == one.query.route for one in some)
        stages[stage] = {"queries": len(some), "right": _share(right, len(some))}
    return stages


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def shown(answer: Mapping[str, Any]) -> str:
    """The figures for a person."""
    accuracy, lines = answer["accuracy"], [f"{answer['queries']} queries of {answer['file']}"]
    lines += [f"path {accuracy['path']}, countries exactly right {accuracy['countries']}"]
    lines += ["label \\ decision  " + "  ".join(f"{path:>8}" for path in PATHS)]
    for label, row in answer["confusion"].items():
        lines += [f"{label:17} " + "  ".join(f"{row[path]:>8}" for path in PATHS)]
    return "\n".join(lines)
