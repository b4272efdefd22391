"""The operator's library as a table, and changes of many documents at once."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from desk.conf import BULK_SECONDS
from desk.operations.library import (
    DOCUMENT_ACTS,
    EDITIONS,
    HOLDINGS,
    SORTS,
    STATUSES,
    change_documents,
    count_holdings,
    documents_found,
    filter_choices,
    with_holdings,
)
from desk.operations.tables import Outcome, table_of
from knowledge.access.throttling import charge_page
from knowledge.conf import DOCUMENT_COST
from knowledge.models.documents import DocType

from .operations import operators_only

NAMED = 5  # rows that a message names one by one
DONE = {
    "publish": "published",
    "archive": "archived",
    "rechunk": "queued to be divided into passages again",
    "extract": "queued for the extraction of claims",
    "checked": "still in force and will be due for a check again later",
    "trash": "moved to the trash",
    "restore": "brought back from the trash",
    "delete": "deleted for good",
}
BUTTONS = (
    ("publish", "Publish", ""),
    ("archive", "Archive", ""),
    ("rechunk", "Divide into passages again", ""),
    ("extract", "Extract claims", ""),
    ("checked", "Still in force", ""),
    ("trash", "Move to the trash", "danger"),
)
BUTTONS_OF_TRASH = (("restore", "Bring back", "primary"), ("delete", "Delete for good", "danger"))
"""The changes that the table offers: the value sent, its words, the look of the button."""


@operators_only
@require_GET
def library_page(request: HttpRequest) -> HttpResponse:
    today = timezone.now().date()
    found = documents_found(request.user, request.GET, today)
    sorted_by_holding = request.GET.get("sort", "").removeprefix("-") in HOLDINGS
    table = table_of(with_holdings(found) if sorted_by_holding else found, request.GET, SORTS, "-added")
    if not sorted_by_holding:
        count_holdings(list(table.page))
    in_trash = request.GET.get("status") == "trash"
    context = {
        "section": "operations",
        "table": table,
        "rows": table.page,
        "today": today,
        "kinds": DocType.choices,
        "statuses": STATUSES,
        "editions": EDITIONS,
        "in_trash": in_trash,
        "acts": BUTTONS_OF_TRASH if in_trash else BUTTONS,
        **filter_choices(request.user),
    }
    return render(request, "operations/library.html", context)


@operators_only
@require_POST
@charge_page(DOCUMENT_COST)
def change_library(request: HttpRequest) -> HttpResponse:
    """Change the documents whose boxes are ticked, or all that fit the filter."""
    act = request.POST.get("act", "")
    if act not in DOCUMENT_ACTS:
        raise Http404("There is no such change.")
    query = request.POST.get("query", "")
    back = redirect(reverse("desk:library") + (f"?{query}" if query else ""))
    tell_outcome(request, change_documents(act, request.user, request.POST), "document", DONE[act])
    return back


def tell_outcome(request: HttpRequest, outcome: Outcome, word: str, done: str) -> None:
    """Say on the next page what a change of many rows did, and what it left out."""
    if outcome == Outcome():
        all_of_them = "everything" in request.POST
        messages.error(
            request, f"No {word} that fits needs this." if all_of_them else f"Choose at least one {word}."
        )
    if outcome.done:
        subject = f"1 {word} is" if outcome.done == 1 else f"{outcome.done:,} {word}s are"
        messages.success(request, f"{subject} {done}.")
    if outcome.rest:
        messages.warning(
            request,
            f"{outcome.rest:,} more of them were not reached in {BULK_SECONDS} seconds. Do the same again to go on.",
        )
    for line in outcome.left[:NAMED]:
        messages.error(request, line)
    if len(outcome.left) > NAMED:
        messages.error(request, f"{len(outcome.left) - NAMED:,} more {word}s were left as they are.")
