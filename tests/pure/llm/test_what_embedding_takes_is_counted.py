"""Tokens, requests and retries, as a vendor bills them: also for what failed in the end."""

import pytest

from llm.errors import ModelError, RateLimited, ServerFailed, UnreadableReply
from llm.local.encoder import LocalEmbeddingModel
from llm.metering import Meter, open_meter
from llm.providers.openai import OpenAIEmbeddingModel
from tests.doubles.vendors import Fails, Reply, Vectors, VendorServer
from tests.pure.llm.cast import policy

TEXTS = [f"text number {number}" for number in range(120)]


def model_at(vendor: VendorServer, attempts: int = 3) -> OpenAIEmbeddingModel:
    return OpenAIEmbeddingModel(
        api_key="k",
        count=lambda text: len(text.split()),
        base_url=vendor.openai_url,
        retry=policy(attempts=attempts),
        dimensions=8,
    )


def test_three_batches_are_three_requests() -> None:
    with VendorServer(Vectors()) as vendor, open_meter() as meter:
        model_at(vendor).embed_passages(TEXTS)
    assert meter == Meter(tokens=360, requests=3, retries=0)


@pytest.mark.parametrize("trouble", [Fails(429, {"retry-after": "0"}), Fails(500), Fails(503)])
def test_a_failure_in_the_middle_costs_a_request_and_no_tokens(trouble: Reply) -> None:
    with VendorServer(Vectors(), trouble, Vectors()) as vendor, open_meter() as meter:
        assert len(model_at(vendor).embed_passages(TEXTS)) == 120
    assert meter == Meter(tokens=360, requests=4, retries=1)


def test_an_answer_with_a_vector_missing_is_billed_and_asked_for_again() -> None:
    with VendorServer(Vectors(), Vectors(only=(0, 1)), Vectors()) as vendor, open_meter() as meter:
        model_at(vendor).embed_passages(TEXTS)
    assert meter == Meter(tokens=360 + 150, requests=4, retries=1)


@pytest.mark.parametrize(
    ("trouble", "error"),
    [(Fails(429), RateLimited), (Fails(500), ServerFailed), (Vectors(only=(0,)), UnreadableReply)],
)
def test_what_failed_in_the_end_is_counted(trouble: Reply, error: type[ModelError]) -> None:
    with VendorServer(Vectors(), trouble) as vendor, open_meter() as meter, pytest.raises(error):
        model_at(vendor).embed_passages(TEXTS)
    assert (meter.requests, meter.retries) == (4, 2)
    assert meter.tokens >= 150


def test_nobody_has_to_count() -> None:
    with VendorServer(Vectors()) as vendor:
        assert len(model_at(vendor).embed_passages(["a"])) == 1


def test_a_meter_takes_down_its_own_time_alone() -> None:
    with VendorServer(Vectors()) as vendor, open_meter() as outer:
        model_at(vendor).embed_passages(["a"])
        with open_meter() as inner:
            model_at(vendor).embed_passages(["a b"])
        model_at(vendor).embed_passages(["a"])
    assert (outer.tokens, inner.tokens) == (2, 2)


def test_the_local_model_counts_what_it_reads(local: LocalEmbeddingModel) -> None:
    with open_meter() as meter:
        local.embed_passages(["The minimum visibility is one statute mile."])
    assert meter == Meter(tokens=local.count_tokens("The minimum visibility is one statute mile.") + 2)


def test_windows_are_what_the_mean_is_made_of(local: LocalEmbeddingModel) -> None:
    text = " ".join(f"word{number}" for number in range(300))
    (windows,) = local.window_vectors([text])
    assert len(windows) == local.windows(text) > 1
    assert sum(tokens for _, tokens in windows) > local.count_tokens(text)
