"""Relations and concepts of the graph as a list: accept or remove each by its button or by key.

Every row is a plain form; `static/curation/graph_review.js` sends it without leaving the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from curation import conf
from curation.graph.decisions import (
    SUBJECTS,
    concepts_for,
    decide_concept,
    decide_relation,
    graph_decisions_by,
    relations_for,
    undo_graph_decision,
)
from curation.item_review import first_wording
from curation.models import DecisionKind
from curation.queue import hold_page, read_by_others
from curation.review import NOT_UNDONE, StaleDecision, approve_claim, reject_claim, undo_decision
from curation.selectors import UnknownClaim, WrongDecision, claims_for, decisions_by
from knowledge.graph.neighborhood import WORDS
from knowledge.grounding.citations import passage_url
from knowledge.models import Concept, ConceptChunkEvidence, ConceptRelation, MixUp
from knowledge.models.graph import ConceptCategory, RelationType, ValidationStatus
from knowledge.retrieval.results import label_of_chunk

ROWS: Final = 40
"""Rows of a page."""
WHAT: Final = {
    "relations": "Relations",
    "definitions": "Definitions",
    "beliefs": "Wrong beliefs",
    "subjects": "Topics and artifacts",
}
TYPES: Final = {
    "relations": [(value, WORDS[value][0]) for value in RelationType.values],
    "subjects": [(one.value, str(one.label)) for one in SUBJECTS],
}
"""What a list can be narrowed to."""
STATES: Final = {
    "waiting": ValidationStatus.PENDING,
    "accepted": ValidationStatus.VALIDATED,
    "removed": ValidationStatus.REJECTED,
}
REMOVED: Final = "Removed from the graph on the page of relations and concepts."


class GraphForm(forms.Form):
    """A decision on one row, or the decision to take back."""

    act = forms.ChoiceField(choices=[(one, one) for one in ("accept", "remove", "undo")])
    id = forms.CharField(max_length=40)
    version = forms.IntegerField(min_value=0, required=False)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the list. `quote` and `url` are of the passage that says so, if one does; `mixup` is what is right
    instead of a wrong belief, with its item."""

    id: str
    version: int
    state: str
    lead: str
    words: str
    other: str
    reason: str
    origin: str
    graph: UUID
    quote: str = ""
    label: str = ""
    url: str = ""
    mixup: MixUp | None = None
    question: str = ""


@dataclass(frozen=True, slots=True)
class OwnDecision:
    """One of the reviewer's last decisions: on which row, what was decided, and its words. `stands` says that nobody
    has changed the row since."""

    pk: int
    row: str
    label: str
    words: str
    made_at: datetime
    stands: bool


@require_http_methods(["GET", "POST"])
def graph_review_page(request: HttpRequest, context: Mapping[str, Any]) -> HttpResponse:
    """The list of one kind, filtered. What waits on the page is this reviewer's for some minutes. A POST decides on one
    row, or takes a decision back."""
    wanted = {name: request.GET.get(name, "") for name in ("what", "state", "type", "q")}
    what = wanted["what"] if wanted["what"] in WHAT else "relations"
    usual = "accepted" if what == "subjects" else "waiting"
    state = wanted["state"] if wanted["state"] in STATES else usual
    if request.method == "POST":
        return _answer(request, what)
    words = wanted["q"].strip()[:200]
    listed = rows_listed(request.user, what, state, wanted["type"], words)
    page = Paginator(listed, ROWS).get_page(request.GET.get("page"))
    if state == "waiting" and page.paginator.count:
        rows = hold_page(listed[page.start_index() - 1 :], request.user, ROWS)
    else:
        rows = list(page.object_list)
    kept = {"what": what, "state": state, "type": wanted["type"], "q": words}
    shown = {
        **context,
        "title": WHAT[what],
        "rows": _rows_of(what, rows),
        "page": page,
        "what": what,
        "state": state,
        "states": STATES,
        "type": wanted["type"],
        "types": TYPES.get(what, []),
        "words": words,
        "query": urlencode({name: value for name, value in kept.items() if value}),
        **_own_decisions(request.user, what),
    }
    return TemplateResponse(request, "admin/curation/graph/review.html", shown)


def rows_listed(
    user: Any, what: str, state: str = "waiting", wanted: str = "", words: str = ""
) -> QuerySet[Any]:
    """The relations, definitions, wrong beliefs or subjects of a state, for their reviewer; `wanted` is one of their
    types. Of those that wait, without what somebody else reads now."""
    if what == "relations":
        found: QuerySet[Any] = relations_for(user).filter(status=STATES[state])
        if wanted in RelationType.values:
            found = found.filter(relation_type=wanted)
        if words:
            found = found.filter(Q(source__name__icontains=words) | Q(target__name__icontains=words))
        found = found.select_related("queue_entry").order_by("relation_type", "source__key", "target__key")
        return found.exclude(read_by_others(user)) if state == "waiting" else found
    if what == "definitions":
        found = claims_for(user).filter(category=ConceptCategory.DEFINITION)
    else:
        of_kind = (wanted,) if wanted in SUBJECTS else SUBJECTS
        found = concepts_for(user).filter(
            category__in=of_kind if what == "subjects" else (ConceptCategory.MISCONCEPTION,)
        )
    if words:
        found = found.filter(name__icontains=words)
    found = found.filter(validation_status=STATES[state]).select_related("queue_entry").order_by("key")
    return found.exclude(read_by_others(user)) if state == "waiting" else found


