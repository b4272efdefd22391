"""Give each model role its model, and decisions their record: the only place that knows which vendor serves what."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from django.conf import settings

from curation.offline.extractor import extract_drafts
from curation.oversight.audit import keep_case
from exams.examiner.assessor import offline_skills
from knowledge.access.case_record import keep_cases
from knowledge.library_version import model_in_use
from knowledge.usage import record_failure, record_use, reserve_call
from llm import registry
from llm.conf import LOCAL_MODEL, OPENAI_EMBEDDING_DIMENSIONS, OPENAI_WIDTHS
from llm.errors import NotConfigured
from llm.interfaces import ChatModel, Reranker
from llm.local.cosine_reranker import CosineReranker
from llm.local.encoder import LocalEmbeddingModel
from llm.local.late_interaction import LateInteraction
from llm.metering import keep_books, keep_budget
from llm.offline import OfflineChatModel
from rules.configuration import RERANKER_ROLE, WrongConfiguration, configuration_from

from .env import Environment

if TYPE_CHECKING:
    from llm.providers.openai import OpenAIEmbeddingModel


def configure_models() -> None:
    """Give the registry its models. Nothing is loaded before its first use."""
    env: Environment = settings.ENV
    embedding: dict[str, registry.EmbeddingFactory] = {LOCAL_MODEL: partial(_local_embedding, env)}
    if env.openai_api_key:  # which of them searches use is a row (knowledge/library_version.py)
        name = env.openai_embedding_model
        embedding[name] = partial(_openai_embedding, env, name, OPENAI_EMBEDDING_DIMENSIONS)
    # These two leave the order to the search's own measures.
    reranker = None if env.reranker in ("none", "keyword") else partial(_make_reranker, env)
    registry.configure_models(
        chat=partial(_chat_model, env),
        embedding=embedding,
        in_use=model_in_use,
        reranker=reranker,
        rerankers=_own_reranker_of_rules(env),
    )
    keep_books(record_use, record_failure)
    keep_budget(reserve_call)


def configure_record() -> None:
    """Let decisions on disputes and items be recorded in the chain of decisions."""
    keep_cases(keep_case)


# The vendors' SDKs take up to two seconds to import, so they are imported on first use.


def _chat_model(env: Environment) -> ChatModel:
    if env.llm_provider == "anthropic":
        from llm.providers import anthropic  # noqa: PLC0415

        url = env.anthropic_base_url or anthropic.BASE_URL
        return anthropic.AnthropicChatModel(
            api_key=env.anthropic_api_key, model=env.anthropic_model, base_url=url
        )
    if env.llm_provider == "openai":
        from llm.providers import openai  # noqa: PLC0415

        url = env.openai_base_url or openai.BASE_URL
        return openai.OpenAIChatModel(api_key=env.openai_api_key, model=env.openai_model, base_url=url)
    return OfflineChatModel({**offline_skills(), "extractor": extract_drafts})


def _own_reranker_of_rules(env: Environment) -> dict[str, registry.RerankerFactory]:
    """Empty unless the configuration of the rules desk names another reranker or another model."""
    try:
        chosen = configuration_from(env.rules).reranking
    except WrongConfiguration:  # a system check reports it
        return {}
    provider = chosen.provider or env.reranker
    models = {"cohere_model": chosen.cohere.model, "openai_rerank_model": chosen.openai.model}
    named = {field: model for field, model in models.items() if model}
    if provider in ("none", "keyword") or (provider == env.reranker and not named):
        return {}
    own = replace(env, reranker=provider, **named)  # type: ignore[arg-type]
    return {RERANKER_ROLE: partial(_make_reranker, own)}


def _make_reranker(env: Environment) -> Reranker:
    """The model that reads passages and scores them: late interaction on this machine, or a vendor's."""
    match env.reranker:
        case "openai":
            width = OPENAI_WIDTHS.get(env.openai_rerank_model, OPENAI_EMBEDDING_DIMENSIONS)
            return CosineReranker(_openai_embedding(env, env.openai_rerank_model, width))
        case "cohere":
            from llm.providers import cohere  # noqa: PLC0415

            url = env.cohere_base_url or cohere.BASE_URL
            return cohere.CohereReranker(api_key=env.cohere_api_key, model=env.cohere_model, base_url=url)
    model = registry.embedding_model(LOCAL_MODEL)
    if not isinstance(model, LocalEmbeddingModel):
        raise NotConfigured("late interaction needs the local embedding model, and another is configured")
    return LateInteraction(model)


def _local_embedding(env: Environment) -> LocalEmbeddingModel:
    return LocalEmbeddingModel(env.data_dir / "models")


def _openai_embedding(env: Environment, model: str, dimensions: int) -> "OpenAIEmbeddingModel":
    from llm.providers.openai import BASE_URL, OpenAIEmbeddingModel  # noqa: PLC0415

    return OpenAIEmbeddingModel(
        api_key=env.openai_api_key,
        count=_local_embedding(env).count_tokens,
        model=model,
        dimensions=dimensions,
        base_url=env.openai_base_url or BASE_URL,
    )
