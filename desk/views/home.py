"""The first page for reviewers and operators, the page about HeyDPE, and the choice of a school."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.defaultfilters import pluralize
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from curation.graph.decisions import concepts_for, relations_for
from curation.item_review import count_items
from curation.queue import STATES
from curation.selectors import claims_for
from exams.models import Dispute
from knowledge.access.people import act_for, acts_for, read_memberships, schools_of, slug_of
from knowledge.documents.edition_checks import overdue_editions
from knowledge.documents.queries import documents_of_operator, jobs_of_operator
from knowledge.ingestion.jobs.jobs import OPEN_STATES
from knowledge.models.documents import DocumentStatus
from knowledge.models.graph import ConceptCategory, Priority, ValidationStatus
from knowledge.models.telemetry import JobState
from knowledge.models.tenancy import Role


@login_required
def home_page(request: HttpRequest) -> HttpResponse:
    """What waits for a reviewer and an operator; instructors go to their students, students to their desk."""
    if schools_of(request.user, Role.OPERATOR, Role.REVIEWER):
        documents = documents_of_operator(request.user).filter(trashed_at=None)
        context = {"waits": waits_for(request.user), "documents": documents}
        return render(request, "desk/home.html", context)
    if read_memberships(request.user, Role.INSTRUCTOR):
        return redirect("exams:class")
    return redirect("exams:desk")


@login_required
def admin_home_page(request: HttpRequest) -> HttpResponse:
    """The same page as the index of the admin, which students and instructors may not open."""
    if not schools_of(request.user, Role.OPERATOR, Role.REVIEWER):
        raise PermissionDenied("Only reviewers and operators may do this.")
    return home_page(request)


def waits_for(user: Any) -> dict[str, list[tuple[int, str, str]]]:
    """By section of the navigation: how many of what wait for a decision of this person, and the address of the page
    where it is made. Nine queries for somebody with both roles, at any size of the library."""
    waits: dict[str, list[tuple[int, str, str]]] = {}
    if schools_of(user, Role.REVIEWER):
        queue, graph = reverse("admin:curation_claim_queue"), reverse("admin:curation_graph_review")
        claims = claims_for(user).aggregate(
            urgent=Count("id", filter=STATES["waiting"] & Q(priority=Priority.P0)),
            others=Count("id", filter=STATES["waiting"] & ~Q(priority=Priority.P0)),
            aside=Count("id", filter=STATES["aside"]),
        )
        items = count_items(user)
        disputes = Dispute.objects.filter(
            acts_for(user, Role.REVIEWER, field="exam__tenant"), resolved=False
        ).aggregate(
            by_students=Count("id", filter=Q(by_sample=False)),
            by_sample=Count("id", filter=Q(by_sample=True)),
        )
        raised = f"{reverse('admin:exams_dispute_changelist')}?resolved__exact=0&by_sample__exact="
        waits["Verification"] = [
            (claims["urgent"], "P0 claim{}", f"{queue}?priority=P0"),
            (claims["others"], "P1 and P2 claim{}", queue),
            (claims["aside"], "claim{} deferred or flagged", f"{queue}?state=aside"),
            (items["waiting"], "item{}", reverse("admin:curation_item_queue")),
            (
                items["aside"],
                "item{} deferred or flagged",
                f"{reverse('admin:curation_item_queue')}?state=aside",
            ),
            (relations_for(user).filter(status=ValidationStatus.PENDING).count(), "relation{}", graph),
            (
                concepts_for(user)
                .filter(category=ConceptCategory.MISCONCEPTION, validation_status=ValidationStatus.PENDING)
                .count(),
                "wrong belief{}",
                f"{graph}?what=beliefs",
            ),
            (disputes["by_students"], "dispute{}", f"{raised}0"),
            (disputes["by_sample"], "sampled exchange{} to check", f"{raised}1"),
        ]
    if schools_of(user, Role.OPERATOR):
        documents = documents_of_operator(user).filter(trashed_at=None)
        jobs = jobs_of_operator(user).filter(dismissed_at=None)
        counted = jobs.aggregate(
            open=Count("id", filter=Q(state__in=OPEN_STATES)),
            failed=Count("id", filter=Q(state=JobState.FAILED)),
        )
        upkeep = reverse("desk:upkeep")
        waits["Operations"] = [
            (counted["open"], "job{} running or queued", f"{reverse('desk:jobs')}?state=open"),
            (counted["failed"], "failed job{}", f"{reverse('desk:jobs')}?state=failed"),
            (documents.filter(status=DocumentStatus.DRAFT).count(), "draft{}", f"{upkeep}#drafts"),
            (
                overdue_editions(documents, timezone.now().date()).count(),
                "edition{} to check",
                f"{upkeep}#due",
            ),
        ]
    return {
        section: [(count, words.format(pluralize(count)), url) for count, words, url in rows if count]
        for section, rows in waits.items()
    }


def about_page(request: HttpRequest) -> HttpResponse:
    return render(request, "desk/about.html")


@login_required
@require_POST
def choose_school(request: HttpRequest) -> HttpResponse:
    """The school that the pages act for. It is kept for later sessions; every request checks the role there again."""
    chosen = request.POST.get("school", "")
    schools = {slug_of(one): one for one in schools_of(request.user)}
    if chosen not in schools:
        raise PermissionDenied("You are not a member of this school.")
    act_for(request, schools[chosen])
    messages.success(request, f"You now act for {schools[chosen] or 'the shared library'}.")
    target = request.POST.get("next", "")
    is_own = url_has_allowed_host_and_scheme(target, request.get_host(), require_https=request.is_secure())
    return redirect(target if is_own else "desk:home")
