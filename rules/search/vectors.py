"""Embed questions and answers, each text once; rows with a vector of their current text are skipped."""

from hashlib import sha256
from typing import Any

import structlog
from django.conf import settings

from knowledge.ingestion.vectors.embedding import embed_texts
from knowledge.library_version import model_in_use, models_beside
from llm import registry
from llm.errors import ModelError
from llm.interfaces import EmbeddingModel
from rules.configuration import configuration_from
from rules.models import AnswerVector, QuestionVector, RuleAnswer, RuleQuestion

log = structlog.get_logger(__name__)


def text_hash(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()


def embed_missing(model: EmbeddingModel) -> int:
    """Embed every question and answer without a vector of this model for its current text; return how many. Raises
    ModelError; vectors that were already stored stay."""
    questions = _embed_rows(model, RuleQuestion.objects.all(), QuestionVector, "question")
    return questions + _embed_rows(model, RuleAnswer.objects.only("id", "text"), AnswerVector, "answer")


def _embed_rows(model: EmbeddingModel, rows: Any, vector_class: Any, name: str) -> int:
    """`name` is the field by which a vector's row names the row that it is of."""
    stored = vector_class.objects.filter(model=model.name)
    known = dict(stored.values_list(f"{name}_id", "text_hash"))
    behind = [one for one in rows if known.get(one.pk) != text_hash(one.text)]
    vectors = embed_texts(model, [one.text for one in behind])[0] if behind else []
    vector_class.objects.bulk_create(
        [
            vector_class(**{name: one}, model=model.name, vector=vector, text_hash=text_hash(one.text))
            for one, vector in zip(behind, vectors, strict=True)
        ],
        update_conflicts=True,
        unique_fields=[name, "model"],
        update_fields=["vector", "text_hash"],
    )
    return len(behind)


def embed_kept() -> int:
    """The same for every model whose vectors are kept, and the one that the rules desk is configured with. A model that
    fails is only behind: the next call goes on."""
    names = [
        model_in_use(),
        *models_beside(),
        *filter(None, [configuration_from(settings.RULES).rag.embedding_model]),
    ]
    embedded = 0
    for name in dict.fromkeys(names):
        if name in registry.embedding_names():
            try:
                embedded += embed_missing(registry.embedding_model(name))
            except ModelError as error:
                log.warning("rules_not_embedded", model=name, code=error.code)
    return embedded
