"""The rules desk's pages: ask, compare, and see what is known. Each fetches, calls one function, shapes the answer."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from knowledge.access.people import school_id_read_by
from rules.answers.answer_format import OWN
from rules.answers.compare import RulesComparison, compare_rules
from rules.answers.coverage import codes_known, coverage_for, rules_of, tiles_of
from rules.answers.presenters import Chip, Column, Part, chips_of, parts_of, pieces_of
from rules.conversations import ask_again, ask_next, conversations_of, turns_of
from rules.query.query_preparation import Unanswerable, country_named
from rules.search.search import answer_of, configuration, known_filters, readable_by
from rules.statements.stance import standing_of

from . import conf, limits
from .countries import KNOWN_COUNTRIES, name_of
from .models import Origin, RuleAnswer, RuleAnswerChange, RuleQuestion, RuleTurn


def has_demo_rules() -> bool:
    """Whether pages have to say that what they show is the demo's. A template calls it."""
    return RuleQuestion.objects.filter(tenant=None, origin=Origin.DEMO).exists()


SECTION = {"section": "rules", "has_demo_rules": has_demo_rules}


# --- asking -----------------------------------------------------------------------------------------------------


@login_required
@require_GET
def index(request: HttpRequest) -> HttpResponse:
    return _render_index(request, request.GET.get("q", "")[: conf.QUERY_LONGEST])


def _render_index(request: HttpRequest, message: str, problem: str = "") -> HttpResponse:
    coverage = coverage_for(school_id_read_by(request))
    turns = Prefetch("turns", RuleTurn.objects.defer("answer"))
    recent = conversations_of(request.user).prefetch_related(turns)[: conf.CONVERSATIONS_SHOWN]
    context = {
        **SECTION,
        "coverage": coverage,
        "tiles": tiles_of(coverage),
        "message": message,
        "problem": problem,
        "recent": [(one, list(one.turns.all())) for one in recent],
        "longest": conf.QUERY_LONGEST,
    }
    return render(request, "rules/index.html", context, status=400 if problem else 200)


def _with_retry_after(page: HttpResponse, seconds: int) -> HttpResponse:
    """A page that says that it was asked too often, for whoever reads statuses."""
    if seconds:
        page.status_code, page["Retry-After"] = 429, str(seconds)
    return page


@login_required
@require_POST
def ask(request: HttpRequest) -> HttpResponse:
    after = _turn_or_none(request, request.POST.get("after", ""))
    message = request.POST.get("message", "")
    try:
        limits.charge_question(request)
        with limits.paid_by_user(request.user):
            turn = ask_next(request.user, message, after=after, tenant=school_id_read_by(request))
    except Unanswerable as error:
        message = message[: conf.QUERY_LONGEST]
        if after:
            page = _render_asked(request, after, message=message, problem=str(error))
        else:
            page = _render_index(request, message, str(error))
        return _with_retry_after(page, error.wait)
    return redirect("rules:asked", turn.pk)


def _turn_or_none(request: HttpRequest, text: str) -> RuleTurn | None:
    """The last turn of the conversation that goes on."""
    if not text:
        return None
    try:
        turn = get_object_or_404(turns_of(request.user), pk=UUID(text))
    except ValueError as error:
        raise Http404("There is no such answer.") from error
    return turn.conversation.turns.order_by("-position").first()


@login_required
@require_GET
def asked(request: HttpRequest, turn_id: UUID) -> HttpResponse:
    return _render_asked(request, get_object_or_404(turns_of(request.user), pk=turn_id))


@login_required
@require_POST
def again(request: HttpRequest, turn_id: UUID) -> HttpResponse:
    turn = get_object_or_404(turns_of(request.user), pk=turn_id)
    try:
        limits.charge_question(request)
        countries = _countries_chosen(request.POST.getlist("countries"), request.POST.get("more", ""))
        with limits.paid_by_user(request.user):
            fresh = ask_again(turn, countries, tenant=school_id_read_by(request))
    except Unanswerable as error:
        return _with_retry_after(_render_asked(request, turn, chips_problem=str(error)), error.wait)
    return redirect("rules:asked", fresh.pk)


