"""What went wrong, on a page that says what to do next."""

import sys

import structlog
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from desk.conf import RETRY_AFTER_SECONDS
from desk.services_away import AWAY, MESSAGE
from knowledge.access.people import WhichSchool, slug_of
from knowledge.access.throttling import TooManyRequests

log = structlog.get_logger(__name__)

PAGES = {
    400: ("That request could not be read.", "Go back and try again."),
    403: ("This page is not for your account.", "Sign in with an account that has the right role."),
    404: ("There is nothing at this address.", "It may have been deleted, or it belongs to somebody else."),
    500: ("Something broke on our side.", "Nothing you entered was graded. Try again in a moment."),
}


def _page(request: HttpRequest, status: int) -> HttpResponse:
    what, then = PAGES[status]
    if request.path.startswith("/api/"):
        return JsonResponse({"code": f"http_{status}", "message": what, "fields": {}}, status=status)
    return render(request, "error.html", {"what": what, "then": then, "status": status}, status=status)


def too_many_requests(request: HttpRequest, exception: TooManyRequests) -> HttpResponse:
    context = {"what": "You have to wait for a moment.", "then": str(exception), "status": 429}
    headers = {"Retry-After": str(exception.seconds)}
    return HttpResponse(render_to_string("error.html", context, request), status=429, headers=headers)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if not isinstance(exception, WhichSchool):
        return _page(request, 400)
    schools = [(slug_of(school), school or "The shared library") for school in exception.schools]
    return render(request, "desk/which_school.html", {"choice": schools}, status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    error = sys.exc_info()[1]
    return unavailable(request, error) if isinstance(error, AWAY) else _page(request, 500)


def unavailable(request: HttpRequest, exception: BaseException) -> HttpResponse:
    """The page knows nobody, since who is signed in stands in the database. What was only looked at is asked for again
    by the page itself; a form is sent again by the person who filled it in."""
    log.warning("service_away", path=request.path, error=str(exception))
    if request.path.startswith("/api/"):
        body = {"code": "service_away", "message": MESSAGE, "fields": {}}
        answer: HttpResponse = JsonResponse(body, status=503)
    else:
        again = RETRY_AFTER_SECONDS if request.method == "GET" else None
        page = {"what": "HeyDPE is away for a moment.", "then": MESSAGE, "status": 503, "again": again}
        answer = render(None, "error.html", page, status=503)  # type: ignore[arg-type]  # without a request
    answer["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return answer
