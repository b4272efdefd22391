"""The vectors that searches read, model by model: build a set beside the one in use, switch, remove."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from desk.operations.job_status import outcome_of
from knowledge.ingestion.chunking.token_counting import estimate_line
from knowledge.ingestion.vectors.sets import (
    SetState,
    WrongSet,
    build_set,
    estimate_set,
    open_build,
    remove_set,
    switch_to_set,
    vector_sets,
)

from .operations import shared_library_operators_only


@shared_library_operators_only
@require_GET
def vectors_page(request: HttpRequest) -> HttpResponse:
    sets = vector_sets()
    context = {
        "section": "operations",
        "sets": [_set_context(one) for one in sets],
        "behind": next((one for one in sets if one.in_use and not one.set_up), None),
    }
    return render(request, "operations/vectors.html", context)


def _set_context(one: SetState) -> dict[str, Any]:
    """A set with the estimate of building it, or the job that builds it."""
    job = open_build(one.model)
    can_build = one.set_up and not one.in_use and job is None and not one.ready
    return {
        "set": one,
        "can_build": can_build,
        "estimate": estimate_line(estimate_set(one.model).to_dict()) if can_build else "",
        "job": outcome_of(job) if job else None,
        "can_remove": not one.in_use and job is None and (one.kept or one.vectors > 0),
    }


@shared_library_operators_only
@require_POST
def change_vectors(request: HttpRequest) -> HttpResponse:
    """Build, switch to or remove one model's vectors; the next page says what happened."""
    act = ACTS.get(request.POST.get("act", ""))
    if act is None:
        raise Http404("There is no such action.")
    try:
        messages.success(request, act(request, request.POST.get("model", "")))
    except WrongSet as error:
        messages.error(request, str(error))
    return redirect("desk:vectors")


def _build_vectors(request: HttpRequest, name: str) -> str:
    build_set(name, created_by=request.user)
    return (
        f"Vectors of {name} are being built. Searches work as before; documents uploaded meanwhile get both."
    )


def _switch_vectors(request: HttpRequest, name: str) -> str:
    before = switch_to_set(name)
    return f"Searches now use {name}. The vectors of {before} are kept, so that you can switch back."


def _remove_vectors(request: HttpRequest, name: str) -> str:
    return f"{remove_set(name):,} vectors of {name} were removed."


ACTS: Mapping[str, Callable[[HttpRequest, str], str]] = {
    "build": _build_vectors,
    "switch": _switch_vectors,
    "remove": _remove_vectors,
}
