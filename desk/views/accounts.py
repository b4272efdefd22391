"""Signing in and out. With DEBUG the demo's three accounts have a button each."""

from django.conf import settings
from django.contrib.auth import authenticate, login
from django.contrib.auth.views import LoginView, LogoutView
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

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
