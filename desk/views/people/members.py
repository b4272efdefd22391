"""The people of a school: its operators invite, change roles and remove; operators of the library add schools.

Whoever is named in a form is looked for among the members of a school that the person operates.
"""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_POST

from desk.conf import INVITED_AT_ONCE, MAIL_RETRY_FIRST
from desk.views.health import worker_away
from exams.exchange.session import end_exams_at
from knowledge.access.membership import (
    MembershipRefused,
    add_school,
    change_role,
    remove_member,
    school_in_words,
)
from knowledge.access.people import act_for, chosen_school, may_act_for, schools_of, slug_of
from knowledge.access.throttling import charge_page
from knowledge.models import Invitation, Membership, Tenant
from knowledge.models.accounts import MailState
from knowledge.models.tenancy import Role
from knowledge.whole_numbers import whole_number

from .invitations import InviteForm, invitation_cost, invite_people


def _operated_schools(request: HttpRequest) -> list[Tenant | None]:
    """Raises PermissionDenied if the person operates none."""
    user = request.user
    held = [None, *Tenant.objects.all()] if user.is_superuser else schools_of(user, Role.OPERATOR)
    if not held:
        raise PermissionDenied("The people of a school are its operators' business.")
    return held


def _school_in(request: HttpRequest, held: list[Tenant | None]) -> Tenant | None:
    """The school that the form or the address names, else the one that the person acts for, else the first school."""
    by_slug = {slug_of(school): school for school in held}
    named = request.POST.get("school", request.GET.get("school", ""))
    if named and named not in by_slug:
        raise PermissionDenied("You are no operator of this school.")
    chosen = named or chosen_school(request)
    return by_slug[chosen] if chosen in by_slug else next((one for one in held if one), held[0])


@login_required
@require_GET
def people_page(request: HttpRequest) -> HttpResponse:
    held = _operated_schools(request)
    return _render_people(request, held, _school_in(request, held))


def _render_people(
    request: HttpRequest, held: list[Tenant | None], school: Tenant | None, status: int = 200, **more: Any
) -> HttpResponse:
    members = (
        Membership.objects.filter(tenant=school).select_related("user").order_by("user__username", "role")
    )
    context = {
        "section": "operations",
        "school": school,
        "school_name": school_in_words(school),
        "held": [(slug_of(one), school_in_words(one)) for one in held],
        "members": members,
        **_open_invitations(school),
        "roles": Role.choices,
        "may_add": may_act_for(request.user, Role.OPERATOR, None),
        "form": InviteForm(),
        "invited_at_once": INVITED_AT_ONCE,
        **more,
    }
    return render(request, "operations/people.html", context, status=status)


def _open_invitations(school: Tenant | None) -> dict[str, Any]:
    waiting = Invitation.objects.filter(tenant=school, used_at=None).select_related("created_by", "mail")
    now = timezone.now()
    due = [
        (one.mail.due_at, one.mail.state)
        for one in waiting
        if hasattr(one, "mail") and one.mail.due_at and one.expires_at > now
    ]
    away = worker_away() if due else ""
    soon = now + MAIL_RETRY_FIRST
    return {
        "slug": slug_of(school),
        "waiting": waiting,
        "now": now,
        "away": away,
        "prints_mail": settings.ENV.mail_server is None,
        "asks_again": not away and any(at < soon or state == MailState.SENDING for at, state in due),
    }


@login_required
@require_GET
def invitations_now(request: HttpRequest) -> HttpResponse:
    """The open invitations, asked for again while a mail is about to be sent."""
    school = _school_in(request, _operated_schools(request))
    return render(request, "operations/invitations.html", _open_invitations(school))


def _back_to(school: Tenant | None) -> HttpResponse:
    return redirect(f"{reverse('desk:people')}?school={slug_of(school)}")


@login_required
@require_POST
@charge_page(invitation_cost)
def invite_by_form(request: HttpRequest) -> HttpResponse:
    """Shows each link once; it is mailed as well if there is an address. The lines of those who could not be invited
    stay in the form."""
    held = _operated_schools(request)
    school = _school_in(request, held)
    form = InviteForm(request.POST)
    if not form.is_valid():
        return _render_people(request, held, school, 400, form=form)
    results = invite_people(request, school, **form.cleaned_data)
    left = [one.person.line for one in results if not one.link]
    again = InviteForm(initial={"people": "\n".join(left), "role": form.cleaned_data["role"]})
    status = 400 if len(left) == len(results) else 200
    return _render_people(request, held, school, status, form=again, results=results)


@login_required
@require_POST
def change_member(request: HttpRequest) -> HttpResponse:
    """Another role for a member, or none at this school."""
    school = _school_in(request, _operated_schools(request))
    number = whole_number(request.POST.get("member", "")) or 0
    member = get_object_or_404(Membership.objects.select_related("user", "tenant"), pk=number, tenant=school)
    name = member.user.get_username()
    try:
        if "remove" in request.POST:
            remove_member(school, member.user)
            end_exams_at(school, member.user)
            messages.success(request, f"{name} is removed from {school_in_words(school)} and signed out.")
        else:
            change_role(member, request.POST.get("role", ""))
            messages.success(
                request, f"{name} is now {request.POST.get('role')} of {school_in_words(school)}."
            )
    except MembershipRefused as error:
        messages.error(request, str(error))
    if not request.user.is_superuser and school not in schools_of(request.user, Role.OPERATOR):
        return redirect("desk:home")
    return _back_to(school)


@login_required
@require_POST
def withdraw_invitation(request: HttpRequest) -> HttpResponse:
    school = _school_in(request, _operated_schools(request))
    number = whole_number(request.POST.get("invitation", "")) or 0
    gone = Invitation.objects.filter(Q(pk=number), tenant=school, used_at=None).delete()[0]
    if gone:
        messages.success(request, "The invitation is withdrawn; its link no longer works.")
    else:
        messages.error(request, "This invitation was withdrawn or used before.")
    return _back_to(school)


@login_required
@require_POST
def add_school_here(request: HttpRequest) -> HttpResponse:
    """A school, whose first operator is whoever adds it."""
    if not may_act_for(request.user, Role.OPERATOR, None):
        raise PermissionDenied("Schools are added by operators of the shared library.")
    name = " ".join(request.POST.get("name", "").split())
    slug = request.POST.get("slug", "").strip() or slugify(name)
    try:
        school = add_school(slug, name, by=request.user)
    except MembershipRefused as error:
        held = _operated_schools(request)
        return _render_people(
            request,
            held,
            _school_in(request, held),
            400,
            school_refused=str(error),
            new_name=name,
            new_slug=request.POST.get("slug", "").strip(),
        )
    act_for(request, school)
    messages.success(
        request, f"{school} is added. You are its first operator and act for it now. Invite its people."
    )
    return _back_to(school)
