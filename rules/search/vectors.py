"""Questions and answers become vectors, each text once: what has a vector of its own words is left alone."""

from collections.abc import Sequence
from hashlib import sha256

from knowledge.ingestion.vectors.embedding import embed_texts
from llm.interfaces import EmbeddingModel
from rules.models import AnswerVector, QuestionVector, RuleAnswer, RuleQuestion


def text_hash(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()


def embed_missing(model: EmbeddingModel) -> int:
    """Gives every question and answer a vector of this model that is made from its present text; how many got one.
    Raises ModelError; what was stored before that stays."""
    return _embed_questions(model) + _embed_answers(model)


def _embed_questions(model: EmbeddingModel) -> int:
    rows = QuestionVector.objects.filter(model=model.name)
    known = dict(rows.values_list("question_id", "text_hash"))
    behind = [one for one in RuleQuestion.objects.all() if known.get(one.pk) != text_hash(one.text)]
    vectors = _vectors(model, [one.text for one in behind])
    QuestionVector.objects.bulk_create(
        [
            QuestionVector(question=one, model=model.name, vector=vector, text_hash=text_hash(one.text))
            for one, vector in zip(behind, vectors, strict=True)
        ],
        update_conflicts=True,
        unique_fields=["question", "model"],
        update_fields=["vector", "text_hash"],
    )
    return len(behind)


def _embed_answers(model: EmbeddingModel) -> int:
    rows = AnswerVector.objects.filter(model=model.name)
    known = dict(rows.values_list("answer_id", "text_hash"))
    every = RuleAnswer.objects.only("id", "text")
    behind = [one for one in every if known.get(one.pk) != text_hash(one.text)]
    vectors = _vectors(model, [one.text for one in behind])
    AnswerVector.objects.bulk_create(
        [
            AnswerVector(answer=one, model=model.name, vector=vector, text_hash=text_hash(one.text))
            for one, vector in zip(behind, vectors, strict=True)
        ],
        update_conflicts=True,
        unique_fields=["answer", "model"],
        update_fields=["vector", "text_hash"],
    )
    return len(behind)


def _vectors(model: EmbeddingModel, texts: Sequence[str]) -> list[list[float]]:
    return embed_texts(model, texts)[0] if texts else []
