"""A forwarded address is believed only from the proxies that TRUSTED_PROXIES names."""

import asyncio
from typing import Any

import pytest
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from heydpe.env import read_environment
from heydpe.runtime.embedded import embedded_for
from heydpe.runtime.runner import child_specs
from tests.pure.heydpe.test_deployment_files import DOCKERFILE

FORWARDED = [(b"x-forwarded-for", b"203.0.113.9"), (b"x-forwarded-proto", b"https")]


def seen_from(peer: str, trusted: str) -> tuple[str, str]:
    """The client and the scheme that the application sees."""
    seen: dict[str, Any] = {}

    async def application(scope: Any, receive: Any, send: Any) -> None:
        seen.update(scope)

    proxies = read_environment({"TRUSTED_PROXIES": trusted}).trusted_proxies
    scope: Any = {"type": "http", "client": (peer, 1), "scheme": "http", "headers": FORWARDED}
    door: Any = ProxyHeadersMiddleware(application, list(proxies))
    asyncio.run(door(scope, None, None))
    return seen["client"][0], seen["scheme"]


@pytest.mark.parametrize("peer", ["127.0.0.1", "::1", "10.0.0.5"])
def test_nobody_is_believed_unless_configured(peer: str) -> None:
    assert seen_from(peer, "") == (peer, "http")


@pytest.mark.parametrize("trusted", ["10.0.0.5", "10.0.0.0/24", " 192.0.2.1 , 10.0.0.5 "])
def test_a_configured_proxy_is_believed(trusted: str) -> None:
    assert seen_from("10.0.0.5", trusted) == ("203.0.113.9", "https")
    assert seen_from("127.0.0.1", trusted) == ("127.0.0.1", "http")


@pytest.mark.parametrize("trusted", ["*", "proxy", "10.0.0.1/8"])
def test_what_names_no_address_is_refused_and_trusts_nobody(trusted: str) -> None:
    read = read_environment({"TRUSTED_PROXIES": trusted})
    assert read.trusted_proxies == ()
    assert [name for name, _, _ in read.problems] == ["TRUSTED_PROXIES"]


def test_uvicorn_itself_reads_no_forwarded_headers() -> None:
    web = child_specs(8000, embedded_for({}).data_dir)[-1]
    assert "--no-proxy-headers" in web.arguments
    assert '"--no-proxy-headers"' in DOCKERFILE
