"""An operator's change of an answer becomes the new answer, a row of its history, and a new vector.

The vector is made when the change is stored; if its model is away, the change stays, and comparisons go by words until
the next load or change makes what is missing.
"""

from functools import partial
from typing import Any

import structlog
from django.db import transaction

from knowledge.generations import library_changed
from llm.errors import ModelError
from llm.registry import embedding_model

from .loading import change_of
from .models import AnswerOrigin, ChangeKind, RuleAnswer
from .vectors import embed_missing

log = structlog.get_logger(__name__)


def store_answer(answer: RuleAnswer, *, by: Any, reason: str = "") -> None:
    """A new answer, or the changed one: it is told apart from a file's from now on."""
    with transaction.atomic():
        if not answer._state.adding:
            answer.version += 1
        answer.origin = AnswerOrigin.WRITTEN
        answer.save()
        _tell(answer, ChangeKind.EDITED, by, reason)


def remove_answer(answer: RuleAnswer, *, by: Any, reason: str = "") -> None:
    """Its history stays. A file that still has the answer brings it back when it is loaded again."""
    with transaction.atomic():
        _tell(answer, ChangeKind.REMOVED, by, reason)
        answer.delete()


def _tell(answer: RuleAnswer, kind: ChangeKind, by: Any, reason: str) -> None:
    change = change_of(answer.question, answer, kind)
    change.by, change.reason = by, reason
    change.save()
    transaction.on_commit(partial(_embed, answer.question.tenant_id))


def _embed(tenant: int | None) -> None:
    try:
        embed_missing(embedding_model())
    except ModelError as error:
        log.warning("answer_not_embedded", code=error.code)
    library_changed(tenant)