def _countries_chosen(codes: Sequence[str], more: str) -> tuple[str, ...]:
    """Codes that were ticked, and those or names that were typed, parted by commas. Raises UnknownCountry."""
    typed = [one for one in more[: conf.QUERY_LONGEST].split(",") if one.strip()]
    return tuple(dict.fromkeys(country_named(one) for one in [*codes[: len(KNOWN_COUNTRIES)], *typed]))


def _render_asked(
    request: HttpRequest, turn: RuleTurn, *, message: str = "", problem: str = "", chips_problem: str = ""
) -> HttpResponse:
    tenant = school_id_read_by(request)
    own, others = chips_of(turn.countries, codes_known(tenant))
    turns = list(turn.conversation.turns.defer("answer"))
    citations = turn.answer["citations"]
    quoted = RuleAnswer.objects.filter(
        readable_by(tenant, "question__"), pk__in=[one["answer_id"] for one in citations]
    )
    now = {str(pk): text for pk, text in quoted.values_list("pk", "text")}
    states = {  # of the cited answers that are no longer as they were quoted
        one["answer_id"]: "changed" if one["answer_id"] in now else "withdrawn"
        for one in citations
        if now.get(one["answer_id"]) != one["quote"]
    }
    compare_url = f"{reverse('rules:compare')}?{'&'.join(f'countries={code}' for code in turn.countries)}"
    context = {
        **SECTION,
        "turn": turn,
        "parts": parts_of(turn.answer, states),
        "own": own,
        "others": others,
        "turns": turns,
        "message": message,
        "problem": problem,
        "chips_problem": chips_problem,
        "longest": conf.QUERY_LONGEST,
        "compare_url": compare_url if len(turn.countries) > 1 else "",
    }
    return render(request, "rules/asked.html", context, status=400 if problem or chips_problem else 200)


