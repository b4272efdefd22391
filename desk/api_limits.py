"""Limits of the API: rows per page, depth of JSON, and requests per minute.

The rates are counted in the cache and fail open, deliberately: they keep one client from crowding out the others, and a
short outage of Redis should not lock everybody out. `desk.accounts.login_throttle` guards passwords and fails closed;
the cap on open orals and the budget of model calls are rows of the database.
"""

import time
from collections.abc import Mapping
from typing import IO, TYPE_CHECKING, Any

import structlog
from django.core.cache import cache
from redis.exceptions import RedisError
from rest_framework.exceptions import ParseError
from rest_framework.pagination import PageNumberPagination
from rest_framework.parsers import JSONParser
from rest_framework.request import Request
from rest_framework.throttling import (
    AnonRateThrottle,
    ScopedRateThrottle,
    SimpleRateThrottle,
    UserRateThrottle,
)

from knowledge.access.people import paying_school_id
from knowledge.access.throttling import cost_of

if TYPE_CHECKING:  # the module of views reads these classes from the settings
    from rest_framework.views import APIView

log = structlog.get_logger(__name__)


class Pages(PageNumberPagination):
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 500


class ShallowJSONParser(JSONParser):
    """JSON nested deeper than Python can read is the client's mistake, not an error of the server."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        try:
            parsed: dict[str, Any] = super().parse(stream, media_type, parser_context)
        except RecursionError as error:
            raise ParseError("This JSON is nested too deeply to be read.") from error
        return parsed


# --- counting ---


def add_to_window(key: str, seconds: int, cost: int = 1, now: float | None = None) -> tuple[str, int, float]:
    """Add to the count of a window that begins with the first call and ends `seconds` later.

    The count is raised in one step, so that each of many calls at once counts. Returns the cache key of the count, the
    count, and the time when the window ends. The key contains the end, so that an old count never counts for a later
    window.
    """
    until = (now or time.time()) + seconds
    if not cache.add(f"{key}:until", until, seconds):
        until = cache.get(f"{key}:until") or until
    count_key = f"{key}:{until:.6f}"
    cache.add(count_key, 0, 2 * seconds)
    return count_key, int(cache.incr(count_key, cost)), until


class CountedRate(SimpleRateThrottle):
    """Refused requests cost nothing. A request that costs more than the whole rate gets a window of its own."""

    num_requests: int | None
    duration: int | None
    now: float
    until: float

    def request_cost(self, request: Request, view: "APIView") -> int:
        return 1

    def allow_request(self, request: Request, view: "APIView") -> bool:
        cost = self.request_cost(request, view)
        key = self.get_cache_key(request, view) if self.rate and cost else None
        if key is None or self.num_requests is None or self.duration is None:
            return True
        self.now = self.until = self.timer()
        cost = min(cost, self.num_requests)
        try:
            count_key, count, self.until = add_to_window(key, self.duration, cost, self.now)
            if count <= self.num_requests:
                return True
            cache.decr(count_key, cost)
        except (RedisError, OSError) as error:
            log.warning("throttle_away", scope=self.scope, error=str(error))
            return True
        return False

    def wait(self) -> float:
        """Seconds until the window ends."""
        return max(1.0, self.until - self.now)


class AddressRate(CountedRate, AnonRateThrottle):
    """For each address of clients who are not signed in."""


class UserRate(CountedRate, UserRateThrottle):
    """For each user."""


class ScopeRate(ScopedRateThrottle, CountedRate):
    """For each user or address, on the views of one scope."""


class SchoolCostRate(CountedRate):
    """For all users of a school together, by what their requests cost."""

    scope = "school_cost"

    def request_cost(self, request: Request, view: "APIView") -> int:
        return cost_of(view, request)

    def get_cache_key(self, request: Request, view: "APIView") -> str | None:
        school = paying_school_id(request.user)
        return None if school is None else f"throttle_school_{school}"


class CostRate(CountedRate):
    """For each user, by what the requests cost. Only requests that pass here count for the school, so that a user who
    is refused does not use up the others' share."""

    scope = "cost"

    def request_cost(self, request: Request, view: "APIView") -> int:
        return cost_of(view, request)

    def get_cache_key(self, request: Request, view: "APIView") -> str | None:
        user: Any = request.user
        return f"throttle_cost_{user.pk}" if user and user.is_authenticated else None

    def allow_request(self, request: Request, view: "APIView") -> bool:
        if not super().allow_request(request, view):
            return False
        school = SchoolCostRate()
        if not (request.user and request.user.is_authenticated) or school.allow_request(request, view):
            return True
        self.now, self.until = school.now, school.until
        return False
