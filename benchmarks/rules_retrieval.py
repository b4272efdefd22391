"""What the rules desk finds for labeled queries, what its parts add, how long an answer takes, and what a model reads.

`python -m benchmarks.rules_retrieval` prints one JSON document. `../shared/data/rules/rules.json` is loaded into a
scratch database as `manage.py load_rules` does it. The 340 held-out queries of tests/data/rules go through the
product as `manage.py evaluate rules` does it: with their history, countries as the product hears them. precision@5 is
the share of min(5, expected) among the first five; hit@1 whether the first is expected. "without the dictionary" adds
no words of rules to the question; "meaning alone" and "words alone" are the two halves of the score. "development"
are the paraphrases that the dictionary and the weights were made with, so that the distance to the held-out queries
can be seen. Times are of the whole answer, routing included, offline; "20 at once" are 20 threads. Tokens are of the
prompt that a model would get, counted as the product counts them. The upstream cases have no labels, so only
the verdicts are reported.
"""

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from hashlib import sha256
from io import StringIO
from pathlib import Path
from statistics import mean, quantiles
from time import perf_counter
from typing import Any

import django
from django.core.management import call_command
from django.db import connection
from django.test.utils import override_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
django.setup()

from benchmarks.scratch import scratch_database  # noqa: E402 - models need Django set up
from desk.evaluation.labeled_files import read_rows  # noqa: E402
from desk.evaluation.rule_queries import RuleQuery  # noqa: E402
from desk.evaluation.rules import check_questions, judge_queries, rules_figures  # noqa: E402
from llm.registry import embedding_model  # noqa: E402
from rules import conf  # noqa: E402
from rules.answers.answer import RulesAnswered, RulesAsked, answer_rules  # noqa: E402
from rules.answers.compare import RulesComparison, compare_rules  # noqa: E402
from rules.answers.llm_answer import prompt_within  # noqa: E402
from rules.answers.verify import Rule  # noqa: E402
from rules.query.query_preparation import question_asked  # noqa: E402
from rules.query.router import route  # noqa: E402
from rules.search.search import RulesSearch, TooManyCountries, find_rules  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
QUERIES = ROOT / "tests" / "data" / "rules" / "queries.jsonl"
DEVELOPMENT = ROOT / "tests" / "data" / "rules" / "development_questions.jsonl"
RULES = ROOT.parent / "shared" / "data" / "rules"
AT_ONCE = 20
KEPT = ("precision@5", "hit@1")


def measure() -> dict[str, Any]:
    with scratch_database():
        call_command("load_rules", str(RULES / "rules.json"), "--json", stdout=StringIO())
        return measured(read_rows(QUERIES, RuleQuery), read_rows(DEVELOPMENT, RuleQuery))


def measured(queries: Sequence[RuleQuery], development: Sequence[RuleQuery]) -> dict[str, Any]:
    check_questions(queries)
    check_questions(development)
    embedding_model().embed_query("warm up")
    answers, times = _answers(queries)
    return {
        "what": "held-out queries asked of the whole desk, and of each part alone",
        "queries": len(queries),
        "sha256": sha256(QUERIES.read_bytes()).hexdigest(),
        "whole desk": rules_figures(judge_queries(queries)),
        "without the dictionary": _without_dictionary(queries),
        "meaning alone": _kept(rules_figures(judge_queries(queries, arm="vector"))),
        "words alone": _kept(rules_figures(judge_queries(queries, arm="lexical"))),
        "development": {"queries": len(development), **_kept(rules_figures(judge_queries(development)))},
        "an answer, ms": {"one at once": _times(times), f"{AT_ONCE} at once": _times(_many_at_once(queries))},
        "prompt tokens": _tokens(answers),
        "upstream cases": _upstream(),
    }


def _kept(found: dict[str, Any]) -> dict[str, Any]:
    return {name: found[name] for name in KEPT}


def _without_dictionary(queries: Sequence[RuleQuery]) -> dict[str, Any]:
    with override_settings(RULES={"query_reformulation": {"enabled": False}}):
        return _kept(rules_figures(judge_queries(queries)))


def _answer(query: RuleQuery) -> RulesAnswered | None:
    decision = route([*query.history, query.query])
    asked = RulesAsked(
        message=query.query,
        history=query.history,
        path=decision.path,
        countries=decision.countries,
        compares=decision.scope.compares,
    )
    try:
        return answer_rules(asked)
    except TooManyCountries:
        return None


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    started = perf_counter()
    done = work()
    return done, (perf_counter() - started) * 1000


def _answers(queries: Sequence[RuleQuery]) -> tuple[list[RulesAnswered], list[float]]:
    done = [_timed(lambda query=query: _answer(query)) for query in queries]  # type: ignore[misc]
    return [answer for answer, _ in done if answer], [took for _, took in done]


def _many_at_once(queries: Sequence[RuleQuery]) -> list[float]:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(_timed_alone, queries))


def _timed_alone(query: RuleQuery) -> float:
    with _own_connection():
        return _timed(lambda: _answer(query))[1]


@contextmanager
def _own_connection() -> Iterator[None]:
    """Each answer gives its connection back, as a request does."""
    try:
        yield
    finally:
        connection.close()


def _times(times: Sequence[float]) -> dict[str, float]:
    cuts = quantiles(times, n=20)
    return {"p50": round(cuts[9]), "p95": round(cuts[18])}


def _tokens(answers: Sequence[RulesAnswered]) -> dict[str, Any]:
    """Of the prompts that a model would get for these answers, the margin for its own tokenizer included."""
    counter = embedding_model()
    counts = []
    for answer in answers:
        rules = [
            Rule(n=one.n, country=one.country, question=one.question, text=one.quote, links=one.links)
            for one in answer.citations
        ]
        if rules and answer.countries and not answer.compared:
            prompt, _ = prompt_within(answer.question, rules, answer.countries, (), counter)
            counts.append(round(counter.count_tokens(prompt.text) * conf.TOKEN_MARGIN))
    return {"prompts": len(counts), "mean": round(mean(counts)), "most": max(counts)}


def _upstream() -> dict[str, Any]:
    asked = json.loads((RULES / "eval" / "rag_test_cases.json").read_text("utf-8"))
    searches = [
        RulesSearch(question=question_asked(one["query"]), countries=(one["country"],)) for one in asked
    ]
    verdicts = Counter(find_rules(search).quality for search in searches)
    compared = json.loads((RULES / "eval" / "comparison_test_cases.json").read_text("utf-8"))
    found = [
        compare_rules(RulesComparison(countries=tuple(one["countries"]), tags=tuple(one["tags"])))
        for one in compared
    ]
    return {
        "searches": len(searches),
        "verdicts": dict(verdicts),
        "comparisons": len(found),
        "questions compared": sum(one.compared for one in found),
        "differences": sum(len(one.differences) for one in found),
    }


if __name__ == "__main__":
    json.dump(measure(), sys.stdout)
