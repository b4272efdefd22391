"""How people get an account, and a new password: the first account, the link of an invitation, and the reset."""

from typing import Any, cast

from celery import current_app
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.forms import PasswordResetForm, UserCreationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import PasswordResetConfirmView, PasswordResetView
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters

from desk.accounts.first_account import AccountExists, create_first_account, has_account, is_setup_key
from desk.accounts.login_throttle import count_try
from desk.passwords import RESET_TASK
from knowledge.access.membership import (
    MembershipRefused,
    accepted_invitation,
    find_invitation,
    school_in_words,
)
from knowledge.access.people import act_for, schools_of
from knowledge.models import Invitation, Membership
from knowledge.models.tenancy import Role


class AccountForm(UserCreationForm):  # type: ignore[type-arg]
    class Meta:
        model = User
        fields = ("username", "email")
        labels = {"username": "Name to sign in with", "email": "E-mail, for a new password"}


# --- the first account ---


@sensitive_post_parameters()
def first_account_page(request: HttpRequest) -> HttpResponse:
    """Makes the first account, a superuser, and on request its school; afterwards it leads to the sign-in page."""
    if has_account():
        return redirect("desk:login")
    key, school = request.POST.get("key", request.GET.get("key", "")), request.POST.get("school", "").strip()
    form = AccountForm(request.POST or None)
    if request.method != "POST":
        return _render_first(request, form, key, school)
    if not is_setup_key(key):
        return _render_first(request, form, key, school, refused="This is not the setup key.")
    if not form.is_valid():
        return _render_first(request, form, key, school)
    try:
        user = create_first_account(form.save, school)
    except AccountExists:
        return redirect("desk:login")
    except MembershipRefused as error:
        return _render_first(request, form, key, school, refused=str(error))
    login(request, user)
    if school:
        act_for(request, schools_of(user, Role.OPERATOR)[0])
    messages.success(request, "Your account is made. It may do everything here. Now invite your people.")
    return redirect("desk:people")


def _render_first(
    request: HttpRequest, form: AccountForm, key: str, school: str, refused: str = ""
) -> HttpResponse:
    context = {"form": form, "key": key, "school": school, "refused": refused}
    status = 400 if refused or form.errors else 200
    return render(request, "registration/first_account.html", context, status=status)


# --- an invitation ---


@sensitive_post_parameters()
def invitation_page(request: HttpRequest, secret: str) -> HttpResponse:
    """Whoever has the link joins the school, with the account that is signed in or with a new one."""
    now = timezone.now()
    try:
        invitation = find_invitation(secret, now)
        if request.user.is_authenticated:
            return _join_signed_in(request, invitation, secret)
        form = AccountForm(request.POST or None, initial={"email": invitation.email})
        if request.method == "POST" and form.is_valid():
            with transaction.atomic(), accepted_invitation(secret, now) as accepted:
                accepted.used_by = form.save()
            login(request, cast(User, accepted.used_by))
            return _welcome(request, accepted)
    except MembershipRefused as error:
        return render(request, "registration/invitation.html", {"refused": str(error)}, status=410)
    status = 400 if form.errors else 200
    return render(
        request, "registration/invitation.html", _invitation_context(invitation, form), status=status
    )


def _join_signed_in(request: HttpRequest, invitation: Invitation, secret: str) -> HttpResponse:
    user = cast(User, request.user)
    held = Membership.objects.filter(user=user, tenant=invitation.tenant_id, role=invitation.role)
    context = _invitation_context(invitation, None) | {"holds": held.exists()}
    if request.method != "POST" or context["holds"]:
        return render(request, "registration/invitation.html", context)
    with accepted_invitation(secret, timezone.now()) as accepted:
        accepted.used_by = user
    return _welcome(request, accepted)


def _invitation_context(invitation: Invitation, form: AccountForm | None) -> dict[str, Any]:
    return {"invitation": invitation, "school": school_in_words(invitation.tenant), "form": form}


def _welcome(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    act_for(request, invitation.tenant)
    role, school = invitation.role, school_in_words(invitation.tenant)
    messages.success(request, f"Welcome to {school}. Your role there: {role}.")
    return redirect("desk:home")


# --- a new password ---


class PasswordReset(PasswordResetView):
    """Says the same for every address; a worker looks for accounts and mails the links (`desk.tasks`)."""

    template_name = "registration/reset.html"
    success_url = reverse_lazy("desk:password_reset")
    extra_context = {"prints_mail": settings.ENV.mail_server is None}

    def form_valid(self, form: PasswordResetForm) -> HttpResponse:
        email = form.cleaned_data["email"]
        refusal = count_try(str(self.request.META.get("REMOTE_ADDR", "")), f"reset {email}")
        if refusal:
            context = self.get_context_data(form=form, refused=refusal.text)
            headers = {"Retry-After": str(refusal.seconds)}
            return self.render_to_response(context, status=refusal.status, headers=headers)
        current_app.send_task(
            RESET_TASK, args=[email, self.request.get_host(), self.request.is_secure()], expires=3600
        )
        where = "on its way there" if settings.ENV.mail_server else "printed in the log of the worker"
        messages.success(
            self.request, f"If an account has the address {email}, a link is {where}. It works for a day."
        )
        return redirect(self.get_success_url())


class NewPassword(PasswordResetConfirmView):
    template_name = "registration/new_password.html"
    success_url = reverse_lazy("desk:login")

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, "Your password is changed. Sign in with the new one.")
        return super().form_valid(form)
