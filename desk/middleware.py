"""What every answer carries; what no person would send, what is not there, and what has to wait gets a page of ours,
with DEBUG too."""

from collections.abc import Callable

from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase

from desk.services_away import AWAY
from desk.views import errors
from knowledge.access.throttling import TooManyRequests

Answer = Callable[[HttpRequest], HttpResponse]


class OwnPages:
    """Who tries the product out has DEBUG on, and would be shown Django's tables of addresses and settings where a
    view finds nothing. Errors of ours still are."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """PostgreSQL holds no text with a NUL: in an address it would be an error of ours further in."""
        if "\0" in request.path or "%00" in request.META.get("QUERY_STRING", ""):
            return errors.bad_request(request, BadRequest("An address cannot hold a NUL."))
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, Http404):
            return errors.not_found(request, exception)
        if isinstance(exception, (BadRequest, SuspiciousOperation)):
            return errors.bad_request(request, exception)
        if isinstance(exception, AWAY):
            return errors.unavailable(request, exception)
        if isinstance(exception, TooManyRequests):
            return errors.too_many_requests(request, exception)
        return None


class KeptByNobody:
    """What a view makes is for whoever asked for it: no proxy and no browser keeps it, so that nothing of it is there
    after a sign-out. Figures say themselves for how long one browser may keep them; static files never come here."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", "private, no-store")
        return response


class PagePolicy(CSPMiddleware):
    """The policy of the settings for our own pages, and another one for the admin's."""

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        parts = super().get_policy_parts(request, response, report_only)
        if request.path_info.startswith("/admin/") and not report_only:
            parts.config = settings.ADMIN_POLICY
        return parts
