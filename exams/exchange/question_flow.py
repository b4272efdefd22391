"""One exchange of the talk: rows become what examiner and assessor are given, their words become what is stored.

Whatever fails in assessing is `ungraded`, never a grade; a model that is away fails the whole exchange (ModelError).
An element that the library cannot support is left out.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any
from uuid import UUID

import structlog
from django.urls import reverse

from exams.bank.lint import filled
from exams.bank.selection import MixUpKnown, choose_item, draw_values
from exams.conf import NON_ANSWERS_MOST
from exams.domain.feedback import feedback_for
from exams.domain.non_answers import is_non_answer
from exams.domain.planner import Action
from exams.domain.repeat_request import asks_again
from exams.domain.values import Exchange, expectations_from_dicts
from exams.domain.verdicts import Decision, asked_again, decide, non_answer
from exams.examiner.answer_retrieval import Bearing, passages_bearing_on, quotes_near
from exams.examiner.assessor import ROLE as ASSESSOR
from exams.examiner.assessor import Judged, assess_answer
from exams.examiner.briefing import (
    EXAMINER,
    Briefing,
    LibraryState,
    NoSupport,
    bank_at_hand,
    briefing_for_item,
    briefing_from_claims,
    may_ask_freely,
)
from exams.examiner.claim_selection import focus_of
from exams.examiner.element_facts import TaskName, task_names
from exams.examiner.examiner import Asked, write_hint, write_opening, write_probe
from exams.exchange.exam_repository import Ladder, Said
from exams.exchange.executors import while_thinking
from exams.models import Turn
from knowledge.grounding.citations import Citation
from knowledge.grounding.context import Disagreement, GroundedContext, Passage, context_of
from knowledge.notes import notes_for
from knowledge.standards.elements import UnknownElement
from llm.errors import ModelError
from llm.registry import chat_model, embedding_model

log = structlog.get_logger(__name__)

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with all that its turn keeps."""

    element: str
    task: str
    kind: str
    form: str
    attempt: int
    text: str
    transition: str
    expectations: list[Json]
    context: Json
    citations: list[Json]
    images: list[Json]
    givens: list[Json]
    item: str
    rubric: Json
    provenance: Json

    def columns(self) -> Json:
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessed:
    """A decision and all that is kept beside it."""

    decision: Decision
    feedback: str
    citations: list[Json]
    degraded: str
    provenance: Json
    near: tuple[
        Citation, ...
    ] = ()  # what the library says nearest to the answer; the verdict does not rest on it
    looked_up: int | None = None  # the look-up that found it


# --- asking --------------------------------------------------------------------------------------------------


def ask(
    action: Action,
    *,
    library: LibraryState,
    history: Sequence[Said],
    met: Mapping[str, int],
    difficulty: str,
    exam_id: UUID,
    certificate: str,
) -> Question | None:
    """An opening question about the action's element; None if the library cannot bear one after all. `library` is the
    state of it (`library_state`), `met` tells when this student met which item (`exam_repository.items_met`).
    """
    if action.element is None:
        return None
    code, seed = action.element.code, f"{exam_id}/{action.element.code}"
    try:
        with while_thinking(embedding_model()):
            briefing = _briefing(code, seed, library, history, met, difficulty, exam_id)
        notes = notes_for(
            EXAMINER, tenant=library.tenant, area=briefing.element.area, generations=library.generations
        )
        asked = _history(history, task_names(certificate))
        with while_thinking(chat_model(EXAMINER)):
            words = write_opening(briefing, history=asked, difficulty=difficulty, seed=seed, notes=notes)
    except (NoSupport, UnknownElement) as error:
        log.info("element_without_support", element=code, reason=str(error))
        return None
    return Question(
        element=code,
        task=action.element.task,
        kind=action.element.kind,
        form=action.form,
        attempt=action.attempt,
        text=words.text,
        transition=words.transition,
        expectations=[expectation.to_dict() for expectation in briefing.expectations],
        context=_stored_context(briefing, library, notes),
        citations=[citation.to_dict() for citation in briefing.citations],
        images=_shown(briefing),
        givens=[
            {"name": one.title, "value": one.text, "kind": one.kind} for one in briefing.artifacts if one.text
        ],
        item=briefing.item.key if briefing.item else "",
        rubric=_rubric(briefing),
        provenance=words.provenance,
    )


