"""Signing in and out, and the account page. With DEBUG the demo's three accounts have a button each."""

from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate, login, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView, LogoutView, redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from desk.login_throttle import NotCounting, forget_tries, seconds_to_wait, words_for
from knowledge.access.signed_in import ends_at, new_token, revoke_token, token_of
from knowledge.conf import TOKEN_DAYS

NOT_COUNTING = "Signing in is not possible just now, and no password is checked. Try again in a minute."
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

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            wait = seconds_to_wait(*_who(request))
        except NotCounting:
            return self._refused(NOT_COUNTING, 503, 60)
        return self._refused(words_for(wait), 429, wait) if wait else super().post(request, *args, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        forget_tries(*_who(self.request))
        return super().form_valid(form)

    def _refused(self, why: str, status: int, wait: int) -> HttpResponse:
        """The page again with the name, and without a look at the password."""
        form = AuthenticationForm(self.request, initial={"username": _who(self.request)[1]})
        context = self.get_context_data(form=form, refused=why)
        return self.render_to_response(context, status=status, headers={"Retry-After": str(wait)})


def _who(request: HttpRequest) -> tuple[str, str]:
    """The address that the server itself says, and the name that was typed."""
    return request.META.get("REMOTE_ADDR", ""), request.POST.get("username", "")


class SignOut(LogoutView):
    next_page = settings.LOGOUT_REDIRECT_URL


@require_POST
def demo_sign_in(request: HttpRequest) -> HttpResponse:
    """One button for each demo account; does not exist without DEBUG."""
    name = request.POST.get("account", "")
    if not settings.DEBUG or name not in DEMO_ACCOUNTS:
        raise Http404
    user = authenticate(request, username=name, password=settings.DEMO_PASSWORD)
    if user is None:
        return redirect("desk:login")
    login(request, user)
    target = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return HttpResponseRedirect(target if safe else settings.LOGIN_REDIRECT_URL)


def admin_sign_in(request: HttpRequest) -> HttpResponse:
    """The admin's own page for signing in would be a second door, with no count of guesses."""
    if request.user.is_authenticated:
        raise PermissionDenied("The admin is for reviewers and operators.")
    return redirect_to_login(request.GET.get("next", ""))


# --- the account page --------------------------------------------------------------------------------------------


@login_required
@require_GET
def account(request: HttpRequest) -> HttpResponse:
    return _account(request)


def _account(request: HttpRequest, status: int = 200, wait: int = 0, **more: Any) -> HttpResponse:
    token = token_of(request.user)
    context = {
        "section": "account",
        "form": PasswordChangeForm(cast(User, request.user)),
        "token": token,
        "token_ends": ends_at(token) if token else None,
        "token_days": TOKEN_DAYS,
        **more,
    }
    page = render(request, "registration/account.html", context, status=status)
    if wait:
        page["Retry-After"] = str(wait)
    return page


@sensitive_post_parameters()
@login_required
@require_POST
def change_password(request: HttpRequest) -> HttpResponse:
    """The new password ends the API token, the other sessions, and the live exams that they hold open."""
    form = PasswordChangeForm(cast(User, request.user), request.POST)
    refused = _guess_refused(request, "form_refused")
    if refused:
        return refused
    if not form.is_valid():
        if "old_password" not in form.errors:
            _forget_guess(request)
        return _account(request, 400, form=form)
    _forget_guess(request)
    update_session_auth_hash(request, form.save())
    messages.success(
        request, "Your password is changed. Other devices are signed out, and the API token is revoked."
    )
    return redirect("desk:account")


@sensitive_post_parameters()
@login_required
@require_POST
def sign_out_everywhere(request: HttpRequest) -> HttpResponse:
    """The same password, hashed anew: no other session has this hash, and the API token goes with the old one."""
    refused = _guess_refused(request, "everywhere_refused")
    if refused:
        return refused
    user, password = cast(User, request.user), request.POST.get("password", "")
    if not user.check_password(password):
        return _account(request, 400, everywhere_refused="That is not your password.")
    _forget_guess(request)
    user.set_password(password)
    user.save(update_fields=["password"])
    update_session_auth_hash(request, user)
    messages.success(request, "You are signed out everywhere but here, and the API token is revoked.")
    return redirect("desk:account")


@login_required
@require_POST
def change_token(request: HttpRequest) -> HttpResponse:
    """Make a new token, which ends the one before, or revoke it. The new one is shown on this page alone, once."""
    if "revoke" not in request.POST:
        return _account(request, fresh=new_token(request.user).key)
    revoke_token(request.user)
    messages.success(request, "Your API token is revoked.")
    return redirect("desk:account")


def _guess_refused(request: HttpRequest, place: str) -> HttpResponse | None:
    """The page with the reason, where the password is not even looked at: a session that was left open is no place
    to guess either."""
    try:
        wait = seconds_to_wait(*_account_tries(request))
    except NotCounting:
        return _account(request, 503, 60, **{place: NOT_COUNTING})
    return _account(request, 429, wait, **{place: words_for(wait)}) if wait else None


def _forget_guess(request: HttpRequest) -> None:
    forget_tries(*_account_tries(request))


def _account_tries(request: HttpRequest) -> tuple[str, str]:
    return request.META.get("REMOTE_ADDR", ""), request.user.get_username()
