"""Guesses at passwords: a few for one name from one address, some for all names from one address, then a wait.

Tries are counted before the password is looked at, so that many tries at once are many; a right password takes its own
try back. Every door that takes a password asks here. Without Redis nothing is counted and these doors stay shut
(fail closed): otherwise anybody could guess on. `desk.throttles` guards no secret and fails open.
"""

import math
import time
from hashlib import sha256
from ipaddress import IPv6Address, ip_address, ip_network
from unicodedata import normalize

import structlog
from django.core.cache import cache
from redis.exceptions import RedisError

from desk.conf import GUESSES_ADDRESS_MOST, GUESSES_MOST, GUESSES_SECONDS

log = structlog.get_logger(__name__)


class NotCounting(Exception):
    """Tries cannot be counted just now, so none is allowed."""


def seconds_to_wait(address: str, name: str) -> int:
    """0 for a try that is allowed, and counted by this call. Raises NotCounting."""
    limits = {_key(address, name): GUESSES_MOST, _key(address): GUESSES_ADDRESS_MOST}
    try:
        waits = [_wait(key, most) for key, most in limits.items()]
    except (RedisError, OSError) as error:
        log.warning("guesses_not_counted", error=str(error))
        raise NotCounting from error
    if any(waits):
        log.warning("guesses_refused", address=address)
    return max(waits)


def forget_tries(address: str, name: str) -> None:
    """The password was right: the name begins anew, and the address has one try less to its count."""
    key, shared = _key(address, name), _key(address)
    try:
        cache.delete_many([key, f"{key}:until"])
        cache.decr(shared)
    except ValueError:
        pass  # it has just expired
    except (RedisError, OSError) as error:
        log.warning("guesses_not_forgotten", error=str(error))


def words_for(wait: int) -> str:
    minutes = math.ceil(wait / 60)
    when = f"{minutes} minutes" if minutes > 1 else "a minute"
    return f"Too many tries with this name or from this address. Nothing was checked; try again in {when}."


def _wait(key: str, most: int) -> int:
    if _counted(key) <= most:
        return 0
    until = cache.get(f"{key}:until") or _end()
    return max(1, math.ceil(float(until) - time.time()))


def _counted(key: str) -> int:
    cache.add(f"{key}:until", _end(), GUESSES_SECONDS)
    cache.add(key, 0, GUESSES_SECONDS)
    try:
        return int(cache.incr(key))
    except ValueError:  # it has just expired
        return 1


def _end() -> float:
    return time.time() + GUESSES_SECONDS


def _key(address: str, name: str | None = None) -> str:
    """Names that sign in as one count as one; what was typed is kept nowhere in the clear."""
    told = _network(address)
    if name is not None:
        told += f"\n{normalize('NFKC', name).strip().casefold()}"
    return f"guesses:{sha256(told.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _network(address: str) -> str:
    """One customer of a provider has a whole /64 of IPv6 addresses; they count as one."""
    try:
        read = ip_address(address)
    except ValueError:
        return address
    return str(ip_network((read, 64), strict=False)) if isinstance(read, IPv6Address) else address
