"""The models used where none is named are ones that the installed SDKs know and do not call deprecated."""

from typing import get_args

from anthropic.resources.messages.messages import DEPRECATED_MODELS
from anthropic.types import Model
from openai.types import ChatModel, EmbeddingModel

from llm import conf


def test_anthropics() -> None:
    assert conf.ANTHROPIC_MODEL in get_args(get_args(Model)[0])
    assert conf.ANTHROPIC_MODEL not in DEPRECATED_MODELS


def test_openais() -> None:
    assert conf.OPENAI_MODEL in get_args(ChatModel)
    assert conf.OPENAI_EMBEDDING_MODEL in get_args(EmbeddingModel)
