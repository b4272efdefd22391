"""Labelled queries become figures of the rules desk: what is found, the way chosen, the countries heard.

Every query goes through the product as a person's message does: countries come from the conversation and not from the
label. precision@5 is the share of min(5, expected) that stands among the first five, so that it can reach 1; hit@1 says
whether the first one is expected at all. Queries for which nothing is expected count for way and countries alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from statistics import mean, quantiles
from time import perf_counter
from typing import Any

from llm.interfaces import EmbeddingModel
from rules.answers.answer import question_for
from rules.models import RuleQuestion
from rules.query.router import route
from rules.search.search import Arm, RulesSearch, TooManyCountries, find_rules

from .rule_queries import BadQueries, RuleQuery, read_rule_queries

FIRST = 5  # places of a ranking that count

Tick = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Judged:
    """What the desk made of one query. `found` are keys, best first; None where nothing was to be found."""

    query: RuleQuery
    path: str
    countries: tuple[str, ...]
    missing: tuple[str, ...]
    found: tuple[str, ...] | None
    milliseconds: float


def _silent(done: int, of: int) -> None:
    pass


def evaluate_rules(path: Path, tick: Tick = _silent) -> dict[str, Any]:
    """CONTRACT's shape of `manage.py evaluate rules --json`. Raises BadQueries and NoRules."""
    queries = read_rule_queries(path)
    check_questions(queries)
    judged = judge(queries, tick=tick)
    return {"file": path.name, "sha256": sha256(path.read_bytes()).hexdigest(), **figures(judged)}


def check_questions(queries: Sequence[RuleQuery]) -> None:
    """Every question that is expected has been loaded. Raises BadQueries."""
    known = set(RuleQuestion.objects.filter(tenant__isnull=True).values_list("key", flat=True))
    for number, query in enumerate(queries, 1):
        for key in query.questions:
            if key not in known:
                raise BadQueries(
                    f"query {number} expects a question that is not loaded ({key[:60]!r}):"
                    " load the rules that it speaks of with manage.py load_rules PATH.json"
                )


def judge(
    queries: Sequence[RuleQuery],
    *,
    model: EmbeddingModel | None = None,
    arm: Arm = "hybrid",
    tick: Tick = _silent,
) -> list[Judged]:
    judged = []
    for done, query in enumerate(queries):
        tick(done, len(queries))
        judged.append(_judged(query, model, arm))
    tick(len(queries), len(queries))
    return judged


def _judged(query: RuleQuery, model: EmbeddingModel | None, arm: Arm) -> Judged:
    started = perf_counter()
    decision = route([*query.history, query.query])
    question = question_for(query.query, query.history, decision.path)
    found, missing = _found(question, decision.countries, model, arm)
    return Judged(
        query=query,
        path=decision.path,
        countries=tuple(sorted(decision.countries)),
        missing=missing,
        found=found if query.questions else None,
        milliseconds=(perf_counter() - started) * 1000,
    )


def _found(
    question: str, countries: tuple[str, ...], model: EmbeddingModel | None, arm: Arm
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Keys of what was found, and countries without any rule. More countries than the desk takes find nothing."""
    asked = RulesSearch(question=question, countries=countries, k=FIRST, arm=arm)
    try:
        response = find_rules(asked, model)
    except TooManyCountries:
        return (), ()
    return tuple(one.key for one in response.results), tuple(sorted(response.missing_countries))


def figures(judged: Sequence[Judged]) -> dict[str, Any]:
    """Means over the queries that a figure is about; None where there is no such query."""
    expected = [one for one in judged if one.found is not None]
    routed = [one for one in judged if one.query.route is not None]
    told = [one for one in judged if one.query.missing_countries is not None]
    times = sorted(one.milliseconds for one in judged)
    cuts = quantiles(times, n=20) if len(times) > 1 else times * 19
    return {
        "queries": len(judged),
        "queries_with_questions": len(expected),
        "precision@5": _mean([precision_at_5(one) for one in expected]),
        "hit@1": _mean(
            [
                float(bool(one.found) and one.found[0] in one.query.questions)
                for one in expected
                if one.found is not None
            ]
        ),
        "routing_accuracy": _mean([float(one.path == one.query.route) for one in routed]),
        "country_accuracy": _mean(
            [float(one.countries == tuple(sorted(one.query.countries))) for one in judged]
        ),
        "missing_accuracy": _mean(
            [float(one.missing == tuple(sorted(one.query.missing_countries or ()))) for one in told]
        ),
        "p50_ms": round(cuts[9], 1),
        "p95_ms": round(cuts[18], 1),
    }


def precision_at_5(one: Judged) -> float:
    """Of the first five, and of no more than can be right."""
    expected = set(one.query.questions)
    return len(expected & set((one.found or ())[:FIRST])) / min(FIRST, len(expected))


def _mean(values: Sequence[float]) -> float | None:
    return round(mean(values), 4) if values else None


def in_one_line(answer: Mapping[str, Any]) -> str:
    """The figures for a person."""
    names = ("precision@5", "hit@1", "routing_accuracy", "country_accuracy", "missing_accuracy")
    shown = [f"{name} {answer[name]}" for name in names if answer[name] is not None]
    return "  ".join(
        [f"{answer['queries']} queries ({answer['queries_with_questions']} with questions)", *shown]
    )
