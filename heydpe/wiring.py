"""Environment becomes models behind roles: the only place that knows which vendor serves what."""

from functools import partial

from django.conf import settings

from curation.offline import extract
from exams.skills import offline_skills
from llm import registry
from llm.anthropic import BASE_URL as ANTHROPIC_URL
from llm.anthropic import AnthropicChatModel
from llm.interfaces import ChatModel, EmbeddingModel
from llm.local import LocalEmbeddingModel
from llm.offline import OfflineChatModel
from llm.openai import BASE_URL as OPENAI_URL
from llm.openai import OpenAIChatModel, OpenAIEmbeddingModel

from .env import Environment


def configure_models() -> None:
    """Give the registry its models; nothing is loaded before it is first asked for."""
    env: Environment = settings.ENV
    registry.configure(chat=partial(_chat_model, env), embedding=partial(_embedding_model, env))


def _chat_model(env: Environment) -> ChatModel:
    match env.llm_provider:
        case "anthropic":
            return AnthropicChatModel(
                api_key=env.anthropic_api_key,
                model=env.anthropic_model,
                base_url=env.anthropic_base_url or ANTHROPIC_URL,
            )
        case "openai":
            return OpenAIChatModel(
                api_key=env.openai_api_key, model=env.openai_model, base_url=env.openai_base_url or OPENAI_URL
            )
        case _:
            return OfflineChatModel({**offline_skills(), "extractor": extract})


def _embedding_model(env: Environment) -> EmbeddingModel:
    local = LocalEmbeddingModel(env.data_dir / "models")
    if env.embedding_provider == "local":
        return local
    return OpenAIEmbeddingModel(
        api_key=env.openai_api_key,
        count=local.count_tokens,
        model=env.openai_embedding_model,
        base_url=env.openai_base_url or OPENAI_URL,
    )
