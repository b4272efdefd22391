"""What the environment names becomes the reranker that searches use, or a problem with what to do."""

from typing import Any

import pytest

from heydpe.env import read_environment
from heydpe.wiring import configure_models
from llm import registry

KEYS = {"OPENAI_API_KEY": "k", "COHERE_API_KEY": "k", "LLM_PROVIDER": "offline"}


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("", "late:all-MiniLM-L6-v2"),
        ("late", "late:all-MiniLM-L6-v2"),
        ("openai", "text-embedding-3-large"),
        ("Cohere", "rerank-v3.5"),
        ("none", None),
        ("keyword", None),
    ],
)
def test_each_name_is_built(settings: Any, asked: str, name: str | None) -> None:
    settings.ENV = read_environment({**KEYS, "RERANKER": asked})
    configure_models()
    built = registry.find_reranker()
    assert (built.name if built else None) == name


def test_models_can_be_named(settings: Any) -> None:
    settings.ENV = read_environment({**KEYS, "RERANKER": "cohere", "COHERE_MODEL": "rerank-other"})
    configure_models()
    built = registry.find_reranker()
    assert built
    assert (built.name, built.external) == ("rerank-other", True)


@pytest.mark.parametrize(
    ("rules", "name"),
    [
        ('{"reranking": {"cohere": {"model": "rerank-own"}}}', "rerank-own"),
        ('{"reranking": {"provider": "openai"}}', "text-embedding-3-large"),
        (
            '{"reranking": {"provider": "openai", "openai": {"model": "text-embedding-3-small"}}}',
            "text-embedding-3-small",
        ),
        ('{"reranking": {"provider": "late"}}', "late:all-MiniLM-L6-v2"),
        ('{"reranking": {"provider": "none"}}', "rerank-v3.5"),  # which the desk then does not ask
        ('{"comparison": {"max_questions": 7}}', "rerank-v3.5"),
        ('{"reranking": {"provider": "bert"}}', "rerank-v3.5"),  # which a check refuses
    ],
)
def test_the_rules_desk_may_have_its_own(settings: Any, rules: str, name: str) -> None:
    settings.ENV = read_environment({**KEYS, "RERANKER": "cohere", "HEYDPE_RULES": rules})
    configure_models()
    built, shared = registry.find_reranker("rules"), registry.find_reranker()
    assert built
    assert shared
    assert (built.name, shared.name) == (name, "rerank-v3.5")


@pytest.mark.parametrize("asked", ["openai", "cohere"])
def test_a_vendor_without_a_key_is_a_problem_and_none(asked: str) -> None:
    env = read_environment({"RERANKER": asked})
    assert env.reranker == "none"
    assert [(name, hint) for name, _, hint in env.problems] == [
        ("RERANKER", f"Set {asked.upper()}_API_KEY or use late.")
    ]
