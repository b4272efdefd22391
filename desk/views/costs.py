"""Which model serves which role, whether its vendor's key is set, what failed last, and what the vendors cost.

Keys are never shown. An operator of one school sees what that school spent, and nothing else.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Q
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
from exams.models import Exam
from exams.oversight.sample_check import ROLE as SAMPLE_READER
from knowledge.access.people import acts_for, may_act_for
from knowledge.models import ModelFailure, Tenant
from knowledge.models.tenancy import Role
from knowledge.usage import Spent, spending_by, spent_between, used_up_today
from llm import registry
from rules.answers.llm_answer import ROLE as RULES
from rules.query.rewriting import ROLE as REWRITER
from rules.query.router import ROLE as ROUTER

from .operations import operators_only

ROLES = {
    EXAMINER: ("examiner", "words questions and follow-ups"),
    ASSESSOR: ("assessor", "judges answers"),
    SAMPLE_READER: ("reader of the sample", "reads a sample of statements with their sources"),
    EXTRACTOR: ("extraction of claims", "extracts claims from documents"),
    GRAPHER: ("relations", "proposes relations of the concept graph"),
    RULES: ("rules desk", "words answers of the rules desk"),
    ROUTER: ("routing of rules questions", "decides what a rules question is about"),
    REWRITER: ("rewriting of rules questions", "rewrites a rules question from its conversation"),
}
VENDOR_KEYS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "COHERE_API_KEY")
ORALS = {
    "full": "full oral",
    "mock": "mock oral",
    "area": "chosen Areas",
    "weak": "weak elements",
    "drill": "drill",
}
COLORS = ("one", "two", "three", "four")
OTHERS = "others"


def roles_in_use() -> list[dict[str, Any]]:
    """Each role with its provider and model, and whether what it is given leaves this machine."""
    rows = []
    for role, (name, what) in ROLES.items():
        model = registry.chat_model(role)
        rows.append(
            {
                "role": name,
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
        named = {
            "provider": "vendor" if reranker.external else "local",
            "model": reranker.name.rpartition(":")[2],
            "external": reranker.external,
        }
        rows.append({"role": "reranker", "what": "orders what a search found", **named})
    return rows


@operators_only
@require_GET
def costs_page(request: HttpRequest) -> HttpResponse:
    """What the vendors' models cost in the last days: all of it, and which model serves which role, for an operator of
    the shared library; what the own schools spent for any other."""
    today = timezone.now().date()
    first = today - timedelta(days=conf.COST_DAYS - 1)
    house = may_act_for(request.user, Role.OPERATOR, None)
    own = acts_for(request.user, Role.OPERATOR, field="pk")
    context = {
        "section": "operations",
        "house": house,
        "budgets": {
            "student": settings.MODEL_CALLS_PER_STUDENT,
            "school": settings.MODEL_CALLS_PER_SCHOOL,
            "own": Tenant.objects.filter(Q() if house else own).exclude(model_calls=None),
            "used_up": used_up_today(Q() if house else own),
        },
        "spending": _spending(first, today, Q() if house else acts_for(request.user, Role.OPERATOR)),
        "first": first,
        "today": today,
    }
    return render(
        request, "operations/costs.html", context | (_costs_of_the_house(first, today) if house else {})
    )


def _spending(first: date, last: date, whose: Q) -> list[tuple[str, list[dict[str, Any]]]]:
    """The tables of who spent most, without the empty ones. An oral has the name of its student, its mode and its
    day."""
    by = {
        title: spending_by(column, first, last, conf.SPENDERS_SHOWN, whose)
        for title, column in (("By school", "tenant"), ("By student", "student"), ("By oral", "exam"))
    }
    found = Exam.objects.select_related("student").in_bulk([row["exam"] for row in by["By oral"]])
    for row in by["By oral"]:
        exam = found.get(row["exam"])
        row["shown"] = (
            f"{exam.student}, {ORALS[exam.mode]}, {exam.created_at:%b} {exam.created_at.day}, {exam.created_at.year}"
            if exam
            else "an oral that its student deleted"
        )
    days = sorted(
        spending_by("day", first, last, conf.COST_DAYS, whose), key=lambda row: row["day"], reverse=True
    )
    by["By day"] = [{**row, "shown": f"{row['day']:%b} {row['day'].day}"} for row in days]
    return [(title, rows) for title, rows in by.items() if rows]


def _costs_of_the_house(first: date, today: date) -> dict[str, Any]:
    spent = [replace(one, purpose=_role_named(one.purpose)) for one in spent_between(first, today)]
    failures = list(ModelFailure.objects.all()[: conf.FAILURES_SHOWN])
    for failure in failures:
        failure.purpose = _role_named(failure.purpose)
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
    return {
        "roles": roles_in_use(),
        "keys": [(name, bool(getattr(settings.ENV, name.lower()))) for name in VENDOR_KEYS],
        "failures": failures,
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


def _role_named(purpose: str) -> str:
    return ROLES[purpose][0] if purpose in ROLES else purpose


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
