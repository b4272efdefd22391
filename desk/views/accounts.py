"""Signing in and out. With DEBUG the demo's three accounts have a button each."""

import math
from typing import Any

from django.conf import settings
from django.contrib.auth import authenticate, login
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView, redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from desk.guessing import NotCounting, forget_tries, seconds_to_wait

DEMO_ACCOUNTS = {
    "student": "take an oral",
    "reviewer": "approve claims",
    "operator": "feed in documents",
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
            return self._refused("Signing in is not possible just now. Try again in a minute.", 503, 60)
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


def words_for(wait: int) -> str:
    minutes = math.ceil(wait / 60)
    when = f"{minutes} minutes" if minutes > 1 else "a minute"
    return f"Too many tries with this name. Nothing was checked; try again in {when}."


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