def _briefing(
    code: str,
    seed: str,
    library: LibraryState,
    history: Sequence[Said],
    met: Mapping[str, int],
    difficulty: str,
    exam_id: UUID,
) -> Briefing:
    """Of the item that suits this student and exam; of approved claims where there is none and they may be asked."""
    asked = [said.item for said in history if said.item]
    items = bank_at_hand(library).by_element.get(code, ())
    item = choose_item(items, met=met, asked=asked, seed=seed, difficulty=difficulty)
    if item is not None:
        return briefing_for_item(code, item, draw_values(item, seed), library=library, exam=exam_id)
    if not may_ask_freely(library.flags):
        raise NoSupport(f"{code}: no item of the bank can be asked")
    whole = briefing_from_claims(code, library=library, exam=exam_id)
    return whole.only(focus_of(whole.bases, seed))


def _shown(briefing: Briefing) -> list[Json]:
    """The figures on the table. A figure of the passage that the answer rests on may be the answer, so it is shown only
    where no item says what lies on the table."""
    images = briefing.images
    if briefing.item is not None:
        images = tuple(dict(one.image) for one in briefing.artifacts if one.image)
    return [{**image, "url": reverse("library:figure", args=[image["image_id"]])} for image in images]


def _rubric(briefing: Briefing) -> Json:
    """What of the item is needed after the question: its other wording, its mix-ups, and why it matters."""
    item = briefing.item
    if item is None:
        return {}
    return {
        "again": filled(item.again, briefing.values or {}),
        "why": item.why,
        "mixups": [
            {"text": one.text, "answer": one.answer, "contradicts": list(one.contradicts)}
            for one in item.mixups
        ],
    }


def _history(history: Sequence[Said], names: dict[str, TaskName]) -> tuple[Asked, ...]:
    unknown = TaskName("", "", "", "")
    found = ((said, names.get(said.task, unknown)) for said in history)
    return tuple(
        Asked(text=said.text, task=said.task, task_title=name.title, area_title=name.area_title)
        for said, name in found
    )


def follow_up(turn: Turn, action: Action, answer: str, assessed: Assessed | None) -> Question:
    """A probe or a hint to the question of `turn`, on the same passages and expectations."""
    expectations = expectations_from_dicts(turn.expectations)
    citations = tuple(Citation(**stored) for stored in turn.citations)
    said = "" if is_non_answer(answer) else answer
    points = assessed.decision.points if assessed else ()
    write = write_hint if action.form == "hint" else partial(write_probe, answer=said)
    with while_thinking(chat_model(EXAMINER)):
        words = write(
            question=turn.text,
            points=points,
            expectations=expectations,
            citations=citations,
            context=context_from_stored(turn.context),
            notes=turn.context.get("notes", ()),
        )
    return Question(
        element=turn.element,
        task=turn.task,
        kind=turn.kind,
        form=action.form,
        attempt=action.attempt,
        text=words.text,
        transition="",
        expectations=turn.expectations,
        context=turn.context,
        citations=turn.citations,
        images=[],
        givens=[],
        item=turn.item,
        rubric={key: value for key, value in turn.rubric.items() if key != "again"},
        provenance=words.provenance,
    )


# --- assessing -----------------------------------------------------------------------------------------------


