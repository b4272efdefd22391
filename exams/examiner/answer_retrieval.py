"""What a student said becomes the passages that bear on it: the look-up that carries the answer.

Expectations and what they rest on were fixed with the question, and nothing here changes them. A model that judges may
read what is found; what the student gets of it are quotes, shown beside the verdict. A look-up that fails costs no
verdict.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

import structlog
from django.db import DatabaseError

from exams import conf
from exams.domain.values import Point
from exams.examiner.supporting_quotes import nearest_quotes, says_something
from exams.models import Turn
from knowledge.flags import flags_for
from knowledge.grounding.citations import Citation
from knowledge.grounding.context import Passage
from knowledge.retrieval.results import context_from
from knowledge.retrieval.search import make_ready, search
from knowledge.retrieval.values import SearchRequest
from knowledge.standards.elements import UnknownElement
from llm.errors import ModelError

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Bearing:
    """`log` is the row of the look-up, None where there was none."""

    passages: tuple[Passage, ...] = ()
    log: int | None = None


NOTHING: Final = Bearing()


def passages_bearing_on(turn: Turn, answer: str, *, tenant: int | None, student: int) -> Bearing:
    """The passages that come nearest to an answer, by its element, its question and its own words."""
    if not says_something(answer):
        return NOTHING
    request = _request(turn, tenant, student)
    try:
        found = search(replace(request, answer=answer))
    except (ModelError, DatabaseError, UnknownElement) as error:
        log.warning("answer_not_looked_up", turn=turn.pk, error=str(error))
        return NOTHING
    return Bearing(context_from(found).passages, found.log)


def make_bearing_ready(turn: Turn, *, tenant: int | None, student: int) -> None:
    """While the student reads: the vectors of element and question, so that only the answer's are wanted later."""
    with suppress(DatabaseError, UnknownElement):
        make_ready(_request(turn, tenant, student))


def _request(turn: Turn, tenant: int | None, student: int) -> SearchRequest:
    return SearchRequest(
        element=turn.element,
        question=turn.text,
        tenant=tenant,
        k=conf.BRIEFING_PASSAGES,
        exam=turn.exam_id,
        flags=flags_for(student),
    )


def quotes_near(
    bearing: Bearing, answer: str, points: Sequence[Point], shown: Sequence[dict[str, Any]]
) -> tuple[Citation, ...]:
    """What the library says nearest to what was said otherwise or half, else to all that was said; nothing that stands
    among the sources shown."""
    wrong = [point.said for point in points if point.said and point.met in ("contradicted", "half")]
    return nearest_quotes(
        dict.fromkeys(wrong or [answer]),
        bearing.passages,
        besides=[str(citation["quote"]) for citation in shown],
        first=max((int(citation["n"]) for citation in shown), default=0) + 1,
    )
