"""How often an API may be called, counted in the cache; away, it holds up nobody.

They fail open, deliberately: these limits keep one client from crowding out the others, and a house whose Redis is away
for a minute should not turn everybody out for that. What guards passwords is `desk.guessing`, which fails closed.
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


class OpenWithoutCache(SimpleRateThrottle):
    def allow_request(self, request: Request, view: "APIView") -> bool:
        try:
            return super().allow_request(request, view)
        except (RedisError, OSError) as error:
            log.warning("throttle_away", scope=self.scope, error=str(error))
            return True


class AddressRate(OpenWithoutCache, AnonRateThrottle):
    """Of a client who is not signed in, by address."""


class UserRate(OpenWithoutCache, UserRateThrottle):
    """Of a user."""


class ScopeRate(ScopedRateThrottle, OpenWithoutCache):
    """Of one door, whoever knocks."""