@login_required
@require_POST
def forget(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    get_object_or_404(conversations_of(request.user), pk=conversation_id).delete()
    return redirect("rules:index")


# --- comparing --------------------------------------------------------------------------------------------------


@login_required
@require_GET
def compare(request: HttpRequest) -> HttpResponse:
    tenant = school_id_read_by(request)
    given = request.GET
    chosen: tuple[str, ...] = ()
    wait = 0
    context: dict[str, Any] = {**SECTION, "given": given, "defaults": configuration().comparison}
    try:
        context["known"] = known = known_filters(tenant)
        context["others"] = chips_of((), known.countries)[1]
        chosen = _countries_chosen(given.getlist("countries"), given.get("more", ""))
        context["own"], context["others"] = chips_of(chosen, known.countries)
        if chosen:
            limits.charge_question(request)
            context |= _comparison_context(_comparison_wanted(request, chosen, tenant))
    except Unanswerable as error:
        context["problem"], wait = str(error), error.wait
    # that no rules are loaded is not the reader's mistake
    refused = "problem" in context and "known" in context
    page = render(request, "rules/compare.html", context, status=400 if refused else 200)
    return _with_retry_after(page, wait)


def _comparison_wanted(
    request: HttpRequest, countries: tuple[str, ...], tenant: int | None
) -> RulesComparison:
    most, least = request.GET.get("most", ""), request.GET.get("least", "")
    try:
        return RulesComparison(
            countries=countries,
            category=request.GET.get("category", ""),
            tags=tuple(filter(None, request.GET.getlist("tag"))),
            tenant=tenant,
            most=int(most[:9]) if most else None,
            least=float(least[:9]) if least else None,
        )
    except ValueError as error:
        raise Unanswerable(
            f"at most is a whole number from 1 to {conf.COMPARED_LIMIT}, at least one from 0 to 1, such as 0.1"
        ) from error


def _comparison_context(wanted: RulesComparison) -> dict[str, Any]:
    found = compare_rules(wanted)
    gaps: dict[str, list[str]] = {code: [] for code in found.countries}
    for gap in found.missing:
        gaps[gap.country].append(gap.question)
    rows = []  # each question with its share of the widest difference there can be, in percent, and its columns
    for one in found.differences:
        columns = tuple(
            Column(
                country=code,
                name=OWN.format(name=name_of(code)) if answer.own else name_of(code),
                pieces=pieces_of(answer.text, one.marks.get(code, ())),
                missing=answer.missing,
                links=answer.links,
                checked=answer.date_checked,
                url=reverse("rules:answer", args=[answer.id]) if answer.id else "",
            )
            for code, answer in one.answers.items()
        )
        part = Part(question=one.question, category=one.category, why=one.why, columns=columns)
        rows.append((one, round(100 * one.difference), part))
    return {
        "compared": found,
        "rows": rows,
        "columns": [(code, name_of(code)) for code in found.countries],
        "gaps": [
            (code, name_of(code), questions, code in found.missing_countries)
            for code, questions in gaps.items()
            if questions
        ],
        "unstated": [(name_of(gap.country), gap.question, gap.said) for gap in found.unstated],
    }


# --- what is known ----------------------------------------------------------------------------------------------


@login_required
@require_GET
def overview(request: HttpRequest) -> HttpResponse:
    coverage = coverage_for(school_id_read_by(request))
    category = request.GET.get("category", "")
    if category and category not in coverage.categories:
        raise Http404("There is no such category.")
    context = {
        **SECTION,
        "coverage": coverage,
        "category": category,
        "tiles": tiles_of(coverage, category),
    }
    return render(request, "rules/overview.html", context)


@login_required
@require_GET
def country(request: HttpRequest, code: str) -> HttpResponse:
    if code not in KNOWN_COUNTRIES:
        raise Http404("There is no such country.")
    tenant = school_id_read_by(request)
    coverage = coverage_for(tenant)
    category = request.GET.get("category", "")
    rules = rules_of(code, tenant, category)
    if category and not rules:
        raise Http404("There is no such category.")
    context = {
        **SECTION,
        "chip": Chip(country=code, name=name_of(code)),
        "known": next((one for one in coverage.countries if one.country == code), None),
        "category": category,
        "rules": rules,
    }
    return render(request, "rules/country.html", context)


@login_required
@require_GET
def answer(request: HttpRequest, answer_id: UUID) -> HttpResponse:
    """One country's answer, the target of citations, with the other countries' answers beside it."""
    tenant = school_id_read_by(request)
    rows = RuleAnswer.objects.filter(readable_by(tenant, "question__"), pk=answer_id)
    row = rows.select_related("question").first()
    if row is None:
        return _render_withdrawn(request, answer_id, tenant)
    others = [one for one in row.question.answers.exclude(pk=row.pk) if standing_of(one.text) != "missing"]
    context = {
        **SECTION,
        "row": row,
        "name": name_of(row.country),
        "links": answer_of(row).links,
        "others": sorted((name_of(one.country), one) for one in others),
    }
    return render(request, "rules/answer.html", context)


def _render_withdrawn(request: HttpRequest, answer_id: UUID, tenant: int | None) -> HttpResponse:
    """What an answer said that is no longer in the data: gone, and not forgotten."""
    last = RuleAnswerChange.objects.filter(readable_by(tenant), answer=answer_id).first()
    if last is None:
        raise Http404("There is no such answer.")
    question = RuleQuestion.objects.filter(tenant=last.tenant_id, key=last.question_key).first()
    now = question.answers.filter(country=last.country).first() if question else None
    context = {
        **SECTION,
        "last": last,
        "name": name_of(last.country),
        "question": question.text if question else last.question_key,
        "links": list(dict.fromkeys((*last.links, *filter(None, (last.source_link,))))),
        "now": now,
    }
    return render(request, "rules/withdrawn.html", context, status=410)
