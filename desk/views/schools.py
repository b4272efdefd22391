"""Choosing the school that the pages act for, where a person has several."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from knowledge.access.people import SCHOOL, schools_of, slug_of


@login_required
@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Kept in the session; every request asks anew whether the role is held there."""
    chosen = request.POST.get("school", "")
    school = {slug_of(one): one for one in schools_of(request.user)}
    if chosen not in school:
        raise PermissionDenied("You are not a member of this school.")
    request.session[SCHOOL] = chosen
    messages.success(request, f"You act for {school[chosen] or 'the shared library'} now.")
    then = request.POST.get("next", "")
    own = url_has_allowed_host_and_scheme(then, request.get_host(), require_https=request.is_secure())
    return redirect(then if own else "desk:home")
