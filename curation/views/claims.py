"""The verification queue: one claim with its evidence, one decision, the next claim.

Every page works as a plain form; keys are an addition. A refused decision shows what happened since and keeps the
reviewer's text. The filter is part of the address and stays active from claim to claim.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.db.models import Value
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.text import Truncator
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from curation import conf
from curation.merging import merge_claims, split_claim
from curation.models import Claim, DecisionKind, ReviewDecision
from curation.offline.priority import known_domains
from curation.queue import (
    ASIDE,
    CHOICES,
    QueueFilter,
    hold_for_reader,
    next_to_read,
    place_in_queue,
    put_aside,
)
from curation.reading.editable_facts import BY_HAND, PREFIX, fields_for
from curation.reading.illustrations import mark_illustration, remove_illustration
from curation.reading.reanchoring import lost_for
from curation.reading.second_reader import decisions_shown, readings_of
from curation.reading.served_elements import served_elements
from curation.reading.similar_claims import similar_claims
from curation.reading.wording import MARKED, compare_wording, is_code, is_repeated, look_closely, marked_runs
from curation.review import (
    NOT_UNDONE,
    StaleDecision,
    approve_claim,
    edit_and_approve_claim,
    edit_claim,
    reanchor_claim,
    reject_claim,
    reopen_claim,
    retire_claim,
    undo_decision,
)
from curation.selectors import (
    DECIDED_BY,
    UnknownClaim,
    WrongDecision,
    claims_for,
    decisions_by,
    evidence_shown,
    with_quotes_between,
    with_readings,
)
from curation.views.kinds import CLAIMS, kinds_waiting
from knowledge.conf import ORALS, UNBOUND
from knowledge.models import ConceptChunkEvidence
from knowledge.models.graph import CLAIMED, SUPPORT, ConceptCategory, EvidenceType, Priority
from knowledge.standards.certificate_data import DATA
from knowledge.standards.elements import elements_known

HIDDEN_FACTS = {"quotes", "subject", BY_HAND}
LABELS = {
    "cfr_reference": "reference",
    "also": "may be said as",
    "applies_to": "speaks of",
    UNBOUND: "binds nobody in any oral",
    ORALS: "who is bound",
    "domain": "subject",
}
DONE = {
    "approve": "Approved",
    "edit": "Saved",
    "edit_approve": "Saved and approved",
    "reject": "Rejected",
    "reanchor": "Placed in the edition in force and approved",
    "retire": "Retired",
    "reopen": "Waits for a decision again",
    "merge": "Merged",
    "split": "Split; its parts wait",
    "defer": "Deferred",
    "flag": "Flagged",
    "in_line": "Back in line",
    "example": "Marked as an example",
    "counterexample": "Marked as a counterexample",
    "unmark": "Mark removed",
}
INLINE = (ORALS, "applies_to")
"""Key facts that are lists of short names."""
VERDICTS = ("approve", "edit_approve", "reject", "reanchor")
WAITS = "Your verdict is noted, and a second reviewer reads it too"
REASONS = (
    "States nothing that binds, limits or defines.",
    "Concerns nobody in this exam.",
    "Cut off, or joined wrongly.",
    "Not what the quote says.",
    "Another claim says the same.",
)
"""Usual reasons to reject, chosen by number."""
ACTIONS: Mapping[str, Callable[..., Claim]] = {
    "approve": approve_claim,
    "edit": edit_claim,
    "edit_approve": edit_and_approve_claim,
    "reject": reject_claim,
    "reanchor": reanchor_claim,
    "retire": retire_claim,
    "reopen": reopen_claim,
}
MARKS = ("example", "counterexample")
AHEAD = "X-Ahead"
"""Marks a request of `next_claim.js` for a claim that the reviewer may come to next."""
STAYS = ("reopen", *MARKS, "unmark")
"""After these the same claim is shown."""
EDITS = ("edit", "edit_approve")
APPROVES = ("approve", "edit_approve")
ENDS = ("reject", "retire")


class DecisionForm(forms.Form):
    """What a reviewer sends. Which fields are required depends on the decision."""

    decision = forms.ChoiceField(choices=list(DONE.items()))
    version = forms.IntegerField(min_value=1)
    statement = forms.CharField(required=False, max_length=conf.EDITED_LENGTH)
    priority = forms.ChoiceField(choices=[("", ""), *Priority.choices], required=False)
    reason = forms.CharField(required=False, max_length=conf.REASON_LENGTH)
    evidence = forms.IntegerField(required=False, min_value=1)
    chunk = forms.UUIDField(required=False)
    quote = forms.CharField(required=False, max_length=conf.QUOTE_LENGTH)
    into = forms.UUIDField(required=False)
    parts = forms.CharField(required=False, max_length=conf.EDITED_LENGTH * conf.PARTS_MOST)

    def clean(self) -> dict[str, Any]:
        said = super().clean() or {}
        if said.get("decision") == "reanchor" and not (said.get("evidence") and said.get("chunk")):
            raise forms.ValidationError("Choose the passage that supports the claim.")
        if said.get("decision") == "merge" and not said.get("into"):
            raise forms.ValidationError("Choose the claim that says the same.")
        return said


@require_http_methods(["GET", "POST"])
def queue_page(
    request: HttpRequest, context: Mapping[str, Any], claim_id: UUID | None = None
) -> HttpResponse:
    """The claim of this id, or the first that waits. A POST decides on it. `context` is what every admin page shows."""
    wanted = QueueFilter.from_query(request.GET)
    if request.method != "POST":
        if claim_id is None:
            return _render_claim(request, next_to_read(request.user, wanted), context)
        claim = _claim_shown(request, claim_id)
        if AHEAD in request.headers:  # held for nobody; messages wait for the page itself
            return _render_claim(request, claim, {**context, "messages": ()})
        return _render_claim(request, claim, context, reader=_reader_of(request, claim))
    if claim_id is None:
        return redirect("admin:curation_claim_queue")
    claim = _claim_shown(request, claim_id)
    form = DecisionForm(request.POST)
    if not form.is_valid():
        faults = "; ".join(
            str(error) if name == "__all__" else f"{name}: {error}"
            for name, errors in form.errors.items()
            for error in errors
        )
        return _render_claim(request, claim, context, wrong=faults, status=400)
    neighbors = place_in_queue(request.user, claim, wanted, counted=0)
    decision = form.cleaned_data["decision"]
    try:
        decided = _carry_out(request, claim, form.cleaned_data)
    except WrongDecision as error:
        return _render_claim(request, claim, context, wrong=str(error), status=400)
    except StaleDecision as error:
        return _render_claim(request, _claim_shown(request, claim.pk), context, stale=error, status=409)
    if decided.stale and decision == "reanchor":
        messages.warning(request, f"Placed. {decided.stale_reason}")
        return _to_claim(decided.pk, wanted)
    waits = decision in VERDICTS and decided.is_undecided
    messages.success(request, f"{WAITS if waits else DONE[decision]}: {Truncator(decided.name).chars(120)}")
    if decision in STAYS:
        return _to_claim(decided.pk, wanted)
    return _to_claim(neighbors.after or neighbors.before, wanted)


@require_POST
def undo_page(request: HttpRequest, context: Mapping[str, Any], decision_id: int) -> HttpResponse:
    """Take an own decision back and show its claim."""
    try:
        undone = undo_decision(decision_id, request.user)
    except (WrongDecision, StaleDecision, UnknownClaim) as error:
        messages.error(request, str(error))
        return redirect(_queue_address(QueueFilter.from_query(request.GET)))
    messages.success(request, f"Taken back: {Truncator(undone.name).chars(120)}")
    return _to_claim(undone.pk, QueueFilter.from_query(request.GET))


@require_GET
def elements_to_serve(request: HttpRequest, context: Mapping[str, Any]) -> JsonResponse:
    """The codes of all elements in use, each with its text, for the field that adds one."""
    elements = elements_known().filter(archived=False).values_list("code", "text")
    return JsonResponse({"elements": [[code, Truncator(text).chars(80)] for code, text in elements]})


def _claim_shown(request: HttpRequest, claim_id: UUID) -> Claim:
    claims = with_readings(claims_for(request.user)).select_related("queue_entry__aside_by")
    claim: Claim | None = claims.filter(pk=claim_id).first()
    if claim is None:
        raise Http404(f"there is no claim {claim_id}")
    return claim


def _reader_of(request: HttpRequest, claim: Claim) -> Any:
    """Somebody else who reads the claim now; else the claim is this reviewer's, if it waits."""
    entry = getattr(claim, "queue_entry", None)
    in_queue = claim.is_undecided and not (entry and entry.parked_id)
    return hold_for_reader(claim, request.user) if in_queue else None


