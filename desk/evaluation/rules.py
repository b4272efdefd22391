"""Evaluate the rules desk on labeled queries: what it finds, the path it chooses, the countries it recognizes.

Every query goes through the product as a person's message does: countries come from the conversation, not from the
label. precision@5 is the share of min(5, expected) among the first five, so that it can reach 1; hit@1 says whether the
first one is expected. Queries that expect nothing count for path and countries alone.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any

from rules.answers.answer import question_for
from rules.models import RuleQuestion
from rules.query.router import route
from rules.search.search import Arm, RulesSearch, TooManyCountries, find_rules

from .labeled_files import BadFile, Tick, ignore_progress, read_rows, ticked
from .measures import median_and_p95, rounded_mean
from .rule_queries import RuleQuery

FIRST = 5  # places of a ranking that count


@dataclass(frozen=True, slots=True)
class Judged:
    """The desk's result for one query. `found` are keys, best first; None if the query expects none."""

    query: RuleQuery
    path: str
    countries: tuple[str, ...]
    missing: tuple[str, ...]
    found: tuple[str, ...] | None
    milliseconds: float


def evaluate_rules(path: Path, tick: Tick = ignore_progress) -> dict[str, Any]:
    """CONTRACT's shape of `manage.py evaluate rules --json`. Raises BadFile and NoRules."""
    queries = read_rows(path, RuleQuery)
    check_questions(queries)
    judged = judge_queries(queries, tick=tick)
    return {"file": path.name, "sha256": sha256(path.read_bytes()).hexdigest(), **rules_figures(judged)}


def check_questions(queries: Sequence[RuleQuery]) -> None:
    """Raises BadFile if a query expects a question that is not loaded."""
    known = set(RuleQuestion.objects.filter(tenant__isnull=True).values_list("key", flat=True))
    for number, query in enumerate(queries, 1):
        for key in query.questions:
            if key not in known:
                raise BadFile(
                    f"query {number} expects a question that is not loaded ({key[:60]!r}):"
                    " load its rules with manage.py load_rules PATH.json"
                )


def judge_queries(
    queries: Sequence[RuleQuery],
    *,
    arm: Arm = "hybrid",
    tick: Tick = ignore_progress,
) -> list[Judged]:
    """Ask the desk each query, with `arm`."""
    judged = []
    for query in ticked(queries, tick):
        started = perf_counter()
        decision = route([*query.history, query.query])
        question = question_for(query.query, query.history, decision.path)
        found: tuple[str, ...] = ()
        missing: tuple[str, ...] = ()
        with suppress(TooManyCountries):
            response = find_rules(
                RulesSearch(question=question, countries=decision.countries, k=FIRST, arm=arm)
            )
            found = tuple(one.key for one in response.results)
            missing = tuple(sorted(response.missing_countries))
        judged.append(
            Judged(
                query=query,
                path=decision.path,
                countries=tuple(sorted(decision.countries)),
                missing=missing,
                found=found if query.questions else None,
                milliseconds=(perf_counter() - started) * 1000,
            )
        )
    return judged


def rules_figures(judged: Sequence[Judged]) -> dict[str, Any]:
    """Means over the queries that a figure applies to; None if there are none."""
    expected = [one for one in judged if one.found is not None]
    routed = [one for one in judged if one.query.route is not None]
    p50, p95 = median_and_p95([one.milliseconds for one in judged])
    return {
        "queries": len(judged),
        "queries_with_questions": len(expected),
        "precision@5": rounded_mean(precision_at_5(one) for one in expected),
        "hit@1": rounded_mean(
            float(bool(set((one.found or ())[:1]) & {*one.query.questions})) for one in expected
        ),
        "routing_accuracy": rounded_mean(float(one.path == one.query.route) for one in routed),
        "country_accuracy": rounded_mean(
            float(one.countries == tuple(sorted(one.query.countries))) for one in judged
        ),
        "missing_accuracy": rounded_mean(
            float(one.missing == tuple(sorted(one.query.missing_countries)))
            for one in judged
            if one.query.missing_countries is not None
        ),
        "p50_ms": p50,
        "p95_ms": p95,
    }


def precision_at_5(one: Judged) -> float:
    """Of the first five, and of no more than can be right."""
    expected = set(one.query.questions)
    return len(expected & set((one.found or ())[:FIRST])) / min(FIRST, len(expected))


def rules_line(answer: Mapping[str, Any]) -> str:
    """The figures for a person."""
    names = ("precision@5", "hit@1", "routing_accuracy", "country_accuracy", "missing_accuracy")
    shown = [f"{name} {answer[name]}" for name in names if answer[name] is not None]
    queries = f"{answer['queries']} queries ({answer['queries_with_questions']} with questions)"
    return "  ".join([queries, *shown])
