"""One question and one answer become one assessment, without an exam around them.

References are alternatives: each is a whole right answer of its own, and any one suffices. An element's
expectations are those that an exam would have. Verdict, score and feedback come from the one decision, as
in an exam.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from exams.bank.selection import MixUpKnown, draw_values
from exams.conf import ANSWER_CHARACTERS_MOST
from exams.domain.feedback import feedback_for
from exams.domain.values import SCORED_VERDICTS, Exchange, Expectation
from exams.domain.verdicts import Decision, decide
from exams.examiner.assessor import Judged, assess_answer
from exams.examiner.briefing import (
    Briefing,
    bank_at_hand,
    briefing_for_item,
    briefing_from_claims,
    library_state,
)
from knowledge.grounding.citations import Citation
from knowledge.grounding.context import NO_SOURCES, GroundedContext
from knowledge.standards.elements import element_named
from knowledge.text.tokens import content_words, coverage
from llm.errors import ModelError
from llm.interfaces import ChatModel


class NothingToJudgeBy(ValueError):
    """Neither a reference nor an element was given."""


class AnswerTooLong(ValueError):
    """More than an exam would take as one answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleAssessment:
    """`error` says why the answer is ungraded, where it is."""

    decision: Decision
    citations: tuple[Citation, ...] = ()
    error: str = ""

    def to_dict(self) -> dict[str, Any]:
        """CONTRACT's shape of `manage.py grade --json`."""
        labels = {one.n: one.label for one in self.citations}
        found: dict[str, Any] = {
            "verdict": self.decision.verdict,
            "score": self.decision.score,
            "points": [point.to_dict() for point in self.decision.points],
            "citations": [citation.to_dict() for citation in self.citations],
            "feedback": feedback_for(self.decision, sources=labels),
        }
        return {**found, "error": self.error} if self.error else found


def assess_alone(
    question: str,
    answer: str,
    *,
    references: Sequence[str] = (),
    element: str = "",
    tenant: int | None = None,
    model: ChatModel | None = None,
) -> SingleAssessment:
    """The best that the answer is worth by any reference, or by what is expected for the element.

    Raises NothingToJudgeBy, AnswerTooLong; NoSupport and UnknownElement for an element. A model that fails leaves
    it ungraded.
    """
    if len(answer) > ANSWER_CHARACTERS_MOST:
        raise AnswerTooLong(
            f"an answer holds at most {ANSWER_CHARACTERS_MOST:,} characters, this is {len(answer):,}"
        )
    given = [one.strip() for one in references if one.strip()]
    if given:
        return max((_by_reference(question, answer, one, model) for one in given), key=_worth)
    if not element:
        raise NothingToJudgeBy("give at least one --reference, or an --element whose claims are approved")
    briefing = _briefing(question, element, tenant)
    return _judged(question, answer, briefing, model)


def _briefing(question: str, element: str, tenant: int | None) -> Briefing:
    """Of the element's item whose question is nearest to this one."""
    library = library_state(tenant, None)
    element_named(element)
    items = bank_at_hand(library).by_element.get(element, ())
    words = set(content_words(question))
    item = max(items, key=lambda one: coverage(words, content_words(f"{one.stem} {one.again}")), default=None)
    if item is None:
        return briefing_from_claims(element, library=library, recorded=False)
    return briefing_for_item(element, item, draw_values(item, question), library=library, recorded=False)


def _by_reference(question: str, answer: str, reference: str, model: ChatModel | None) -> SingleAssessment:
    expected = Expectation(key="reference", text=reference, importance="must", kind="explain")
    return _decided((Exchange(asked=question, said=answer),), (expected,), NO_SOURCES, (), (), model)


def _judged(question: str, answer: str, briefing: Briefing, model: ChatModel | None) -> SingleAssessment:
    exchanges = (Exchange(asked=question, said=answer),)
    return _decided(
        exchanges, briefing.expectations, briefing.context, briefing.citations, briefing.mixups, model
    )


def _decided(
    exchanges: Sequence[Exchange],
    expectations: Sequence[Expectation],
    context: GroundedContext,
    citations: tuple[Citation, ...],
    mixups: Sequence[MixUpKnown],
    model: ChatModel | None,
) -> SingleAssessment:
    try:
        judged: Judged = assess_answer(exchanges, expectations, context, mixups=mixups, model=model)
    except ModelError as error:
        return SingleAssessment(decision=decide(()), error=str(error))
    decision = decide(judged.points, may_probe=False, unsafe_held=judged.unsafe_held)
    return SingleAssessment(decision=decision, citations=citations)


def _worth(found: SingleAssessment) -> tuple[int, float, bool]:
    """The better verdict first; of two that fail, the one that says what was said wrongly."""
    verdict = found.decision.verdict
    place = SCORED_VERDICTS.index(verdict) if verdict in SCORED_VERDICTS else -1
    return place, found.decision.score, bool(found.decision.contradicted)
