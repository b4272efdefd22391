"""A request that no person and no browser of theirs would send is refused before anything reads it."""

from collections.abc import Callable

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse

Answer = Callable[[HttpRequest], HttpResponse]


def refuse_nul(get_response: Answer) -> Answer:
    """A NUL in an address: PostgreSQL holds no text with one, so it would be an error of ours further in."""

    def answer(request: HttpRequest) -> HttpResponse:
        if "\0" in request.path or "%00" in request.META.get("QUERY_STRING", ""):
            raise BadRequest("An address cannot hold a NUL.")
        return get_response(request)

    return answer
