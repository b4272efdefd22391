"""Signing in and out, and the account page. With DEBUG each of the demo's three accounts has a button."""

from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate, login, logout, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView, LogoutView, redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from desk.accounts.first_account import has_account
from desk.accounts.login_throttle import count_try, forget_tries
from exams.exchange.session import end_exams_at
from knowledge.access.membership import MembershipRefused, remove_member, school_in_words
from knowledge.access.people import read_memberships, slug_of
from knowledge.access.sessions import end_sessions
from knowledge.access.signed_in import new_key, revoke_keys
from knowledge.conf import KEY_DAYS, KEYS_MOST
from knowledge.models import ApiKey
from knowledge.whole_numbers import whole_number

DEMO_ACCOUNTS = {
    "student": "take an oral",
    "reviewer": "approve claims",
    "operator": "upload documents",
}


class SignIn(LoginView):
    template_name = "registration/login.html"
    redirect_authenticated_user = True

    @property
    def extra_context(self) -> dict[str, object]:  # type: ignore[override]
        return {
            "demo_accounts": DEMO_ACCOUNTS if settings.DEBUG else {},
            "demo_password": settings.DEMO_PASSWORD,
        }

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not has_account():
            return redirect("desk:first_account")
        return super().get(request, *args, **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        address, name = _address_of(request), request.POST.get("username", "")
        refusal = count_try(address, name)
        if refusal is None:
            return super().post(request, *args, **kwargs)
        # The page again with the name; nobody looks at the password.
        form = AuthenticationForm(request, initial={"username": name})
        context = self.get_context_data(form=form, refused=refusal.text)
        headers = {"Retry-After": str(refusal.seconds)}
        return self.render_to_response(context, status=refusal.status, headers=headers)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        forget_tries(_address_of(self.request), self.request.POST.get("username", ""))
        return super().form_valid(form)


def _address_of(request: HttpRequest) -> str:
    """The connection's own address: anybody can write a header."""
    return str(request.META.get("REMOTE_ADDR", ""))


class SignOut(LogoutView):
    next_page = settings.LOGOUT_REDIRECT_URL


@require_POST
def demo_sign_in(request: HttpRequest) -> HttpResponse:
    """The button of a demo account; 404 without DEBUG."""
    name = request.POST.get("account", "")
    if not settings.DEBUG or name not in DEMO_ACCOUNTS:
        raise Http404
    user = authenticate(request, username=name, password=settings.DEMO_PASSWORD)
    if user is None:
        return redirect("desk:login")
    login(request, user)
    target = request.POST.get("next", "")
    is_own = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return HttpResponseRedirect(target if is_own else settings.LOGIN_REDIRECT_URL)


def admin_sign_in(request: HttpRequest) -> HttpResponse:
    """Redirect to our sign-in page: the admin's own would not count tries."""
    if request.user.is_authenticated:
        raise PermissionDenied("The admin is for reviewers and operators.")
    return redirect_to_login(request.GET.get("next", ""))


# --- the account page ---


@login_required
@require_GET
def account_page(request: HttpRequest) -> HttpResponse:
    return _render_account(request)


def _render_account(request: HttpRequest, status: int = 200, **more: Any) -> HttpResponse:
    user = cast(User, request.user)
    context = {
        "section": "account",
        "form": PasswordChangeForm(user),
        "keys": ApiKey.objects.filter(user=user),
        "now": timezone.now(),
        "key_days": KEY_DAYS,
        "memberships": read_memberships(user),
        **more,
    }
    return render(request, "registration/account.html", context, status=status)


@sensitive_post_parameters()
@login_required
@require_POST
def change_password(request: HttpRequest) -> HttpResponse:
    """The new password revokes the API keys and ends the other sessions and their live exams. A session that was left
    open is no place to guess the password: tries count."""
    address, name = _address_of(request), request.user.get_username()
    if refusal := count_try(address, name):
        page = _render_account(request, refusal.status, form_refused=refusal.text)
        page["Retry-After"] = str(refusal.seconds)
        return page
    form = PasswordChangeForm(cast(User, request.user), request.POST)
    is_valid = form.is_valid()
    if "old_password" not in form.errors:
        forget_tries(address, name)
    if not is_valid:
        return _render_account(request, 400, form=form)
    update_session_auth_hash(request, form.save())
    messages.success(
        request, "Your password is changed. Other devices are signed out, and your API keys are revoked."
    )
    return redirect("desk:account")


@login_required
@require_POST
def sign_out_everywhere(request: HttpRequest) -> HttpResponse:
    """End every session of the user, this one too, and revoke the API keys."""
    revoke_keys(request.user)
    end_sessions(request.user)
    logout(request)
    messages.success(request, "You are signed out on all devices, and your API keys are revoked.")
    return redirect("desk:login")


@login_required
@require_POST
def change_keys(request: HttpRequest) -> HttpResponse:
    """Revoke one of the user's API keys, or make a new one, which is shown once."""
    own = ApiKey.objects.filter(user=request.user.pk)
    if "revoke" in request.POST:
        number = whole_number(request.POST["revoke"])
        gone = own.filter(pk=number).delete()[0] if number is not None else 0
        messages.success(request, "The API key is revoked." if gone else "This API key was revoked before.")
        return redirect("desk:account")
    name = " ".join(request.POST.get("name", "").split())
    if not 0 < len(name) <= 60:
        return _render_account(request, 400, key_refused="Give the key a name of 1 to 60 characters.")
    if own.count() >= KEYS_MOST:
        return _render_account(
            request, 400, key_refused=f"You have {KEYS_MOST} API keys. Revoke one that you no longer use."
        )
    row, secret = new_key(request.user, name)
    return _render_account(request, fresh=secret, fresh_key=row)


@login_required
@require_POST
def leave_school(request: HttpRequest) -> HttpResponse:
    """The user leaves a school with all roles. Account and records stay."""
    held = {slug_of(row.tenant): row.tenant for row in read_memberships(request.user)}
    slug = request.POST.get("school", "")
    if slug not in held:
        return _render_account(request, 400, leave_refused="You are not a member of this school.")
    try:
        remove_member(held[slug], request.user)
    except MembershipRefused as error:
        return _render_account(request, 400, leave_refused=str(error))
    end_exams_at(held[slug], request.user)
    logout(request)
    messages.success(request, f"You have left {school_in_words(held[slug])}. Sign in again to go on.")
    return redirect("desk:login")
