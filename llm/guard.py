"""A switch that forbids calls beyond this machine; tests turn it on, and calls to vendors then fail."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Final

from llm.errors import ExternalCallForbidden

_state: Final = {"forbidden": False}


def forbid_external() -> None:
    """Allow only calls to loopback addresses from now on, in this process and its forks."""
    _state["forbidden"] = True


def allow_external() -> None:
    _state["forbidden"] = False


def external_forbidden() -> bool:
    return _state["forbidden"]


def is_loopback(host: str) -> bool:
    """True for `localhost` and the loopback addresses. Names are not resolved: that would be a call."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def check_host(host: str) -> None:
    """Raises ExternalCallForbidden for a host beyond this machine while that is forbidden."""
    if external_forbidden() and not is_loopback(host):
        raise ExternalCallForbidden(f"a call to {host} was refused: this process forbids external calls")
