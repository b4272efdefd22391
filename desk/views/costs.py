"""Which model serves which role, whether its vendor's key is set, what failed last, and what the vendors cost.

Keys are never shown.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_GET

from curation.extraction import ROLE as EXTRACTOR
from curation.graph.candidates import ROLE as GRAPHER
from desk import conf
from desk.operations.charts import Series, draw_stacked_bars
from exams.examiner.assessor import ROLE as ASSESSOR
from exams.examiner.briefing import EXAMINER
from exams.oversight.sample_check import ROLE as SAMPLE_READER
from knowledge.models import ModelFailure
from knowledge.usage import Spent, spending_by, spent_between
from llm import registry
from rules.answers.llm_answer import ROLE as RULES
from rules.query.rewriting import ROLE as REWRITER
from rules.query.router import ROLE as ROUTER

from .operations import shared_library_operators_only

ROLES = {
    EXAMINER: "words questions and follow-ups",
    ASSESSOR: "judges answers",
    SAMPLE_READER: "reads a sample of statements with their sources",
    EXTRACTOR: "extracts claims from documents",
    GRAPHER: "proposes relations of the concept graph",
    RULES: "words answers of the rules desk",
    ROUTER: "decides what a rules question is about",
    REWRITER: "rewrites a rules question from its conversation",
}
VENDOR_KEYS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "COHERE_API_KEY")
COLORS = ("one", "two", "three", "four")
OTHERS = "others"


def roles_in_use() -> list[dict[str, Any]]:
    """Each role with its provider and model, and whether what it is given leaves this machine."""
    rows = []
    for role, what in ROLES.items():
        model = registry.chat_model(role)
        rows.append(
            {
                "role": role,
                "what": what,
                "provider": model.provider,
                "model": model.model,
                "external": model.external,
            }
        )
    vectors = registry.embedding_model()
    rows.append(
        {
            "role": "embedding",
            "what": "makes the vectors that searches use",
            "provider": vectors.provider,
            "model": vectors.name,
            "external": vectors.external,
        }
    )
    if reranker := registry.find_reranker():
        named = {"provider": reranker.name, "model": "", "external": reranker.external}
        rows.append({"role": "reranker", "what": "orders what a search found"} | named)
    return rows


@shared_library_operators_only
@require_GET
def costs_page(request: HttpRequest) -> HttpResponse:
    """Which model serves which role, and what the vendors' models cost in the last days."""
    today = timezone.now().date()
    first = today - timedelta(days=conf.COST_DAYS - 1)
    spent = spent_between(first, today)
    sums: dict[str, tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))
    by_model: dict[tuple[str, str], dict[str, Any]] = {}  # what each did for each purpose in all these days
    for one in spent:
        dollars, tokens = sums[one.model]
        sums[one.model] = (dollars + _dollars_of(one), tokens + _tokens_of(one))
        names = {"model": one.model, "purpose": one.purpose}
        new = {**names, "calls": 0, "input": 0, "output": 0, "cost": 0.0}
        row = by_model.setdefault((one.model, one.purpose), new)
        row["calls"] += one.calls
        row["input"] += one.input_tokens
        row["output"] += one.output_tokens
        row["cost"] = None if one.cost is None or row["cost"] is None else row["cost"] + one.cost
    models = sorted(sums, key=lambda name: sums[name], reverse=True)  # the most expensive first
    if len(models) > len(COLORS):
        models = [*models[: len(COLORS) - 1], OTHERS]
    context = {
        "section": "operations",
        "roles": roles_in_use(),
        "keys": [(name, bool(getattr(settings.ENV, name.lower()))) for name in VENDOR_KEYS],
        "failures": ModelFailure.objects.all()[: conf.FAILURES_SHOWN],
        "budgets": {
            "student": settings.MODEL_CALLS_PER_STUDENT,
            "school": settings.MODEL_CALLS_PER_SCHOOL,
        },
        "spending": [
            (title, spending_by(column, first, today, conf.SPENDERS_SHOWN))
            for title, column in (("By school", "tenant"), ("By student", "student"), ("By oral", "exam"))
        ],
        "first": first,
        "today": today,
        "models": list(zip(COLORS, models, strict=False)),
        "total": sum(one.cost or 0.0 for one in spent),
        "unknown": sorted({one.model for one in spent if one.cost is None}),
        "spent": spent,
        "by_model": sorted(
            by_model.values(), key=lambda row: (-(row["cost"] or 0.0), row["model"], row["purpose"])
        ),
        "dollars": _cost_chart(spent, models, first, "US dollars of each day by model", _dollars_of),
        "tokens": _cost_chart(spent, models, first, "Tokens of each day by model", _tokens_of),
    }
    return render(request, "operations/costs.html", context)


def _dollars_of(one: Spent) -> float:
    return one.cost or 0.0


def _tokens_of(one: Spent) -> float:
    return one.input_tokens + one.output_tokens


def _cost_chart(
    spent: Sequence[Spent], models: Sequence[str], first: date, title: str, measure: Callable[[Spent], float]
) -> SafeString:
    days = [first + timedelta(days=after) for after in range(conf.COST_DAYS)]
    sums: dict[tuple[str, date], float] = defaultdict(float)
    for one in spent:
        sums[one.model if one.model in models else OTHERS, one.day] += measure(one)
    series = [
        Series(name, color, tuple(sums[name, day] for day in days))
        for color, name in zip(COLORS, models, strict=False)
    ]
    svg = draw_stacked_bars(title, [f"{day.day} {day:%b}" for day in days], series)
    return mark_safe(svg)  # desk.operations.charts escapes every text
