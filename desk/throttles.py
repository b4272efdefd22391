"""How often an API may be called, counted in the cache; away, it holds up nobody.

They fail open, deliberately: these limits keep one client from crowding out the others, and a house whose Redis is away
for a minute should not turn everybody out for that. What guards passwords is `desk.guessing`, which fails closed.

A count begins with a client's first call and ends a minute (or what the rate says) later. It is raised in one step, so
that of many calls at once each one counts.
"""

from typing import TYPE_CHECKING

import structlog
from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.throttling import (
    AnonRateThrottle,
    ScopedRateThrottle,
    SimpleRateThrottle,
    UserRateThrottle,
)

if TYPE_CHECKING:  # the module of views reads these classes from the settings
    from rest_framework.views import APIView

log = structlog.get_logger(__name__)


class CountedRate(SimpleRateThrottle):
    num_requests: int | None
    duration: int | None
    now: float
    until: float

    def allow_request(self, request: Request, view: "APIView") -> bool:
        key = self.get_cache_key(request, view) if self.rate else None
        if key is None or self.num_requests is None or self.duration is None:
            return True
        self.now = self.timer()
        self.until = self.now + self.duration
        try:
            return self._counted(key, self.duration) <= self.num_requests
        except (RedisError, OSError) as error:
            log.warning("throttle_away", scope=self.scope, error=str(error))
            return True

    def _counted(self, key: str, seconds: int) -> int:
        """This call's number in its window. The count is named by the window's end, and kept longer than that: one
        that outlives its window by a moment is nobody's."""
        if not self.cache.add(f"{key}:until", self.until, seconds):
            self.until = self.cache.get(f"{key}:until") or self.until
        count = f"{key}:{self.until:.6f}"
        self.cache.add(count, 0, 2 * seconds)
        return int(self.cache.incr(count))

    def wait(self) -> float:
        """Seconds until the window ends."""
        return max(1.0, self.until - self.now)


class AddressRate(CountedRate, AnonRateThrottle):
    """Of a client who is not signed in, by address."""


class UserRate(CountedRate, UserRateThrottle):
    """Of a user."""


class ScopeRate(ScopedRateThrottle, CountedRate):
    """Of one door, whoever knocks."""