def _to_claim(claim_id: UUID | None, wanted: QueueFilter) -> HttpResponse:
    """To this claim; without one, to the queue, which says that nothing waits."""
    if claim_id is None:
        return redirect(_queue_address(wanted))
    return redirect(f"{reverse('admin:curation_claim_decide', args=[claim_id])}{wanted.query}")


def _queue_address(wanted: QueueFilter) -> str:
    return f"{reverse('admin:curation_claim_queue')}{wanted.query}"


def _carry_out(request: HttpRequest, claim: Claim, said: Mapping[str, Any]) -> Claim:
    decision = said["decision"]
    if decision in ASIDE:
        if claim.version != said["version"] or not claim.is_undecided:
            raise WrongDecision("This claim was decided on meanwhile. It is shown as it is now.")
        put_aside(claim, request.user, ASIDE[decision])
        return claim
    if decision in MARKS:
        return mark_illustration(claim.pk, request.user, EvidenceType(decision), said["quote"])
    if decision == "unmark":
        return remove_illustration(claim.pk, request.user, said["evidence"] or 0)
    given = {"version": said["version"], "reason": said["reason"]}
    if decision == "reanchor":
        given |= {name: said[name] for name in ("evidence", "chunk", "quote", "statement")}
    elif decision in EDITS:
        given |= {name: said[name] for name in ("statement", "priority")}
        given["facts"] = {name: value for name, value in request.POST.items() if name.startswith(PREFIX)}
    elif decision == "merge":
        return merge_claims(claim.pk, request.user, version=said["version"], into=said["into"])
    elif decision == "split":
        parts = said["parts"].splitlines()
        return split_claim(claim.pk, request.user, version=said["version"], statements=parts)
    if decision in APPROVES:
        given["elements"] = _chosen_elements(request)
    decided: Claim = ACTIONS[decision](claim.pk, request.user, **given)
    return decided


