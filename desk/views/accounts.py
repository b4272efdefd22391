"""Signing in and out, and the account page. With DEBUG each of the demo's three accounts has a button."""

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

from desk.login_throttle import Refusal, count_try, forget_tries
from knowledge.access.signed_in import ends_at, new_token, revoke_token, token_of
from knowledge.conf import TOKEN_DAYS

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
    token = token_of(request.user)
    context = {
        "section": "account",
        "form": PasswordChangeForm(cast(User, request.user)),
        "token": token,
        "token_ends": ends_at(token) if token else None,
        "token_days": TOKEN_DAYS,
        **more,
    }
    return render(request, "registration/account.html", context, status=status)


def _count_own_try(request: HttpRequest) -> Refusal | None:
    """A session that was left open is no place to guess the password either."""
    return count_try(_address_of(request), request.user.get_username())


def _render_refusal(request: HttpRequest, refusal: Refusal, place: str) -> HttpResponse:
    page = _render_account(request, refusal.status, **{place: refusal.text})
    page["Retry-After"] = str(refusal.seconds)
    return page


@sensitive_post_parameters()
@login_required
@require_POST
def change_password(request: HttpRequest) -> HttpResponse:
    """The new password revokes the API token and ends the other sessions and their live exams."""
    if refusal := _count_own_try(request):
        return _render_refusal(request, refusal, "form_refused")
    form = PasswordChangeForm(cast(User, request.user), request.POST)
    is_valid = form.is_valid()
    if "old_password" not in form.errors:
        forget_tries(_address_of(request), request.user.get_username())
    if not is_valid:
        return _render_account(request, 400, form=form)
    update_session_auth_hash(request, form.save())
    messages.success(
        request, "Your password is changed. Other devices are signed out, and the API token is revoked."
    )
    return redirect("desk:account")


@sensitive_post_parameters()
@login_required
@require_POST
def sign_out_everywhere(request: HttpRequest) -> HttpResponse:
    """Hash the same password again: no other session has the new hash, and the API token is revoked."""
    if refusal := _count_own_try(request):
        return _render_refusal(request, refusal, "everywhere_refused")
    user, password = cast(User, request.user), request.POST.get("password", "")
    if not user.check_password(password):
        return _render_account(request, 400, everywhere_refused="That is not your password.")
    forget_tries(_address_of(request), user.get_username())
    user.set_password(password)
    user.save(update_fields=["password"])
    update_session_auth_hash(request, user)
    messages.success(request, "You are signed out on all other devices, and the API token is revoked.")
    return redirect("desk:account")


@login_required
@require_POST
def change_token(request: HttpRequest) -> HttpResponse:
    """Revoke the token, or replace it by a new one, which is shown once."""
    if "revoke" not in request.POST:
        return _render_account(request, fresh=new_token(request.user).key)
    revoke_token(request.user)
    messages.success(request, "Your API token is revoked.")
    return redirect("desk:account")
