"""Whatever a vendor does, one of our errors comes out, and it says whether to try again."""

import pytest

from llm import errors
from llm.structured import ask_model
from tests.doubles.vendors import EMPTY, REFUSED, TRUNCATED, Fails, Raw, Reply, Says, VendorServer
from tests.pure.llm.cast import VENDORS, ChatMaker, grade_request, policy

ONCE = policy(attempts=1)

CASES: list[tuple[Reply, type[errors.ModelError], bool]] = [
    (Fails(400), errors.BadRequest, False),
    (Fails(401), errors.BadKey, False),
    (Fails(402), errors.OutOfCredit, False),
    (Fails(403), errors.BadKey, False),
    (Fails(404), errors.BadRequest, False),
    (Fails(413), errors.BadRequest, False),
    (Fails(429), errors.RateLimited, True),
    (Fails(500), errors.ServerFailed, True),
    (Fails(503), errors.Overloaded, True),
    (Fails(504), errors.TimedOut, True),
    (Fails(529), errors.Overloaded, True),
    (REFUSED, errors.Refused, False),
    (TRUNCATED, errors.Truncated, False),
    (EMPTY, errors.StructuredOutputError, False),
    (Says("no json"), errors.StructuredOutputError, False),
    (Says({"verdict": "splendid"}), errors.StructuredOutputError, False),
    (Raw(b"<html>busy</html>", "text/html"), errors.UnreadableReply, True),
    (Raw(b"{ broken"), errors.UnreadableReply, True),
    (Raw(b"{}"), errors.UnreadableReply, True),
    (Raw(b"null"), errors.UnreadableReply, True),
    (Raw(b'{"content": 5, "output": 5}'), errors.UnreadableReply, True),
]


@pytest.mark.parametrize("chat", VENDORS)
@pytest.mark.parametrize(("reply", "error", "retryable"), CASES)
def test_every_failure_has_its_error(
    chat: ChatMaker, reply: Reply, error: type[errors.ModelError], retryable: bool
) -> None:
    with VendorServer(reply) as vendor, pytest.raises(errors.ModelError) as raised:
        ask_model(chat(vendor, retry=ONCE), grade_request())
    assert type(raised.value) is error
    assert raised.value.retryable is retryable


@pytest.mark.parametrize("chat", VENDORS)
def test_a_key_that_the_vendor_does_not_know(chat: ChatMaker) -> None:
    with VendorServer(Says("")) as vendor, pytest.raises(errors.BadKey):
        chat(vendor, api_key="bad").complete(grade_request())


@pytest.mark.parametrize("chat", VENDORS)
def test_no_key_at_all_names_the_setting(chat: ChatMaker) -> None:
    with VendorServer(Says("")) as vendor, pytest.raises(errors.BadKey, match="_API_KEY"):
        chat(vendor, api_key="").complete(grade_request())


@pytest.mark.parametrize("chat", VENDORS)
def test_nobody_listens(chat: ChatMaker) -> None:
    with VendorServer(Says("")) as vendor:
        model = chat(vendor, retry=ONCE)
    with pytest.raises(errors.Unreachable):
        model.complete(grade_request())


def test_an_unpaid_account_is_not_taken_for_a_busy_vendor() -> None:
    with VendorServer(Fails(429, code="insufficient_quota")) as vendor, pytest.raises(errors.OutOfCredit):
        VENDORS[1](vendor).complete(grade_request())


def test_a_filtered_answer_without_output_is_a_refusal() -> None:
    said = b'{"model": "m", "status": "incomplete", "incomplete_details": {"reason": "content_filter"}}'
    with VendorServer(Raw(said)) as vendor, pytest.raises(errors.Refused):
        VENDORS[1](vendor, retry=ONCE).complete(grade_request())


def test_codes_are_distinct() -> None:
    kinds = [
        kind
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.ModelError)
    ]
    assert len({kind.code for kind in kinds}) == len(kinds)
