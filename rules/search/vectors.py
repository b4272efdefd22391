"""Embed questions and answers, each text once; rows with a vector of their current text are skipped."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import structlog
from django.conf import settings

from knowledge.conf import EMBED_BATCH
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


def embed_missing(model: EmbeddingModel, tick: Callable[[int, int], None] = lambda done, total: None) -> int:
    """Embed every question and answer without a vector of this model for its current text; return how many. `tick` is
    told how many are done, of how many. Raises ModelError; vectors that were already stored stay."""
    vectors_of: tuple[tuple[Any, str, Any], ...] = (
        (QuestionVector, "question", RuleQuestion.objects.all()),
        (AnswerVector, "answer", RuleAnswer.objects.only("id", "text")),
    )
    behind = []
    for kind, name, rows in vectors_of:
        known = dict(kind.objects.filter(model=model.name).values_list(f"{name}_id", "text_hash"))
        behind.append((kind, name, [one for one in rows if known.get(one.pk) != text_hash(one.text)]))
    done, total = 0, sum(len(rows) for _, _, rows in behind)
    tick(0, total)
    for kind, name, rows in behind:
        for at in range(0, len(rows), EMBED_BATCH):
            batch = rows[at : at + EMBED_BATCH]
            vectors = embed_texts(model, [row.text for row in batch])[0]
            kind.objects.bulk_create(
                [
                    kind(**{name: row}, model=model.name, vector=vector, text_hash=text_hash(row.text))
                    for row, vector in zip(batch, vectors, strict=True)
                ],
                update_conflicts=True,
                unique_fields=[name, "model"],
                update_fields=["vector", "text_hash"],
            )
            done += len(batch)
            tick(done, total)
    return total


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
