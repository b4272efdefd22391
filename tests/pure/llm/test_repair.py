"""What a model is told when its answer did not fit, and what is never repaired."""

from itertools import count

import pytest
from pydantic import RootModel

from llm import conf
from llm.errors import StructuredOutputError
from llm.interfaces import Message
from llm.structured import ask_model
from tests.pure.llm.cast import ScriptedChat, grade_request

RIGHT = '{"verdict": "partial"}'


def test_the_model_sees_its_answer_and_what_was_wrong() -> None:
    model = ScriptedChat(['{"verdict": "splendid"}', RIGHT])
    ask_model(model, grade_request())
    first, second = model.requests
    assert second.messages[:-2] == first.messages
    assert second.messages[-2] == Message("assistant", '{"verdict": "splendid"}')
    assert second.messages[-1].role == "user"
    assert "verdict" in second.messages[-1].text
    assert "'satisfactory', 'partial' or 'unsatisfactory'" in second.messages[-1].text


def test_an_empty_answer_is_not_echoed() -> None:
    model = ScriptedChat(["  ", RIGHT])
    ask_model(model, grade_request())
    assert [message.role for message in model.requests[1].messages] == ["user", "user"]


def test_a_long_wrong_answer_is_echoed_in_part() -> None:
    model = ScriptedChat(["x" * 50_000, RIGHT])
    ask_model(model, grade_request())
    assert len(model.requests[1].messages[-2].text) == conf.REPAIR_ECHO_CHARACTERS


def test_many_faults_are_named_in_part() -> None:
    model = ScriptedChat(["[" + "0," * 11 + "0]", "[]"])
    ask_model(model, grade_request(schema=RootModel[list[str]]))
    assert "and 4 more" in model.requests[1].messages[-1].text


def test_a_second_wrong_answer_fails_loudly() -> None:
    model = ScriptedChat(["a", "b", RIGHT])
    with pytest.raises(StructuredOutputError, match="assessor"):
        ask_model(model, grade_request())
    assert len(model.requests) == 2


def test_the_repair_gets_the_time_that_is_left() -> None:
    model = ScriptedChat(["wrong", RIGHT])
    ticks = count(step=4)
    ask_model(model, grade_request(timeout=10.0), clock=lambda: float(next(ticks)))
    assert model.requests[1].timeout == 6.0


def test_without_time_there_is_no_repair() -> None:
    model = ScriptedChat(["wrong", RIGHT])
    ticks = count(step=20)
    with pytest.raises(StructuredOutputError, match="no time"):
        ask_model(model, grade_request(timeout=10.0), clock=lambda: float(next(ticks)))
    assert len(model.requests) == 1
