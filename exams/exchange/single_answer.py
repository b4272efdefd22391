"""Assesses one answer to one question without an exam, for `manage.py grade`.

References are alternatives: each is a complete right answer, and any one suffices. An element's expectations are those
of an exam. Verdict, score, and feedback come from one decision, as in an exam.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from exams.bank.selection import MixUpKnown, draw_values
from exams.conf import ANSWER_CHARACTERS_MOST
from exams.domain.feedback import feedback_for
from exams.domain.values import SCORED_VERDICTS, Exchange, Expectation
from exams.domain.verdicts import UNGRADED, Decision, decide_verdict
from exams.examiner.assessor import ROLE as ASSESSOR
from exams.examiner.assessor import assess_answer
from exams.examiner.briefing import (
    Briefing,
    bank_at_hand,
    briefing_for_item,
    briefing_from_claims,
    library_state,
)
from exams.exchange.question_flow import aids_of
from knowledge.grounding.citations import Citation
from knowledge.grounding.context import NO_SOURCES, GroundedContext
from knowledge.standards.elements import element_named
from knowledge.text.tokens import content_words, share_covered
from llm.errors import ModelError
from llm.registry import chat_model


class NothingToJudgeBy(ValueError):
    """Neither a reference nor an element was given."""


class AnswerTooLong(ValueError):
    """The answer is longer than an exam accepts."""


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
    question: str, answer: str, *, references: Sequence[str] = (), element: str = ""
) -> SingleAssessment:
    """The best assessment by any of the references, or by what is expected for the element.

    A model that fails leaves the answer ungraded. Raises NothingToJudgeBy, AnswerTooLong, and for an element NoSupport
    and UnknownElement.
    """
    if len(answer) > ANSWER_CHARACTERS_MOST:
        raise AnswerTooLong(
            f"an answer holds at most {ANSWER_CHARACTERS_MOST:,} characters, this is {len(answer):,}"
        )
    exchange = Exchange(asked=question, said=answer)

    def judge(
        expectations: Sequence[Expectation],
        context: GroundedContext = NO_SOURCES,
        citations: tuple[Citation, ...] = (),
        mixups: Sequence[MixUpKnown] = (),
    ) -> SingleAssessment:
        try:
            assessor = chat_model(ASSESSOR)
            judged = assess_answer(
                (exchange,),
                expectations,
                context,
                mixups=mixups,
                aids=aids_of(assessor, element, None),
                model=assessor,
            )
        except ModelError as error:
            return SingleAssessment(decision=UNGRADED, error=str(error))
        decision = decide_verdict(judged.points, may_probe=False, unsafe_held=judged.unsafe_held)
        return SingleAssessment(decision=decision, citations=citations)

    given = [
        Expectation(key="reference", text=one.strip(), importance="must", kind="explain")
        for one in references
        if one.strip()
    ]
    if given:
        return max((judge((reference,)) for reference in given), key=_worth_of)
    if not element:
        raise NothingToJudgeBy("give at least one --reference, or an --element whose claims are approved")
    briefing = _briefing_for_question(question, element)
    return judge(briefing.expectations, briefing.context, briefing.citations, briefing.mixups)


def _briefing_for_question(question: str, element: str) -> Briefing:
    """Of the element's item whose question is nearest to this one."""
    library = library_state(None, None)
    element_named(element)
    items = bank_at_hand(library).by_element.get(element, ())
    words = set(content_words(question))
    item = max(
        items, key=lambda one: share_covered(words, content_words(f"{one.stem} {one.again}")), default=None
    )
    if item is None:
        return briefing_from_claims(element, library=library, recorded=False)
    return briefing_for_item(element, item, draw_values(item, question), library=library, recorded=False)


def _worth_of(found: SingleAssessment) -> tuple[int, float, bool]:
    """The better verdict first; of two that fail, the one that says what was wrong."""
    verdict = found.decision.verdict
    place = SCORED_VERDICTS.index(verdict) if verdict in SCORED_VERDICTS else -1
    return place, found.decision.score, bool(found.decision.points_with("contradicted"))
