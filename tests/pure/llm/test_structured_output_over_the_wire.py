"""Both vendors' real SDKs, against a server that speaks their wire formats."""

import pytest

from llm.structured import Usage, ask_model
from tests.doubles.vendors import Says, VendorServer
from tests.pure.llm.cast import GOOD, VENDORS, ChatMaker, Grade, grade_request


@pytest.mark.parametrize("chat", VENDORS)
def test_an_answer_in_the_shape_becomes_a_value(chat: ChatMaker) -> None:
    with VendorServer(Says(GOOD)) as vendor:
        model = chat(vendor)
        answer = ask_model(model, grade_request())
    assert answer.value == Grade(verdict="partial", reasons=["no altitude"])
    assert (answer.provider, answer.model) == (model.provider, model.model)
    assert (answer.prompt_version, answer.repaired) == ("abc123", False)
    assert answer.usage == Usage(11, 7)


@pytest.mark.parametrize("chat", VENDORS)
@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "not json",
        '{"verdict": "splendid"}',
        '{"reasons": []}',
        "[]",
        "null",
        '{"verdict": "partial"',
        "{}",
    ],
)
def test_a_wrong_answer_is_repaired_once(chat: ChatMaker, wrong: str) -> None:
    with VendorServer(Says(wrong), Says(GOOD)) as vendor:
        answer = ask_model(chat(vendor), grade_request())
    assert answer.repaired
    assert answer.value.verdict == "partial"
    assert answer.usage == Usage(22, 14)
    assert len(vendor.received) == 2


def test_anthropic_is_asked_by_its_own_structured_output() -> None:
    with VendorServer(Says(GOOD)) as vendor:
        ask_model(VENDORS[0](vendor), grade_request())
    body = vendor.received[0].body
    assert body["system"] == "You grade."
    assert body["cache_control"] == {"type": "ephemeral"}
    assert body["output_config"]["format"]["type"] == "json_schema"
    assert body["output_config"]["format"]["schema"]["required"] == ["verdict", "reasons", "note"]
    assert body["messages"] == [{"role": "user", "content": [{"type": "text", "text": "Three miles."}]}]


def test_openai_is_asked_for_a_strict_schema_and_to_store_nothing() -> None:
    with VendorServer(Says(GOOD)) as vendor:
        ask_model(VENDORS[1](vendor), grade_request())
    body = vendor.received[0].body
    assert body["instructions"] == "You grade."
    assert body["text"]["format"]["strict"] is True
    assert body["text"]["format"]["name"] == "Grade"
    assert body["store"] is False


@pytest.mark.parametrize("chat", VENDORS)
def test_the_material_of_the_offline_model_is_never_sent(chat: ChatMaker) -> None:
    with VendorServer(Says(GOOD)) as vendor:
        ask_model(chat(vendor), grade_request(material={"secret": "the expected answer"}))
    assert "expected answer" not in str(vendor.received[0].body)
