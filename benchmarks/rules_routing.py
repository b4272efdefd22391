"""The router's decisions, rules or database and which countries, compared with people's labels.

`python -m benchmarks.rules_routing` prints one JSON document. "held out" is tests/data/rules/queries.jsonl, written
before the router and without its code in view; its rows were never used to improve it (decision 17 used its totals
to reject a library). "development" is the set that the router was developed on, so its figures say little. Each has
its hash. It runs offline: the words decide, and the local classifier where they are not clear.
"upstream" are the cases of ../shared/data/rules/eval, where it is there: a tool for airports is a database, one for
rules is rules, and the countries are those that a case names for its tool. A row of a confusion is the label, a column
the decision.
"""

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import quantiles
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
django.setup()

from desk.evaluation.labeled_files import read_rows  # noqa: E402
from desk.evaluation.routing import evaluate_routing  # noqa: E402 - models need Django set up
from desk.evaluation.rule_queries import RuleQuery  # noqa: E402
from rules.query.router import QueryRouter  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
SETS = {"held out": "queries.jsonl", "development": "development.jsonl"}
UPSTREAM = ROOT.parent / "shared" / "data" / "rules" / "eval"
TOOLS_OF_RULES = frozenset(
    {"answer_rules_question", "browse_rules", "compare_rules_between_countries", "regulatory_search"}
)


def measure() -> dict[str, Any]:
    folder = ROOT / "tests" / "data" / "rules"
    found: dict[str, Any] = {name: evaluate_routing(folder / file) for name, file in SETS.items()}
    found["milliseconds a question"] = times(
        [one.query for one in read_rows(folder / SETS["held out"], RuleQuery)]
    )
    if UPSTREAM.is_dir():
        found["upstream"] = {path.stem: upstream(path) for path in sorted(UPSTREAM.glob("*.json"))}
    return found


def times(queries: Sequence[str]) -> dict[str, float]:
    """Of routing each of them alone, once everything is loaded."""
    router, taken = QueryRouter(), []
    for query in queries:
        started = time.perf_counter()
        router.route([query])
        taken.append((time.perf_counter() - started) * 1000)
    cuts = quantiles(taken, n=20)
    return {"p50": round(cuts[9], 1), "p95": round(cuts[18], 1)}


def upstream(path: Path) -> dict[str, Any]:
    """Shares of the cases of one file whose path, and whose countries where it has them, are as it says."""
    router, counted = QueryRouter(), Counter[str]()
    for query, label, countries in cases(json.loads(path.read_text("utf-8"))):
        decision = router.route([query])
        counted.update(cases=1, path=decision.path == label)
        if countries:
            counted.update(with_countries=1, countries=set(decision.countries) == set(countries))
    said: dict[str, Any] = {"cases": counted["cases"], "path": round(counted["path"] / counted["cases"], 4)}
    if counted["with_countries"]:
        said |= {
            "cases with countries": counted["with_countries"],
            "countries": round(counted["countries"] / counted["with_countries"], 4),
        }
    return said


def cases(rows: Sequence[dict[str, Any]]) -> Iterator[tuple[str, str, list[str]]]:
    """The question, the path and the countries of each case, in whichever of the files' forms."""
    for row in rows:
        query = row.get("question") or row.get("query") or (row.get("inputs") or {}).get("query")
        query = query or (row.get("description") if "tags" in row else None)
        if not query:
            continue
        tool = row.get("expected_tool") or (row.get("expected") or {}).get("tool") or "answer_rules_question"
        named = {**row, **(row.get("expected_arguments") or {})} if tool in TOOLS_OF_RULES else {}
        code = named.get("country_code") or named.get("country")
        countries = named.get("countries") or ([code] if code else [])
        yield query, "rules" if tool in TOOLS_OF_RULES else "database", countries


def main() -> None:
    json.dump({"what": "one run, offline", **measure()}, sys.stdout)


if __name__ == "__main__":
    main()