def _chosen_elements(request: HttpRequest) -> list[str] | None:
    """The elements that the reviewer chose; None where they are those that were proposed."""
    offered = request.POST.get("elements_offered")
    if offered is None:
        return None
    chosen = [
        *request.POST.getlist("elements"),
        *request.POST.get("element_added", "").replace(",", " ").split(),
    ]
    return None if sorted(chosen) == sorted(offered.split()) else chosen


def _render_claim(
    request: HttpRequest,
    claim: Claim | None,
    context: Mapping[str, Any],
    *,
    wrong: str = "",
    stale: StaleDecision | None = None,
    reader: Any = None,
    status: int = 200,
) -> HttpResponse:
    """`reader` is the person who reads the claim now, if it is somebody else."""
    wanted = QueueFilter.from_query(request.GET)
    own, earlier = _decisions_read(request.user, claim)
    shown: dict[str, Any] = {
        **context,
        "title": "Queue",
        "wanted": wanted,
        "filtered": wanted != QueueFilter(),
        "narrowed": _narrowed_to(wanted),
        "stays": STAYS,
        "states": CHOICES["state"],
        "state_named": "put aside" if wanted.state == "aside" else wanted.state,
        "categories": [(one.value, one.label) for one in CLAIMED],
        "priority_choices": Priority.choices,
        "orals": list(DATA.bound_kinds),
        "domains": [(one, one.replace("_", " ")) for one in known_domains()],
        "reviewers": list(dict.fromkeys(filter(None, (*DECIDED_BY, wanted.reviewer)))),
        "own_decisions": own,
        "decisions": earlier,
        "undoable": next((one.pk for one in own if one.stands and one.decision not in NOT_UNDONE), None),
        "wrong": wrong,
        "stale": stale,
        "reader": reader,
        "claim": claim,
    }
    if claim is not None:
        shown |= _claim_context(request, claim, own, kept=request.POST if wrong or stale else {})
    place = shown.get("place")
    known = {CLAIMS: place.total + place.more} if place and wanted == QueueFilter() else {}
    shown["kinds"] = partial(kinds_waiting, request, kept=claim is not None, known=known)
    return TemplateResponse(request, "admin/curation/claim/queue.html", shown, status=status)


