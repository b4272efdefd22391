"""Two embedding models at once, as a house has them whose library moves from one to the other: a local one, and
OpenAI's through its SDK at the loopback vendor."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from knowledge.library_version import model_in_use
from llm import registry
from llm.offline import OfflineChatModel
from llm.providers.openai import OpenAIEmbeddingModel
from llm.providers.retries import RetryPolicy
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.vendors import Reply, VendorServer

LOCAL = "all-MiniLM-L6-v2"
REMOTE = "text-embedding-3-small"

Sleep = Callable[[float], None]


def words(text: str) -> int:
    return len(text.split())


def openai_at(
    vendor: VendorServer, sleep: Sleep = lambda seconds: None, name: str = REMOTE
) -> OpenAIEmbeddingModel:
    return OpenAIEmbeddingModel(
        api_key="k",
        count=words,
        model=name,
        base_url=vendor.openai_url,
        retry=RetryPolicy(sleep=sleep, first_wait=0.0),
    )


@contextmanager
def two_models(
    *script: Reply, name: str = REMOTE, vendor: VendorServer | None = None
) -> Iterator[VendorServer]:
    """The registry knows both; which is used is the library's row. What was wired before comes back afterwards."""
    before = registry._door.wiring
    with vendor or VendorServer(*script) as vendor:
        registry.configure_models(
            chat=lambda: OfflineChatModel({}),
            embedding={LOCAL: HashingEmbedding, name: partial(openai_at, vendor, name=name)},
            in_use=model_in_use,
        )
        try:
            yield vendor
        finally:
            registry._door.wiring = before
