"""Charge a request before it is done, for pages and the API alike.

An API view has `throttle_cost` (a number, or a function of the request); a page is decorated with `charge_page`. The
settings say which throttles count and how much anybody may spend in a minute.
"""

import math
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from rest_framework.settings import api_settings

from knowledge import conf
from knowledge.whole_numbers import whole_number

Cost = int | Callable[[Any], int]
View = Callable[..., HttpResponse]


class TooManyRequests(Exception):
    """The request was refused; it may be repeated after `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__(
            f"That was a lot within a minute. Wait {in_words(seconds)}, then try again; nothing is lost."
        )
        self.seconds = seconds


def in_words(seconds: int) -> str:
    return "a second" if seconds == 1 else f"{seconds} seconds"


class Door:
    """The attributes that a throttle reads from a view."""

    def __init__(self, scope: str = "", cost: Cost = 0) -> None:
        self.throttle_scope, self.throttle_cost = scope or None, cost


def seconds_to_wait(request: HttpRequest, door: Door) -> int:
    """0 if the request may be done now; then it is counted."""
    kinds: Any = api_settings.DEFAULT_THROTTLE_CLASSES
    refused = [
        throttle for throttle in (kind() for kind in kinds) if not throttle.allow_request(request, door)
    ]
    return max((math.ceil(one.wait() or 1) for one in refused), default=0)


def charge_page(cost: Cost, *, methods: tuple[str, ...] = ("GET", "POST")) -> Callable[[View], View]:
    """Decorate a page that is charged. Raises TooManyRequests, which middleware answers with a page."""

    def paid(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method in methods:
                wait = seconds_to_wait(request, Door(cost=cost))
                if wait:
                    raise TooManyRequests(wait)
            return view(request, *args, **kwargs)

        answer.throttle_cost = cost  # type: ignore[attr-defined]  # so that a test can list what is charged
        return answer

    return paid


def cost_of(door: Any, request: Any) -> int:
    cost: Cost = getattr(door, "throttle_cost", 0)
    return cost(request) if callable(cost) else cost


def job_cost(request: HttpRequest) -> int:
    """Of a change that is named in the address or in the form: what begins a job costs, cancelling one never does."""
    named = request.resolver_match.kwargs if request.resolver_match else {}
    acts = {named.get("what"), named.get("act"), request.POST.get("act")}
    return conf.DOCUMENT_COST if acts & {"rechunk", "recognise", "retry", "start", "build"} else 0


def upload_cost(request: Any) -> int:
    """By the size of the body; a request that does not state it counts as the largest file."""
    size = whole_number(request.META.get("CONTENT_LENGTH") or "")
    size = settings.UPLOAD_LIMIT_BYTES if size is None else size
    return max(1, math.ceil(size / conf.UPLOAD_BYTES_A_POINT))
