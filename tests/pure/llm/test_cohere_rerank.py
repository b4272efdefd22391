"""A ranking over Cohere's wire: a score for each text in their order, or an error that says what was wrong."""

import pytest

from llm import errors
from llm.providers.cohere import CohereReranker
from tests.doubles.vendors import Drips, Fails, Hangs, Ranks, Raw, Reply, VendorServer
from tests.pure.llm.cast import policy

TEXTS = ["light gun signals", "fuel reserves by day", "fuel"]
NOT_A_NUMBER = (
    b'{"id": "1", "results": [{"index": 0, "relevance_score": NaN}, {"index": 1, "relevance_score": 1}]}'
)


def at(vendor: VendorServer, **changes: object) -> CohereReranker:
    values = {"api_key": "k", "base_url": vendor.cohere_url, "retry": policy(attempts=1)}
    return CohereReranker(**{**values, **changes})  # type: ignore[arg-type]


def test_scores_come_back_in_the_order_of_the_texts() -> None:
    with VendorServer(Ranks()) as vendor:
        assert at(vendor).scores("fuel by day", TEXTS) == pytest.approx([0.0, 1.0, 1 / 3])
    sent = vendor.received[0].body
    assert (sent["model"], sent["query"], sent["documents"], sent["top_n"]) == (
        "rerank-v3.5",
        "fuel by day",
        TEXTS,
        3,
    )


def test_no_texts_no_request() -> None:
    with VendorServer(Ranks()) as vendor:
        assert at(vendor).scores("fuel", []) == []
    assert vendor.received == []


@pytest.mark.parametrize(
    "results",
    [
        (),
        ((0, 0.9), (1, 0.8)),
        ((0, 0.9), (0, 0.8), (1, 0.7)),
        ((0, 0.9), (1, 0.8), (3, 0.7)),
        ((0, 0.9), (1, 0.8), (-1, 0.7)),
        ((0, 0.9), (1, 0.8), ("third", 0.7)),
        ((0, 0.9), (1, 0.8), (2, "high")),
        ((0, 0.9), (1, 0.8), (2, None)),
    ],
)
def test_an_answer_that_does_not_score_each_text_once_is_an_error(
    results: tuple[tuple[object, object]],
) -> None:
    with VendorServer(Ranks(results)) as vendor, pytest.raises(errors.UnreadableReply):
        at(vendor).scores("fuel", TEXTS)


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Fails(400), errors.BadRequest),
        (Fails(401), errors.BadKey),
        (Fails(404), errors.BadRequest),
        (Fails(422), errors.BadRequest),
        (Fails(429), errors.RateLimited),
        (Fails(500), errors.ServerFailed),
        (Fails(503), errors.Overloaded),
        (Fails(504), errors.TimedOut),
        (Raw(b"<html>busy</html>", "text/html"), errors.UnreadableReply),
        (Raw(b"{ broken"), errors.UnreadableReply),
        (Raw(b"{}"), errors.UnreadableReply),
        (Raw(b"null"), errors.UnreadableReply),
        (Raw(NOT_A_NUMBER), errors.UnreadableReply),
    ],
)
def test_every_failure_has_its_error(reply: Reply, error: type[errors.ModelError]) -> None:
    with VendorServer(reply) as vendor, pytest.raises(error):
        at(vendor).scores("fuel", TEXTS[:2])


@pytest.mark.parametrize("reply", [Hangs(), Drips()])
def test_nobody_waits_longer_than_the_limit(reply: Reply) -> None:
    with VendorServer(reply) as vendor, pytest.raises(errors.TimedOut):
        at(vendor, seconds=0.3).scores("fuel", TEXTS)


def test_a_busy_vendor_is_asked_again() -> None:
    with VendorServer(Fails(503), Ranks()) as vendor:
        assert len(at(vendor, retry=policy()).scores("fuel", TEXTS)) == 3


def test_a_key_that_is_missing_names_the_setting() -> None:
    with VendorServer(Ranks()) as vendor, pytest.raises(errors.BadKey, match="COHERE_API_KEY"):
        at(vendor, api_key="").scores("fuel", TEXTS)


def test_nobody_listens() -> None:
    with VendorServer(Ranks()) as vendor:
        reranker = at(vendor)
    with pytest.raises(errors.Unreachable):
        reranker.scores("fuel", TEXTS)
