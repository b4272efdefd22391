"""The search laboratory: any question, each leg's ranks, what the filters did, and why a passage was not found."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_GET

from desk.conf import LABORATORY_COST
from desk.operations.laboratory import NotExpected, drawing, expected_passage, filters_in_words, gate_words
from exams.examiner.search_arm import arm_of_exams
from knowledge.access.people import school_for
from knowledge.access.throttling import costs
from knowledge.documents.queries import documents_for
from knowledge.models import Chunk
from knowledge.models.documents import DocType
from knowledge.models.tenancy import Role
from knowledge.retrieval.explain import explain, why_not
from knowledge.retrieval.request import BadSearch, request_from
from knowledge.retrieval.results import label_of_chunk
from knowledge.retrieval.values import ARMS, SearchRequest
from knowledge.standards.elements import UnknownElement
from llm.errors import ModelError

from .operations import operators_only

FIELDS = ("q", "element", "question", "answer", "type", "abbreviation", "k", "arm", "expected")
KEPT = 4000  # characters of a refused text that are shown again


def _cost(request: HttpRequest) -> int:
    return LABORATORY_COST if any(request.GET.get(name, "").strip() for name in FIELDS) else 0


@operators_only
@require_GET
@costs(_cost)
def index(request: HttpRequest) -> HttpResponse:
    given = {name: request.GET.get(name, "") for name in FIELDS}
    context: dict[str, Any] = {
        "section": "operations",
        "given": {name: value[:KEPT] for name, value in given.items()},
        "doc_types": DocType.choices,
        "arms": ARMS,
        "school": school_for(request, Role.OPERATOR),
    }
    asked = any(value.strip() for value in given.values())
    return render(
        request, "operations/laboratory.html", {**context, **(_answer(request, given) if asked else {})}
    )


def _answer(request: HttpRequest, given: dict[str, str]) -> dict[str, Any]:
    """What was found, or the one line that says why nothing was looked for."""
    school = school_for(request, Role.OPERATOR)
    try:
        wanted = request_from({**given, "arm": given["arm"] or arm_of_exams()}, school.pk if school else None)
        found = explain(wanted)
        answer = {
            "found": found,
            "drawing": mark_safe(drawing(found)),  # desk.operations.charts escapes every text
            "gate": gate_words(found),
            "filters": filters_in_words(found.filters),
            "inferred": filters_in_words(found.inferred),
            "first_try": filters_in_words(found.first_try.filters) if found.first_try else "",
            "words": [" / ".join(term.wordings) for term in found.terms],
        }
    except (BadSearch, UnknownElement, ModelError) as error:
        return {"problem": str(error)}
    return {**answer, **_expected(request, wanted, given["expected"])}


def _expected(request: HttpRequest, wanted: SearchRequest, typed: str) -> dict[str, Any]:
    if not typed.strip():
        return {}
    readable = Chunk.every.select_related("document").filter(document__in=documents_for(request.user))
    try:
        chunk = expected_passage(typed.replace("\0", " "), readable)
    except NotExpected as error:
        return {"expected_problem": str(error)}
    return {"expected": why_not(wanted, chunk), "expected_label": label_of_chunk(chunk)}
