"""Environment becomes models behind roles: the only place that knows which vendor serves what."""

from functools import partial

from django.conf import settings

from curation.offline import extract
from exams.skills import offline_skills
from llm import registry
from llm.interfaces import ChatModel, EmbeddingModel
from llm.local import LocalEmbeddingModel
from llm.offline import OfflineChatModel

from .env import Environment


def configure_models() -> None:
    """Give the registry its models; nothing is loaded before it is first asked for."""
    env: Environment = settings.ENV
    registry.configure(chat=partial(_chat_model, env), embedding=partial(_embedding_model, env))


# The vendors' SDKs take up to two seconds to import, which every command would pay: they are loaded when wanted.


def _chat_model(env: Environment) -> ChatModel:
    match env.llm_provider:
        case "anthropic":
            return _anthropic(env)
        case "openai":
            return _openai(env)
        case _:
            return OfflineChatModel({**offline_skills(), "extractor": extract})


def _anthropic(env: Environment) -> ChatModel:
    from llm.anthropic import BASE_URL, AnthropicChatModel  # noqa: PLC0415

    url = env.anthropic_base_url or BASE_URL
    return AnthropicChatModel(api_key=env.anthropic_api_key, model=env.anthropic_model, base_url=url)


def _openai(env: Environment) -> ChatModel:
    from llm.openai import BASE_URL, OpenAIChatModel  # noqa: PLC0415

    url = env.openai_base_url or BASE_URL
    return OpenAIChatModel(api_key=env.openai_api_key, model=env.openai_model, base_url=url)


def _embedding_model(env: Environment) -> EmbeddingModel:
    local = LocalEmbeddingModel(env.data_dir / "models")
    return local if env.embedding_provider == "local" else _openai_embedding(env, local)


def _openai_embedding(env: Environment, local: LocalEmbeddingModel) -> EmbeddingModel:
    from llm.openai import BASE_URL, OpenAIEmbeddingModel  # noqa: PLC0415

    return OpenAIEmbeddingModel(
        api_key=env.openai_api_key,
        count=local.count_tokens,
        model=env.openai_embedding_model,
        base_url=env.openai_base_url or BASE_URL,
    )