def assess(
    turn: Turn,
    answer: str,
    ladder: Ladder,
    *,
    may_probe: bool,
    hinted: bool,
    tenant: int | None,
    student: int,
) -> Assessed:
    """The decision on an answer. `ladder` is what was asked and said before about the same element: all of it is judged
    together, against what the opening question expects. Raises ModelError where no model can be reached."""
    if asks_again(answer):
        return _repeated(asked_again())
    if is_non_answer(answer):
        if ladder.non_answers + 1 < NON_ANSWERS_MOST:
            return _repeated(non_answer())
        answer = ""  # judged as "I don't know"
    # A vendor's model reads what is found; the one of this machine does not, and is not kept waiting for it.
    bearing = _looked_up(turn, answer, tenant, student) if chat_model(ASSESSOR).external else None
    exchanges = (*ladder.exchanges, Exchange(asked=turn.text, said=answer))
    try:
        with while_thinking(chat_model(ASSESSOR)):
            judged = assess_answer(
                exchanges,
                expectations_from_dicts(turn.expectations),
                context_from_stored(turn.context),
                mixups=_mixups(turn),
                near=bearing.passages if bearing else (),
            )
    except ModelError as error:
        if error.away:
            raise
        log.warning("ungraded", turn=turn.pk, error=str(error), code=error.code)
        return ungraded(error.code, str(error))
    points = judged.points
    decision = decide(
        points,
        attempt="opening" if turn.form == "opening" else "probe",
        hint_used=hinted,
        unsafe_held=judged.unsafe_held and turn.form != "opening",
        may_probe=may_probe,
    )
    if bearing is None and _falls_short(decision):
        bearing = _looked_up(turn, answer, tenant, student)
    near = quotes_near(bearing, answer, points, turn.citations) if bearing and _falls_short(decision) else ()
    sources = {citation["n"]: citation["label"] for citation in turn.citations}
    return Assessed(
        decision=decision,
        feedback=feedback_for(
            decision,
            sources=sources,
            turn=turn.number,
            near=_quoted(near),
            why=turn.rubric.get("why", ""),
            mixups=[_mixups(turn)[at].answer for at in judged.mixups],
        ),
        citations=turn.citations,
        degraded=_degraded(turn, judged),
        provenance=judged.provenance,
        near=near,
        looked_up=bearing.log if bearing else None,
    )


def _mixups(turn: Turn) -> tuple[MixUpKnown, ...]:
    return tuple(
        MixUpKnown(text=one["text"], answer=one["answer"], contradicts=tuple(one["contradicts"]))
        for one in turn.rubric.get("mixups", ())
    )


def _falls_short(decision: Decision) -> bool:
    """Whether there is something to learn from what was said, and the ladder is over, so that it may be taught."""
    return decision.final and decision.verdict in ("partial", "unsatisfactory")


def _looked_up(turn: Turn, answer: str, tenant: int | None, student: int) -> Bearing:
    with while_thinking(embedding_model()):
        return passages_bearing_on(turn, answer, tenant=tenant, student=student)


def _quoted(near: Sequence[Citation]) -> list[tuple[str, str]]:
    return [(one.quote, one.label or one.document) for one in near]


def rehearse(turn: Turn) -> None:
    """Judge the expected answer and forget the verdict: an assessor of this machine then has at hand what it compares
    answers with. A vendor's has nothing to gain from it.
    """
    assessor, expectations = chat_model(ASSESSOR), expectations_from_dicts(turn.expectations)
    if assessor.external:
        return
    expected = " ".join(one.text for one in expectations)
    with while_thinking(assessor), suppress(ModelError):
        assess_answer(
            (Exchange(asked=turn.text, said=expected),), expectations, context_from_stored(turn.context)
        )


def _degraded(turn: Turn, judged: Judged) -> str:
    return "; ".join(filter(None, (turn.context.get("degraded", ""), judged.degraded)))


def _repeated(decision: Decision) -> Assessed:
    return Assessed(
        decision=decision, feedback=feedback_for(decision), citations=[], degraded="", provenance={}
    )


def ungraded(code: str, message: str) -> Assessed:
    """A failure of ours. It earns nothing."""
    decision = decide(())
    return Assessed(
        decision=decision,
        feedback=feedback_for(decision),
        citations=[],
        degraded="",
        provenance={"error": code, "message": message[:300]},
    )


# --- the context as it is kept -------------------------------------------------------------------------------


def _stored_context(briefing: Briefing, library: LibraryState, notes: Sequence[str]) -> Json:
    """`notes` are kept for the follow-ups of the question."""
    return {
        "notes": list(notes),
        "flags": list(library.flags),
        "quality": briefing.context.quality,
        "disagreeing": [asdict(one) for one in briefing.context.disagreeing],
        "retrieval": briefing.retrieval,
        "passages": [asdict(passage) for passage in briefing.context.passages],
    }


def context_from_stored(stored: Json) -> GroundedContext:
    passages = tuple(
        Passage(**{**passage, "page_starts": tuple(tuple(start) for start in passage["page_starts"])})
        for passage in stored.get("passages", ())
    )
    context = context_of(passages, stored.get("quality", "none"))
    return replace(context, disagreeing=tuple(_disagreement(one) for one in stored.get("disagreeing", ())))


def _disagreement(stored: Json) -> Disagreement:
    return Disagreement(tuple(stored["chunks"]), tuple(stored["quotes"]), stored["holds"])  # type: ignore[arg-type]
