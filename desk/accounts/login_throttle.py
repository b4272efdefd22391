"""Limit tries at passwords: a few for one name from one address, some for all names from one address, then a wait.

Fails closed when Redis is down: without a count, anybody could keep guessing. A try counts before the password is
checked, so that concurrent tries all count; a right password takes its own try back. Every view that takes a password
uses this.
"""

import math
import time
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import IPv6Address, ip_address, ip_network
from unicodedata import normalize

import structlog
from django.core.cache import cache
from redis.exceptions import RedisError

from desk.api_limits import add_to_window
from desk.conf import GUESSES_ADDRESS_MOST, GUESSES_MOST, GUESSES_SECONDS

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why no password is checked, with the HTTP status and the seconds to wait."""

    text: str
    status: int
    seconds: int


def count_try(address: str, name: str) -> Refusal | None:
    """Count a try; None if the password may be checked."""
    limits = {_key_for(address, name): GUESSES_MOST, _key_for(address): GUESSES_ADDRESS_MOST}
    try:
        windows = [(most, *add_to_window(key, GUESSES_SECONDS)[1:]) for key, most in limits.items()]
    except (RedisError, OSError) as error:
        log.warning("guesses_not_counted", error=str(error))
        text = "Signing in is not possible just now, and no password is checked. Try again in a minute."
        return Refusal(text, 503, 60)
    ends = [until for most, count, until in windows if count > most]
    if not ends:
        return None
    log.warning("guesses_refused", address=address)
    wait = max(1, math.ceil(max(ends) - time.time()))
    minutes = math.ceil(wait / 60)
    when = f"{minutes} minutes" if minutes > 1 else "a minute"
    text = f"Too many tries with this name or from this address. Nothing was checked; try again in {when}."
    return Refusal(text, 429, wait)


def forget_tries(address: str, name: str) -> None:
    """The password was right: reset the count of the name, and lower that of the address by one."""
    shared = _key_for(address)
    try:
        cache.delete(f"{_key_for(address, name)}:until")
        if until := cache.get(f"{shared}:until"):
            with suppress(ValueError):  # it has just expired
                cache.decr(f"{shared}:{until:.6f}")
    except (RedisError, OSError) as error:
        log.warning("guesses_not_forgotten", error=str(error))


def _key_for(address: str, name: str | None = None) -> str:
    """Names that sign in as one count as one, and so do the addresses of one IPv6 network: a provider gives each
    customer a whole /64. The cache never holds what was typed in the clear."""
    with suppress(ValueError):
        read = ip_address(address)
        if isinstance(read, IPv6Address):
            address = str(ip_network((read, 64), strict=False))
    if name is not None:
        address += f"\n{normalize('NFKC', name).strip().casefold()}"
    return f"guesses:{sha256(address.encode('utf-8', 'surrogatepass')).hexdigest()}"