def _decisions_read(user: Any, claim: Claim | None) -> tuple[list[Any], list[Any]]:
    """The reviewer's own last decisions, and the last ones on the claim. One query. What was taken back stays in place
    of its taking back, so that as many decisions can be taken back as are shown."""
    own = decisions_by(user).exclude(decision=DecisionKind.REOPEN).select_related("reviewer")
    rows = own.annotate(own=Value(True))[: conf.OWN_DECISIONS_SHOWN]
    if claim is not None and claim.version > 1:
        earlier = decisions_shown(claim, user).select_related("claim").annotate(own=Value(False))
        rows = rows.union(earlier[: conf.DECISIONS_SHOWN], all=True).order_by("-created_at", "-id")
    read: list[Any] = list(rows)
    for one in read:
        one.stands = one.after["version"] == one.claim.version
    return [one for one in read if one.own], [one for one in read if not one.own]


def _just_read(claim: Claim, decided: Sequence[ReviewDecision]) -> str:
    """The statement that the reviewer decided on last, if that was minutes ago."""
    since = timezone.now() - timedelta(minutes=conf.HOLD_MINUTES)
    last = next((one for one in decided if one.claim_id != claim.pk), None)
    return last.claim.name if last and last.created_at > since else ""


def _reading_context(request: HttpRequest, claim: Claim) -> dict[str, Any]:
    """How many readers a P0 claim needs; the verdicts, once they differ."""
    if claim.priority != Priority.P0 or not claim.is_undecided:
        return {}
    readings = readings_of(claim)
    return {"readings": readings, "own_verdict": readings.verdict_of(request.user)}


def _narrowed_to(wanted: QueueFilter) -> str:
    """The filters that are folded on the page, in words."""
    bound = {"": "", "yes": "binds somebody", "no": "binds nobody"}
    said = (
        wanted.source,
        wanted.group,
        wanted.element,
        wanted.priority,
        wanted.domain.replace("_", " "),
        wanted.category.replace("_", " "),
        bound.get(wanted.bound, f"{wanted.bound} oral"),
        f"decided by {wanted.reviewer}" if wanted.reviewer else "",
    )
    return ", ".join(filter(None, said))


def facts_shown(
    statement: str, key_facts: Mapping[str, Any], editions: Collection[str] = ()
) -> dict[str, list[tuple[str, list[str]]]]:
    """The key facts as words, without those that stand elsewhere on the page and those that are empty: what is to be
    read, and apart from it what the statement says in the same words or another fact says as well. `editions` are the
    dates of the documents quoted, whose editions stand above the evidence."""
    facts: list[tuple[str, list[str]]] = []
    repeated: list[tuple[str, list[str]]] = []
    for name, value in key_facts.items():
        said = [str(one) for one in (value if isinstance(value, list) else [value]) if str(one)]
        if name in HIDDEN_FACTS:
            continue
        again: list[str] = []
        new: list[str] = []
        for one in said:
            is_edition = name == "effective_date" and one in editions
            read = again if is_edition or is_repeated(name, one, statement, key_facts) else new
            read.append(one.replace("_", " ") if is_code(one) else one)
        label = LABELS.get(name, name.replace("_", " "))
        if new:
            facts.append((label, [", ".join(new)] if name in INLINE else new))
        if again:
            repeated.append((label.removesuffix("s") if name in MARKED and len(again) == 1 else label, again))
    return {"facts": facts, "repeated": repeated}


