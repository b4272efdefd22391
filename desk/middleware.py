"""What no person would send, and what is not there, is answered on a page of ours, with DEBUG too."""

from collections.abc import Callable

from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse

from desk.views import errors

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
        return None