def _rows_of(what: str, found: list[Any]) -> list[Row]:
    if what == "relations":
        return [_row_of_relation(one) for one in found]
    evidence: dict[UUID, ConceptChunkEvidence] = {}
    passages = ConceptChunkEvidence.objects.filter(concept__in=[one.pk for one in found])
    for one in passages.select_related("chunk__document").order_by("evidence_type", "pk"):
        evidence.setdefault(one.concept_id, one)
    corrected = MixUp.objects.filter(concept__in=[one.pk for one in found], item__withdrawn=False)
    mixups = {one.concept_id: one for one in corrected.select_related("item").order_by("-item__key", "-pk")}
    rows = []
    for one in found:
        said, mixup = evidence.get(one.pk), mixups.get(one.pk)
        rows.append(
            Row(
                id=str(one.pk),
                version=one.version,
                state=one.validation_status,
                lead=one.name,
                words="",
                other="",
                reason=one.get_category_display() if one.category in SUBJECTS else "",
                origin=one.origin,
                graph=one.pk,
                quote=said.quote if said else "",
                label=label_of_chunk(said.chunk) if said else "",
                url=passage_url(str(said.chunk_id), said.quote, said.page) if said else "",
                mixup=mixup,
                question=first_wording(mixup.item) if mixup else "",
            )
        )
    return rows


def _row_of_relation(one: ConceptRelation) -> Row:
    code = str(one.source.key_facts.get("element_code", ""))
    other = str(one.target.key_facts.get("element_code", ""))
    return Row(
        id=str(one.pk),
        version=one.version,
        state=one.status,
        lead=f"{code} {one.source.name}".strip(),
        words=WORDS[one.relation_type][0],
        other=f"{other} {one.target.name}".strip(),
        reason=one.reason,
        origin=one.created_by,
        graph=one.source_id,
        label=label_of_chunk(one.chunk) if one.chunk else "",
        url=passage_url(str(one.chunk_id)) if one.chunk else "",
    )


def _answer(request: HttpRequest, what: str) -> HttpResponse:
    """Decide, and say what was done: as JSON to the script, else on the list."""
    form = GraphForm(request.POST)
    try:
        if not form.is_valid():
            raise WrongDecision("Choose what to do with this row.")
        said = form.cleaned_data
        _decide(request.user, what, said["act"], said["id"], said["version"] or 0)
        message, status = (
            {"accept": "Accepted.", "remove": "Removed.", "undo": "Taken back."}[said["act"]],
            200,
        )
    except (WrongDecision, StaleDecision, UnknownClaim, ValidationError, ValueError) as error:
        message = "This row does not exist." if isinstance(error, ValidationError) else str(error)
        status = 409
    if request.headers.get("X-Requested-With") == "fetch":
        shown = _own_decisions(request.user, what)
        own = render_to_string("admin/curation/graph/own_decisions.html", shown, request)
        return JsonResponse({"message": message, "own": own}, status=status)
    (messages.success if status == 200 else messages.error)(request, message)
    return redirect(f"{reverse('admin:curation_graph_review')}?{request.GET.urlencode()}")


def _decide(user: Any, what: str, act: str, row: str, version: int) -> None:
    """Carry out one act on a row, or on the decision that is taken back."""
    if act == "undo":
        if what == "definitions":
            undo_decision(int(row), user)
        else:
            undo_graph_decision(user, int(row))
        return
    kind = DecisionKind.APPROVE if act == "accept" else DecisionKind.REJECT
    if what == "definitions":
        if kind == DecisionKind.APPROVE:
            approve_claim(UUID(row), user, version=version)
        else:
            reject_claim(UUID(row), user, version=version, reason=REMOVED)
    elif what == "relations":
        decide_relation(user, int(row), version, kind)
    else:
        decide_concept(user, UUID(row), version, kind)


def _own_decisions(user: Any, what: str) -> dict[str, Any]:
    """A reviewer's last decisions on definitions, or on the rest of the graph, and which of them can be taken back."""
    rows: QuerySet[Any] = graph_decisions_by(user)
    if what == "definitions":
        rows = decisions_by(user).filter(claim__category=ConceptCategory.DEFINITION)
    own = []
    for one in rows.exclude(decision=DecisionKind.REOPEN)[: conf.OWN_DECISIONS_SHOWN]:
        row: Any = one.claim if what == "definitions" else one.relation or one.concept
        stands = one.decision not in NOT_UNDONE and row.version == one.after["version"]
        own.append(
            OwnDecision(
                one.pk, str(row.pk), one.get_decision_display(), words_of(row), one.created_at, stands
            )
        )
    return {"own_decisions": own, "undoable": next((one.pk for one in own if one.stands), None)}


def words_of(row: Concept | ConceptRelation) -> str:
    """A row of the graph in one line."""
    if isinstance(row, Concept):
        return row.name
    return f"{row.source.name} {WORDS[row.relation_type][0]} {row.target.name}"
