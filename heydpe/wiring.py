"""Environment becomes models behind roles: the only place that knows which vendor serves what."""

from functools import partial

from django.conf import settings

from curation.offline import extract
from exams.skills import offline_skills
from knowledge.spending import record_use
from knowledge.vectors_in_use import model_in_use
from llm import registry
from llm.conf import LOCAL_MODEL
from llm.interfaces import ChatModel, EmbeddingModel
from llm.local import LocalEmbeddingModel
from llm.metering import keep_books
from llm.offline import OfflineChatModel

from .env import Environment


def configure_models() -> None:
    """Give the registry its models; nothing is loaded before it is first asked for."""
    env: Environment = settings.ENV
    registry.configure(chat=partial(_chat_model, env), embedding=_embedding_models(env), in_use=model_in_use)
    keep_books(record_use)


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


def _embedding_models(env: Environment) -> dict[str, registry.EmbeddingFactory]:
    """By their names: the local model, and the vendor's where there is a key. Which of them is used is a row."""
    models: dict[str, registry.EmbeddingFactory] = {LOCAL_MODEL: partial(_local_embedding, env)}
    if env.openai_api_key:
        models[env.openai_embedding_model] = partial(_openai_embedding, env)
    return models


def _local_embedding(env: Environment) -> LocalEmbeddingModel:
    return LocalEmbeddingModel(env.data_dir / "models")


def _openai_embedding(env: Environment) -> EmbeddingModel:
    from llm.openai import BASE_URL, OpenAIEmbeddingModel  # noqa: PLC0415

    return OpenAIEmbeddingModel(
        api_key=env.openai_api_key,
        count=_local_embedding(env).count_tokens,
        model=env.openai_embedding_model,
        base_url=env.openai_base_url or BASE_URL,
    )
