"""The guard that makes any call to a vendor's real address fail."""

from collections.abc import Iterator

import pytest

from llm.errors import ExternalCallForbidden
from llm.guard import allow_external, external_forbidden, forbid_external, is_loopback
from llm.providers.anthropic import AnthropicChatModel
from llm.providers.openai import OpenAIChatModel, OpenAIEmbeddingModel
from tests.doubles.vendors import Says, VendorServer
from tests.pure.llm.cast import GOOD, VENDORS, ChatMaker, grade_request


@pytest.fixture(autouse=True)
def _forbidden() -> Iterator[None]:
    before = external_forbidden()
    forbid_external()
    yield
    if not before:
        allow_external()


@pytest.mark.parametrize("chat", [AnthropicChatModel, OpenAIChatModel])
def test_a_vendors_own_address_is_refused(chat: type[AnthropicChatModel | OpenAIChatModel]) -> None:
    with pytest.raises(ExternalCallForbidden, match="api"):
        chat(api_key="k").complete(grade_request())


def test_so_are_embeddings() -> None:
    with pytest.raises(ExternalCallForbidden):
        OpenAIEmbeddingModel(api_key="k", count=len).embed_query("x")


@pytest.mark.parametrize("chat", VENDORS)
def test_loopback_is_served(chat: ChatMaker) -> None:
    with VendorServer(Says(GOOD)) as vendor:
        assert chat(vendor).complete(grade_request()).stop == "complete"


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("[::1]", True),
        ("localhost", True),
        ("LOCALHOST", True),
        ("0.0.0.0", False),
        ("10.0.0.1", False),
        ("localhost.example.com", False),
        ("127.0.0.1.example.com", False),
        ("api.openai.com", False),
        ("", False),
    ],
)
def test_what_counts_as_this_machine(host: str, own: bool) -> None:
    assert is_loopback(host) is own
