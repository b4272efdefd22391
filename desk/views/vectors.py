"""The vectors that searches read, model by model: what there is, building another's beside them, the switch."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from desk.operations.job_status import outcome_of
from knowledge.access.people import may_act_for
from knowledge.ingestion.chunking.token_counting import estimate_line
from knowledge.ingestion.vectors.sets import (
    SetState,
    WrongSet,
    build_set,
    estimate_set,
    open_build,
    remove_set,
    switch_to,
    vector_sets,
)
from knowledge.models.tenancy import Role

View = Callable[[HttpRequest], HttpResponse]


def house_operators_only(view: View) -> View:
    """Vectors belong to the whole house: an operator of one school alone does not change them."""

    @login_required
    @wraps(view)
    def checked(request: HttpRequest) -> HttpResponse:
        if not may_act_for(request.user, Role.OPERATOR, None):
            raise PermissionDenied("Only operators of the shared library may do this.")
        return view(request)

    return checked


@house_operators_only
@require_GET
def index(request: HttpRequest) -> HttpResponse:
    sets = vector_sets()
    context = {
        "section": "operations",
        "sets": [_row(one) for one in sets],
        "behind": next((one for one in sets if one.in_use and not one.set_up), None),
    }
    return render(request, "operations/vectors.html", context)


def _row(one: SetState) -> dict[str, Any]:
    """A set with its estimate where something is to be built, or the job that builds it."""
    job = open_build(one.model)
    can_build = one.set_up and not one.in_use and job is None and not one.ready
    return {
        "set": one,
        "can_build": can_build,
        "estimate": estimate_line(estimate_set(one.model).to_dict()) if can_build else "",
        "job": outcome_of(job) if job else None,
        "can_remove": not one.in_use and job is None and (one.kept or one.vectors > 0),
    }


@house_operators_only
@require_POST
def change(request: HttpRequest) -> HttpResponse:
    """One act on one model's vectors; what became of it is said on the next page."""
    act = ACTS.get(request.POST.get("act", ""))
    if act is None:
        raise Http404("There is no such act.")
    try:
        messages.success(request, act(request, request.POST.get("model", "")))
    except WrongSet as error:
        messages.error(request, str(error))
    return redirect("desk:vectors")


def _build(request: HttpRequest, name: str) -> str:
    build_set(name, created_by=request.user)
    return (
        f"Vectors of {name} are being built. Searches go on as before; what is uploaded meanwhile gets both."
    )


def _switch(request: HttpRequest, name: str) -> str:
    before = switch_to(name)
    return f"Searches use {name} from now on. The vectors of {before} stay, so that you can switch back."


def _remove(request: HttpRequest, name: str) -> str:
    return f"{remove_set(name):,} vectors of {name} are removed."


ACTS: Mapping[str, Callable[[HttpRequest, str], str]] = {
    "build": _build,
    "switch": _switch,
    "remove": _remove,
}
