"""A question that was asked becomes a comparison of both arms: approved claims with the search, and the search alone.

Shadow mode. Nothing of a turn waits for it and nothing of it can fail a turn: beat asks for it, a worker makes it, from
rows of exchanges that are over. Both arms are made anew from the library as it is then, without the caches; each
verdict is the one of this machine's assessor, so that the arms are judged alike and no vendor is paid.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache
from time import perf_counter
from typing import Final, Literal

import structlog
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from exams import conf
from exams.domain.values import Exchange
from exams.domain.verdicts import decide
from exams.examiner.assessor import ROLE as ASSESSOR
from exams.examiner.assessor import assess_answer
from exams.examiner.briefing import (
    Briefing,
    NoSupport,
    bank_at_hand,
    briefing_for_item,
    briefing_from_claims,
    library_state,
)
from exams.examiner.claim_selection import focus_of
from exams.examiner.offline_skills import offline_skills
from exams.models import Answer, Assessment, Turn
from knowledge.flags import ENHANCED, SHADOW, Switched
from knowledge.models import RetrievalComparison
from knowledge.standards.elements import UnknownElement
from llm.errors import ModelError
from llm.interfaces import ChatModel
from llm.offline import OfflineChatModel
from llm.registry import chat_model

log = structlog.get_logger(__name__)

Arm = Literal["plain", "enhanced"]
ARMS: Final[tuple[Arm, Arm]] = ("plain", "enhanced")


@dataclass(frozen=True, slots=True)
class Given:
    """What an arm gives for a question: passages in order, those its question rests on, the milliseconds that finding
    them took, the verdict on the answer. All empty where it could not ask at all."""

    passages: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()
    milliseconds: float | None = None
    verdict: str = ""


def compare_arms() -> int:
    """Compare what is due, the oldest first; returns how many comparisons were stored. A second run adds nothing."""
    done = 0
    for turn in list(turns_due()[: conf.COMPARED_AT_ONCE]):
        try:
            _store(turn, _both(turn))
        except Exception:  # one that fails holds up no other, and is left after a day
            log.exception("comparison_failed", turn=turn.pk)
        else:
            done += 1
    return done


def turns_due() -> QuerySet[Turn]:
    """Opening questions of the last day that shadow mode was on for and that have a final verdict."""
    since = timezone.now() - timedelta(hours=conf.COMPARED_WITHIN_HOURS)
    final = Assessment.objects.filter(turn__exam=OuterRef("exam"), element=OuterRef("element"), final=True)
    compared = RetrievalComparison.objects.filter(turn=OuterRef("pk"))
    return (
        Turn.objects.filter(
            Exists(final),
            ~Exists(compared),
            form="opening",
            created_at__gte=since,
            context__flags__contains=[SHADOW],
        )
        .select_related("exam")
        .order_by("id")
    )


def _both(turn: Turn) -> dict[Arm, Given]:
    """Who comes first is taken by turns: the second finds the database warm."""
    order = ARMS if turn.pk % 2 else (ARMS[1], ARMS[0])
    said = _said(turn)
    return {arm: _given(arm, turn, said) for arm in order}


def _given(arm: Arm, turn: Turn, said: str) -> Given:
    started = perf_counter()
    try:
        asked = _briefing(turn, _flags(arm, turn))
    except (NoSupport, UnknownElement):
        return Given()
    taken = (perf_counter() - started) * 1000
    return Given(
        passages=tuple(dict.fromkeys(one.chunk_id for one in asked.context.passages)),
        cited=tuple(dict.fromkeys(one.chunk_id for one in asked.citations)),
        milliseconds=taken,
        verdict=_verdict(turn, said, asked),
    )


def _briefing(turn: Turn, flags: Switched) -> Briefing:
    """The turn's item, or the claims it was asked from, with the passages that an arm finds beside them."""
    state = replace(library_state(turn.exam.tenant_id, turn.exam.student_id), flags=flags)
    if not turn.item:
        whole = briefing_from_claims(turn.element, library=state, exam=turn.exam_id, recorded=False)
        return whole.only(focus_of(whole.bases, f"{turn.exam_id}/{turn.element}"))
    items = bank_at_hand(state).by_element.get(turn.element, ())
    item = next((one for one in items if one.key == turn.item), None)
    if item is None:
        raise NoSupport(f"{turn.item} can no longer be asked")
    values = turn.provenance.get("values", {})
    return briefing_for_item(turn.element, item, values, library=state, exam=turn.exam_id, recorded=False)


def _flags(arm: Arm, turn: Turn) -> Switched:
    """Those of the turn, but for the one that tells the arms apart."""
    others = {name for name in turn.context["flags"] if name != ENHANCED}
    return tuple(sorted(others | {ENHANCED} if arm == "enhanced" else others))


def _said(turn: Turn) -> str:
    """All that the student said about the element."""
    answers = Answer.objects.filter(exam=turn.exam_id, turn__element=turn.element).order_by("id")
    return "\n".join(answers.values_list("text", flat=True))


def _verdict(turn: Turn, said: str, asked: Briefing) -> str:
    with suppress(ModelError):
        exchanges = (Exchange(asked=turn.text, said=said),)
        judged = assess_answer(
            exchanges, asked.expectations, asked.context, mixups=asked.mixups, model=_own_assessor()
        )
        decision = decide(judged.points, attempt="probe", unsafe_held=judged.unsafe_held, may_probe=False)
        return decision.verdict
    return ""


def _own_assessor() -> ChatModel:
    usual = chat_model(ASSESSOR)
    return _offline() if usual.external else usual


@cache
def _offline() -> ChatModel:
    return OfflineChatModel(offline_skills())


def _store(turn: Turn, given: dict[Arm, Given]) -> None:
    plain, enhanced = given["plain"], given["enhanced"]
    final = Assessment.objects.filter(turn__exam=turn.exam_id, element=turn.element, final=True).order_by(
        "-id"
    )
    row = RetrievalComparison(
        tenant_id=turn.exam.tenant_id,
        element=turn.element,
        exam=turn.exam_id,
        turn=turn.pk,
        served="enhanced" if ENHANCED in turn.context["flags"] else "plain",
        plain=list(plain.passages),
        enhanced=list(enhanced.passages),
        plain_cited=list(plain.cited),
        enhanced_cited=list(enhanced.cited),
        plain_ms=plain.milliseconds,
        enhanced_ms=enhanced.milliseconds,
        plain_verdict=plain.verdict,
        enhanced_verdict=enhanced.verdict,
        verdict=final.values_list("verdict", flat=True).first() or "",
        overlap=overlap_of(plain.passages, enhanced.passages),
    )
    RetrievalComparison.objects.bulk_create([row], ignore_conflicts=True)


def overlap_of(one: Sequence[str], other: Sequence[str]) -> float:
    """Those of both among those of either, 0 to 1."""
    either = set(one) | set(other)
    return len(set(one) & set(other)) / len(either) if either else 0.0