def _claim_context(
    request: HttpRequest, claim: Claim, decided_before: Sequence[ReviewDecision], kept: Mapping[str, Any]
) -> dict[str, Any]:
    """What the page shows of a claim; `kept` is what the reviewer sent with a refused decision, and `decided_before`
    the reviewer's own decisions, the last one first."""
    decision = kept.get("decision", "")
    lost = lost_for(claim) if claim.stale else None
    chosen = _chosen_elements(request) if kept else None
    elements = served_elements(claim, chosen)
    place = place_in_queue(request.user, claim, QueueFilter.from_query(request.GET))
    both = ConceptChunkEvidence.every.filter(
        concept__in=[claim.pk, place.after] if place.after else [claim.pk]
    )  # of the next claim, too: its pages are fetched ahead
    every = list(both.select_related("chunk__document", "reviewer").order_by("id"))
    rows = [one for one in every if one.evidence_type in SUPPORT]
    lost_row = lost.evidence.pk if lost else None
    own = [one for one in rows if one.concept_id == claim.pk and one.pk != lost_row]
    own = with_quotes_between(claim, own)
    told = list(claim.key_facts.get("quotes", ()))  # in the order of the text
    quotes = sorted(
        {one.quote for one in own}, key=lambda one: (told.index(one) if one in told else len(told), one)
    )
    wording = compare_wording(claim.name, quotes)
    runs = marked_runs(claim.name, wording, claim.key_facts, _just_read(claim, decided_before))
    return {
        "place": place,
        "decided": not claim.is_undecided,
        "entry": getattr(claim, "queue_entry", None),
        "reasons": REASONS,
        **facts_shown(
            claim.name,
            claim.key_facts,
            [str(date) for one in own if (date := one.chunk.document.edition_date)],
        ),
        "fact_fields": fields_for(claim, kept if decision in EDITS else None),
        "elements": elements[: conf.ELEMENTS_SHOWN],
        "similar": similar_claims(
            request.user, claim, [one.code for one in elements], [one.quote for one in own if one.pk]
        ),
        "unbound": claim.key_facts.get(UNBOUND, ""),
        "bound_not_stated": claim.category == ConceptCategory.REGULATORY_CLAIM
        and not (claim.key_facts.get(ORALS) or claim.key_facts.get(UNBOUND))
        and any(one.chunk.document.doc_type == "cfr" for one in own),
        "warnings": [] if lost else look_closely(claim.name, claim.key_facts),
        "lost": lost,
        "evidence": evidence_shown(own),
        "wording": wording,
        "runs": runs,
        "read_before": any(one.read for one in runs),
        "next_pictures": {
            (one.chunk.document_id, one.page) for one in rows if one.concept_id == place.after and one.page
        },
        "illustrations": [one for one in every if one.concept_id == claim.pk and one not in rows],
        "marked": kept.get("quote", "") if decision in MARKS else "",
        "open_mark": decision in MARKS,
        "placed": kept if decision == "reanchor" else {},
        **_reading_context(request, claim),
        "priorities": Priority.choices,
        "statement": kept.get("statement") or claim.name,
        "priority": kept.get("priority") or claim.priority,
        "parts": kept.get("parts") or claim.name,
        "reject_reason": kept.get("reason", "") if decision in ENDS else "",
        "edit_reason": kept.get("reason", "") if decision in EDITS else "",
        "open_edit": decision in EDITS,
        "open_reject": decision in ENDS,
        "open_split": decision == "split",
    }
