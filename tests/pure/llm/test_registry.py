"""The one door to models: built once, when wanted, by role."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from llm import registry
from llm.errors import NotConfigured, UnknownRole
from llm.providers.anthropic import AnthropicChatModel
from llm.providers.openai import OpenAIChatModel, OpenAIEmbeddingModel
from tests.doubles.embedding import HashingEmbedding
from tests.pure.llm.cast import ScriptedChat


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    kept = registry._door.wiring
    registry.reset_models()
    yield
    registry._door.wiring = kept


def embedding() -> Any:
    return object()


def test_unconfigured_says_what_to_do() -> None:
    assert not registry.is_configured()
    for ask in (lambda: registry.chat_model("examiner"), registry.embedding_model, registry.find_reranker):
        with pytest.raises(NotConfigured, match="configure"):
            ask()


def test_one_factory_serves_every_role_with_one_model() -> None:
    registry.configure_models(chat=lambda: ScriptedChat([]), embedding=embedding)
    assert registry.chat_model("examiner") is registry.chat_model("assessor")


def test_roles_have_their_own_models_and_the_rest_share_one() -> None:
    registry.configure_models(
        chat={"assessor": lambda: ScriptedChat([]), registry.ANY_ROLE: lambda: ScriptedChat([])},
        embedding=embedding,
    )
    assert registry.chat_model("assessor") is not registry.chat_model("examiner")
    assert registry.chat_model("rules") is registry.chat_model("examiner")


def test_an_unknown_role_lists_those_there_are() -> None:
    registry.configure_models(chat={"assessor": lambda: ScriptedChat([])}, embedding=embedding)
    with pytest.raises(UnknownRole, match="set up: assessor"):
        registry.chat_model("examiner")


def test_nothing_is_built_before_it_is_wanted() -> None:
    built: list[str] = []
    registry.configure_models(chat=lambda: built.append("chat") or ScriptedChat([]), embedding=embedding)  # type: ignore[func-returns-value]
    registry.embedding_model()
    assert built == []


def test_many_threads_get_the_same_model() -> None:
    gate = threading.Barrier(8)
    built: list[object] = []
    got: list[object] = []

    def slow() -> Any:
        built.append(object())
        return built[-1]

    def use() -> None:
        gate.wait()
        got.append(registry.embedding_model())

    registry.configure_models(chat=lambda: ScriptedChat([]), embedding=slow)
    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(built) == 1
    assert got == built * 8


def test_no_reranker_is_none() -> None:
    registry.configure_models(chat=lambda: ScriptedChat([]), embedding=embedding)
    assert registry.find_reranker() is None


def test_a_factory_that_fails_is_asked_again() -> None:
    outcomes: list[Any] = [None, ScriptedChat([])]

    def chat() -> Any:
        outcome = outcomes.pop(0)
        if outcome is None:
            raise OSError("no key yet")
        return outcome

    registry.configure_models(chat=chat, embedding=embedding)
    with pytest.raises(OSError, match="no key"):
        registry.chat_model("examiner")
    assert registry.chat_model("examiner").provider == "scripted"


def test_a_person_is_told_whose_model_reads_along() -> None:
    registry.configure_models(
        chat={
            "examiner": lambda: AnthropicChatModel(api_key="k", model="m1"),
            "assessor": lambda: OpenAIChatModel(api_key="k", model="m2"),
            "rules": lambda: ScriptedChat([]),
        },
        embedding=HashingEmbedding,
    )
    assert _readers() == ["Anthropic (m1)", "OpenAI (m2)", ""]


def test_a_person_is_told_who_makes_the_vectors_of_what_is_said() -> None:
    registry.configure_models(
        chat={
            "examiner": lambda: AnthropicChatModel(api_key="k", model="m1"),
            "assessor": lambda: ScriptedChat([]),
            "rules": lambda: ScriptedChat([]),
        },
        embedding={"v1": lambda: OpenAIEmbeddingModel(api_key="k", count=len, model="v1")},
        in_use=lambda: "v1",
    )
    assert _readers() == ["Anthropic (m1) and OpenAI (v1)", "OpenAI (v1)", "OpenAI (v1)"]


def test_vectors_that_are_not_set_up_here_read_nothing() -> None:
    registry.configure_models(
        chat=lambda: ScriptedChat([]), embedding={"v1": HashingEmbedding}, in_use=lambda: "v2"
    )
    assert _readers() == ["", "", ""]


def _readers() -> list[str]:
    return [registry.external_readers(role) for role in ("examiner", "assessor", "rules")]
