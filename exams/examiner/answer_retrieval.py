"""Searches for the passages nearest to a student's answer.

A vendor's assessor may read them, and the student sees quotes of them beside the verdict. Expectations and their
sources were fixed with the question and do not change. A search that fails costs no verdict.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

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
from knowledge.retrieval.search import cache_query_vectors, search
from knowledge.retrieval.values import SearchRequest
from knowledge.standards.elements import UnknownElement
from llm.errors import ModelError

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class NearPassages:
    """`log` is the row of the search, None where there was none."""

    passages: tuple[Passage, ...] = ()
    log: int | None = None


def passages_near(turn: Turn, answer: str, *, tenant: int | None, student: int) -> NearPassages:
    """The passages that come nearest to an answer, by its element, its question, and its own words."""
    if not says_something(answer):
        return NearPassages()
    request = _search_request(turn, tenant, student)
    try:
        found = search(replace(request, answer=answer))
    except (ModelError, DatabaseError, UnknownElement) as error:
        log.warning("answer_not_looked_up", turn=turn.pk, error=str(error))
        return NearPassages()
    return NearPassages(context_from(found).passages, found.log)


def prepare_lookup(turn: Turn, *, tenant: int | None, student: int) -> None:
    """Embeds element and question while the student reads, so that later only the answer has to be embedded."""
    with suppress(DatabaseError, UnknownElement):
        cache_query_vectors(_search_request(turn, tenant, student))


def _search_request(turn: Turn, tenant: int | None, student: int) -> SearchRequest:
    return SearchRequest(
        element=turn.element,
        question=turn.text,
        tenant=tenant,
        k=conf.BRIEFING_PASSAGES,
        exam=turn.exam_id,
        flags=flags_for(student),
    )


def quotes_near(
    passages: Sequence[Passage], answer: str, points: Sequence[Point], shown: Sequence[dict[str, Any]]
) -> tuple[Citation, ...]:
    """Quotes nearest to the words that are wrong, or to the whole answer where nothing expected was conveyed or no
    words are marked wrong; sources that are already shown are left out. What is half right needs the rest of its rule,
    not another one."""
    wrong = [point.said for point in points if point.said and point.met == "contradicted"]
    found = {point.met for point in points}
    if "contradicted" not in found and found & {"met", "half"}:
        return ()
    return nearest_quotes(
        dict.fromkeys(wrong or [answer]),
        passages,
        besides=[str(citation["quote"]) for citation in shown],
        first=max((int(citation["n"]) for citation in shown), default=0) + 1,
    )
