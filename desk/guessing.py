"""Tries at a password become a wait: a few for one name from one address, then none for some minutes.

Counted before the password is looked at, so that many tries at once are many; forgotten when it was right. Every door
that takes a password asks here. Away, the cache counts nothing, and then these doors stay shut, deliberately: without a
count anybody could guess on. `desk.throttles` guards no secret and fails open.
"""

import math
import time
from hashlib import sha256
from unicodedata import normalize

import structlog
from django.core.cache import cache
from redis.exceptions import RedisError

from .conf import GUESSES_MOST, GUESSES_SECONDS

log = structlog.get_logger(__name__)


class NotCounting(Exception):
    """Tries cannot be counted just now, so none is allowed."""


def seconds_to_wait(address: str, name: str) -> int:
    """0 for a try that is allowed, and counted by this call. Raises NotCounting."""
    key = _key(address, name)
    try:
        tries = _counted(key)
        if tries <= GUESSES_MOST:
            return 0
        until = cache.get(f"{key}:until") or _end()
    except (RedisError, OSError) as error:
        log.warning("guesses_not_counted", error=str(error))
        raise NotCounting from error
    log.warning("guesses_refused", address=address, tries=tries)
    return max(1, math.ceil(float(until) - time.time()))


def forget_tries(address: str, name: str) -> None:
    """The password was right."""
    key = _key(address, name)
    try:
        cache.delete_many([key, f"{key}:until"])
    except (RedisError, OSError) as error:
        log.warning("guesses_not_forgotten", error=str(error))


def _counted(key: str) -> int:
    cache.add(f"{key}:until", _end(), GUESSES_SECONDS)
    cache.add(key, 0, GUESSES_SECONDS)
    try:
        return int(cache.incr(key))
    except ValueError:  # it has just expired
        return 1


def _end() -> float:
    return time.time() + GUESSES_SECONDS


def _key(address: str, name: str) -> str:
    """Names that sign in as one count as one; what was typed is kept nowhere in the clear."""
    told = f"{address}\n{normalize('NFKC', name).strip().casefold()}"
    return f"guesses:{sha256(told.encode('utf-8', 'surrogatepass')).hexdigest()}"
