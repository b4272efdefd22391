"""Embed questions and answers, each text once; rows with a vector of their current text are skipped."""

from hashlib import sha256
from typing import Any

from knowledge.ingestion.vectors.embedding import embed_texts
from llm.interfaces import EmbeddingModel
from rules.models import AnswerVector, QuestionVector, RuleAnswer, RuleQuestion


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
