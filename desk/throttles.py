"""How much anybody may ask for in a minute, counted in the cache; without Redis it holds up nobody.

They fail open, deliberately: these limits keep one client from crowding out the others, and a house whose Redis is away
for a minute should not turn everybody out for that. What guards passwords is `desk.login_throttle`, which fails closed;
the cap on open orals and the budget of model calls are rows of the database.

A count begins with a client's first call and ends a minute (or what the rate says) later. It is raised in one step, so
that of many calls at once each one counts. What is refused costs nothing.
"""

from typing import TYPE_CHECKING, Any

import structlog
from redis.exceptions import RedisError
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


class CountedRate(SimpleRateThrottle):
    num_requests: int | None
    duration: int | None
    now: float
    until: float

    def cost(self, request: Request, view: "APIView") -> int:
        return 1

    def allow_request(self, request: Request, view: "APIView") -> bool:
        cost = self.cost(request, view)
        key = self.get_cache_key(request, view) if self.rate and cost else None
        if key is None or self.num_requests is None or self.duration is None:
            return True
        self.now = self.timer()
        self.until = self.now + self.duration
        try:
            return self._is_within(key, min(cost, self.num_requests), self.num_requests, self.duration)
        except (RedisError, OSError) as error:
            log.warning("throttle_away", scope=self.scope, error=str(error))
            return True

    def _is_within(self, key: str, cost: int, most: int, seconds: int) -> bool:
        """Adds to the count of this window. It is named by the window's end, and kept longer than that: one that
        outlives its window by a moment is nobody's. What costs more than all that there is has a window to itself."""
        if not self.cache.add(f"{key}:until", self.until, seconds):
            self.until = self.cache.get(f"{key}:until") or self.until
        count = f"{key}:{self.until:.6f}"
        self.cache.add(count, 0, 2 * seconds)
        if int(self.cache.incr(count, cost)) <= most:
            return True
        self.cache.decr(count, cost)
        return False

    def wait(self) -> float:
        """Seconds until the window ends."""
        return max(1.0, self.until - self.now)


class AddressRate(CountedRate, AnonRateThrottle):
    """Of a client who is not signed in, by address."""


class UserRate(CountedRate, UserRateThrottle):
    """Of a user."""


class SchoolCostRate(CountedRate):
    """Of all users of a school together, by what their requests cost."""

    scope = "school_cost"

    def cost(self, request: Request, view: "APIView") -> int:
        return cost_of(view, request)

    def get_cache_key(self, request: Request, view: "APIView") -> str | None:
        school = paying_school_id(request.user)
        return None if school is None else f"throttle_school_{school}"


class CostRate(CountedRate):
    """Of a user, by what the requests cost. What passes here counts for the school: whoever is refused does not use up
    what the others have."""

    scope = "cost"

    def cost(self, request: Request, view: "APIView") -> int:
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


class ScopeRate(ScopedRateThrottle, CountedRate):
    """Of one door, whoever knocks."""
