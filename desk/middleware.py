"""Headers for every answer, our own pages for errors (with DEBUG too), and what a request reads once."""

from collections.abc import Callable

from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed

from desk import errors
from knowledge.access.people import memberships_read_once
from knowledge.access.throttling import TooManyRequests

Answer = Callable[[HttpRequest], HttpResponse]


class OwnPages:
    """Our error pages with DEBUG too: people who try the product should not see Django's tables of URLs and settings.
    Only a bug of ours still shows Django's page."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """PostgreSQL cannot store a NUL: one in an address would cause an error further in."""
        if "\0" in request.path or "%00" in request.META.get("QUERY_STRING", ""):
            return errors.bad_request(request, BadRequest("An address cannot hold a NUL."))
        answer = self.get_response(request)
        return errors.not_allowed(request, answer) if isinstance(answer, HttpResponseNotAllowed) else answer

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, Http404):
            return errors.not_found(request, exception)
        if isinstance(exception, (BadRequest, SuspiciousOperation)):
            return errors.bad_request(request, exception)
        if isinstance(exception, errors.AWAY):
            return errors.unavailable(request, exception)
        if isinstance(exception, TooManyRequests):
            return errors.too_many_requests(request, exception)
        return None


class KeptByNobody:
    """No proxy or browser caches a view's answer, so that nothing remains after a sign-out. Figures set their own cache
    time; static files never come here."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", "private, no-store")
        return response


class MembershipsReadOnce:
    """A request reads its user's memberships once (`knowledge.access.people`)."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with memberships_read_once():
            return self.get_response(request)
