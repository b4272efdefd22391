"""The vectors that searches read, model by model: build a set beside the one in use, switch, remove."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from desk.operations.job_status import JobStatus
from knowledge.access.throttling import charge_page, job_cost
from knowledge.ingestion.chunking.token_counting import estimate_line
from knowledge.ingestion.vectors.sets import (
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
    """Each set of vectors with the estimate of building it, or the job that builds it."""
    sets = vector_sets()
    rows: list[dict[str, Any]] = []
    for one in sets:
        job = open_build(one.model)
        can_build = one.set_up and not one.in_use and job is None and not one.ready
        rows.append(
            {
                "set": one,
                "can_build": can_build,
                "estimate": estimate_line(estimate_set(one.model).to_dict()) if can_build else "",
                "job": JobStatus(job) if job else None,
                "can_remove": not one.in_use and job is None and (one.kept or one.vectors > 0),
            }
        )
    context = {
        "section": "operations",
        "sets": rows,
        "behind": next((one for one in sets if one.in_use and not one.set_up), None),
    }
    return render(request, "operations/vectors.html", context)


@shared_library_operators_only
@require_POST
@charge_page(job_cost)
def change_vectors(request: HttpRequest) -> HttpResponse:
    """Build, switch to or remove one model's vectors; the next page says what happened."""
    name = request.POST.get("model", "")
    try:
        match request.POST.get("act", ""):
            case "build":
                build_set(name, created_by=request.user)
                said = (
                    f"Vectors of {name} are being built. Searches work as before; documents uploaded meanwhile"
                    " get both."
                )
            case "switch":
                before = switch_to_set(name)
                said = (
                    f"Searches now use {name}. The vectors of {before} are kept, so that you can switch back."
                )
            case "remove":
                said = f"{remove_set(name):,} vectors of {name} were removed."
            case _:
                raise Http404("There is no such action.")
    except WrongSet as error:
        messages.error(request, str(error))
    else:
        messages.success(request, said)
    return redirect("desk:vectors")
