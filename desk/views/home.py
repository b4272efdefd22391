"""The first page for reviewers and operators, the page about HeyDPE, and the choice of a school."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from curation.queue import STATES
from curation.selectors import claims_for
from exams.models import Dispute
from knowledge.access.people import SCHOOL, acts_for, schools_of, slug_of
from knowledge.documents.queries import documents_of_operator, jobs_of_operator
from knowledge.models import Chunk
from knowledge.models.documents import DocumentStatus
from knowledge.models.telemetry import JobState
from knowledge.models.tenancy import Role


@login_required
def home_page(request: HttpRequest) -> HttpResponse:
    """What waits for a reviewer and an operator, in numbers; students go to their desk."""
    operator, reviewer = schools_of(request.user, Role.OPERATOR), schools_of(request.user, Role.REVIEWER)
    if not (operator or reviewer):
        return redirect("exams:desk")
    context: dict[str, Any] = {"operator": None, "reviewer": None}
    if reviewer:
        waiting = STATES["waiting"]
        context["reviewer"] = claims_for(request.user).aggregate(
            pending=Count("id", filter=waiting & Q(stale=False)),
            urgent=Count("id", filter=waiting & Q(stale=False, priority="P0")),
            stale=Count("id", filter=waiting & Q(stale=True)),
        )
        open_disputes = Dispute.objects.filter(
            acts_for(request.user, Role.REVIEWER, field="exam__tenant"), resolved=False
        )
        context["reviewer"]["disputes"] = open_disputes.count()
    if operator:
        own = documents_of_operator(request.user)
        context["operator"] = {
            **own.aggregate(
                documents=Count("id", filter=Q(status=DocumentStatus.PUBLISHED)),
                drafts=Count("id", filter=Q(status=DocumentStatus.DRAFT)),
            ),
            **jobs_of_operator(request.user).aggregate(
                running=Count("id", filter=Q(state__in=[JobState.QUEUED, JobState.RUNNING])),
                failed=Count("id", filter=Q(state=JobState.FAILED)),
            ),
            "chunks": Chunk.objects.filter(document__in=own).count(),
        }
    return render(request, "desk/home.html", context)


def about_page(request: HttpRequest) -> HttpResponse:
    return render(request, "desk/about.html")


@login_required
@require_POST
def choose_school(request: HttpRequest) -> HttpResponse:
    """The school that the pages act for. It is kept in the session; every request checks the role there again."""
    chosen = request.POST.get("school", "")
    schools = {slug_of(one): one for one in schools_of(request.user)}
    if chosen not in schools:
        raise PermissionDenied("You are not a member of this school.")
    request.session[SCHOOL] = chosen
    messages.success(request, f"You now act for {schools[chosen] or 'the shared library'}.")
    target = request.POST.get("next", "")
    is_own = url_has_allowed_host_and_scheme(target, request.get_host(), require_https=request.is_secure())
    return redirect(target if is_own else "desk:home")
