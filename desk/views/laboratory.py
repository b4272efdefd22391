"""The search laboratory: any query, each leg's ranks, what the filters did, and why a passage was not found."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_GET

from desk.conf import LABORATORY_COST
from desk.operations.charts import Path, draw_slopes, shorten
from exams.examiner.briefing import arm_of_exams
from knowledge.access.people import school_for
from knowledge.access.throttling import charge_page
from knowledge.documents.queries import documents_for
from knowledge.models import Chunk
from knowledge.models.documents import DocType
from knowledge.models.tenancy import Role
from knowledge.retrieval.explain import Explanation, Place, explain_missing, explain_search
from knowledge.retrieval.query.builder import Term
from knowledge.retrieval.request import BadSearch, request_from
from knowledge.retrieval.results import label_of_chunk
from knowledge.retrieval.values import ARMS
from knowledge.standards.elements import UnknownElement
from llm.errors import ModelError

from .operations import operators_only

FIELDS = ("q", "element", "question", "answer", "type", "abbreviation", "serves", "k", "arm", "expected")
KEPT = 4000  # characters of a refused text that are shown again
COLUMNS = ("meaning", "words", "together", "read again", "given")
DRAWN = 12  # passages whose ranks are drawn
FILTER_NAMES = {
    "doc_types": "kind",
    "sections": "section",
    "abbreviation": "document",
    "task": "Task",
    "serves": "element served",
}
UUID_PATTERN = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)


class NotExpected(LookupError):
    """The text does not identify a passage; the message says what would."""


def laboratory_cost(request: HttpRequest) -> int:
    return LABORATORY_COST if any(request.GET.get(name, "").strip() for name in FIELDS) else 0


@operators_only
@require_GET
@charge_page(laboratory_cost)
def laboratory_page(request: HttpRequest) -> HttpResponse:
    given = {name: request.GET.get(name, "") for name in FIELDS}
    context: dict[str, Any] = {
        "section": "operations",
        "given": {name: value[:KEPT] for name, value in given.items()},
        "doc_types": DocType.choices,
        "arms": ARMS,
        "school": school_for(request, Role.OPERATOR),
    }
    if any(value.strip() for value in given.values()):
        context |= _search_context(request, given)
    return render(request, "operations/laboratory.html", context)


def _search_context(request: HttpRequest, given: dict[str, str]) -> dict[str, Any]:
    """What was found, or the one line that says why there was no search."""
    school = school_for(request, Role.OPERATOR)
    try:
        wanted = request_from({**given, "arm": given["arm"] or arm_of_exams()}, school.pk if school else None)
        found = explain_search(wanted)
    except (BadSearch, UnknownElement, ModelError) as error:
        return {"problem": str(error)}
    neighbors = neighbors_of(found)
    context = {
        "found": found,
        "drawing": mark_safe(draw_ranks(found)),  # desk.operations.charts escapes every text
        "gate": verdict_text(found),
        "filters": filters_text(found.filters),
        "inferred": filters_text(found.inferred),
        "first_try": filters_text(found.first_try.filters) if found.first_try else "",
        "words": [" / ".join(term.wordings) for term in found.terms],
        "rows": [(row, neighbors.get(row.found.chunk_id, [])) for row in found.rows],
    }
    if not given["expected"].strip():
        return context
    readable = Chunk.every.select_related("document").filter(document__in=documents_for(request.user))
    try:
        chunk = expected_passage(given["expected"].replace("\0", " "), readable)
    except NotExpected as error:
        return {**context, "expected_problem": str(error)}
    return {**context, "expected": explain_missing(wanted, chunk), "expected_label": label_of_chunk(chunk)}


def expected_passage(typed: str, readable: QuerySet[Chunk]) -> Chunk:
    """By its id or its address in the library, else by its section number. Raises NotExpected."""
    found = UUID_PATTERN.search(typed)
    if found:
        chunk = readable.filter(pk=UUID(found[0])).first()
        if chunk is None:
            raise NotExpected("There is no such passage in your library.")
        return chunk
    section = typed.strip().lstrip("§").strip()
    chunk = (
        readable.filter(section=section[:40], retired_at=None).order_by("document__status", "index").last()
    )
    if chunk is None:
        raise NotExpected(
            "No passage has this address or section. Open it in the library and copy its address, or give a section"
            " number like 91.155."
        )
    return chunk


@dataclass(frozen=True, slots=True)
class Neighbor:
    """A passage beside one that was found. `adds` are words of the query that it has and the other lacks; `splits` if
    only the two together have all of them: the answer is split across two passages."""

    chunk: Chunk
    side: str
    adds: tuple[str, ...]
    splits: bool


def neighbors_of(explanation: Explanation) -> dict[UUID, list[Neighbor]]:
    """The passage before and the one after each that was found, in two queries."""
    texts = {row.found.chunk_id: row.found.text for row in explanation.rows}
    places = {
        (document, index): pk
        for pk, document, index in Chunk.objects.filter(pk__in=texts).values_list("pk", "document", "index")
    }
    if not places:
        return {}
    beside = [Q(document=document, index__in=(index - 1, index + 1)) for document, index in places]
    found: dict[UUID, list[Neighbor]] = defaultdict(list)
    for chunk in Chunk.objects.filter(reduce(or_, beside)).select_related("document").order_by("index"):
        for side, index in (("before", chunk.index + 1), ("after", chunk.index - 1)):
            pk = places.get((chunk.document_id, index))
            if pk is not None:
                adds, splits = compare_words(explanation.terms, texts[pk], chunk.text)
                found[pk].append(Neighbor(chunk, side, adds, splits))
    return found


def compare_words(terms: Sequence[Term], text: str, beside: str) -> tuple[tuple[str, ...], bool]:
    """The words that `beside` adds to `text`, and whether only both together have all of them."""

    def words_in(passage: str) -> set[str]:
        plain = passage.lower()
        return {term.wordings[0] for term in terms if any(wording in plain for wording in term.wordings)}

    every, own, other = {term.wordings[0] for term in terms}, words_in(text), words_in(beside)
    splits = own | other == every and every not in (own, other)
    return tuple(term.wordings[0] for term in terms if term.wordings[0] in other - own), splits


def draw_ranks(explanation: Explanation) -> str:
    """The rank of each of the first passages in each leg, as SVG."""

    def rank_of(place: Place | None) -> int | None:
        return place.rank if place else None

    paths = [
        Path(
            shorten(f"{row.found.label}: {row.found.heading}", 90),
            (*map(rank_of, (row.vector, row.lexical, row.fused, row.reranked)), row.given),
            given=row.given is not None,
            label=row.found.label,
        )
        for row in explanation.rows[:DRAWN]
    ]
    return draw_slopes("Rank of each passage in each leg", COLUMNS, paths) if paths else ""


def verdict_text(explanation: Explanation) -> str:
    """Why the verdict is what it is, and the reformulated query if the question itself found too little."""
    limits, top = explanation.thresholds, explanation.top
    if top is None:
        text = f"Nothing reached the floor of {explanation.floor:.2f}."
    elif top >= limits.strong:
        text = f"The best passage has {top:.2f}; from {limits.strong:.2f} on, one is enough."
    elif explanation.quality == "strong":
        text = f"The best passage has {top:.2f}, below {limits.strong:.2f}, but a second is above {limits.weak:.2f}."
    else:
        text = f"The best passage has {top:.2f}, and there are not two above {limits.weak:.2f}."
    instead = explanation.reformulated
    return (
        f"{text} The query found less than its reformulation “{shorten(instead, 200)}”." if instead else text
    )


def filters_text(filters: dict[str, Any]) -> str:
    """ "kind cfr, section 91.155"; "none" without filters."""
    values = {name: [value] if isinstance(value, str) else value for name, value in filters.items()}
    texts = [f"{FILTER_NAMES.get(name, name)} {' or '.join(map(str, some))}" for name, some in values.items()]
    return ", ".join(texts) or "none"
