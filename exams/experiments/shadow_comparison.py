"""Shadow mode: compares both search arms on questions that were asked. One arm has approved claims, the other not.

No turn waits for it or can fail by it: the scheduler starts it in a worker, on rows of exchanges that are over. Both
arms are built again from the current library, without caches. What judges an arm was selected by neither: the passages
of the question's approved key points, which are hidden from both. The offline assessor gives both verdicts, so that no
vendor is paid.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from time import perf_counter
from typing import Final, Literal

import structlog
from django.db.models import Exists, OuterRef
from django.utils import timezone

from exams import conf
from exams.domain.values import Exchange
from exams.domain.verdicts import decide_verdict
from exams.examiner.assessor import ROLE as ASSESSOR
from exams.examiner.assessor import assess_answer, offline_skills
from exams.examiner.briefing import (
    Briefing,
    LibraryState,
    NoSupport,
    bank_at_hand,
    briefing_for_item,
    briefing_from_claims,
    library_state,
    passages_found,
)
from exams.examiner.expectations import choose_focus
from exams.models import Answer, Assessment, Turn
from knowledge.flags import ENHANCED, SHADOW
from knowledge.models import RetrievalComparison
from knowledge.standards.elements import UnknownElement
from llm.errors import ModelError
from llm.offline import OfflineChatModel
from llm.registry import chat_model

log = structlog.get_logger(__name__)

Arm = Literal["plain", "enhanced"]
ARMS: Final[tuple[Arm, Arm]] = ("plain", "enhanced")


@dataclass(frozen=True, slots=True)
class ArmResult:
    """What an arm gives for a question. All is empty where it could not ask at all.

    `passages` are in order; `found` are those that it finds while the points of the item are hidden, `labels` those
    that the points rest on. `milliseconds` is how long finding the passages took.
    """

    passages: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    milliseconds: float | None = None
    verdict: str = ""


def compare_arms() -> int:
    """Compares what is due, the oldest first; returns how many comparisons were stored. A second run adds nothing.

    Due are opening questions of the last day that were asked in shadow mode and have a final verdict.
    """
    since = timezone.now() - timedelta(hours=conf.COMPARED_WITHIN_HOURS)
    final = Assessment.objects.filter(turn__exam=OuterRef("exam"), element=OuterRef("element"), final=True)
    due = Turn.objects.filter(
        Exists(final),
        ~Exists(RetrievalComparison.objects.filter(turn=OuterRef("pk"))),
        form="opening",
        created_at__gte=since,
        context__flags__contains=[SHADOW],
    )
    done = 0
    for turn in list(due.select_related("exam").order_by("id")[: conf.COMPARED_AT_ONCE]):
        try:
            # The arms go first by turns, since the second finds the database warm.
            order = ARMS if turn.pk % 2 else ARMS[::-1]
            results = {arm: _run_arm(arm, turn) for arm in order}
            plain, enhanced = results["plain"], results["enhanced"]
            finals = Assessment.objects.filter(turn__exam=turn.exam_id, element=turn.element, final=True)
            row = RetrievalComparison(
                tenant_id=turn.exam.tenant_id,
                element=turn.element,
                exam=turn.exam_id,
                turn=turn.pk,
                served="enhanced" if ENHANCED in turn.context["flags"] else "plain",
                plain=list(plain.passages),
                enhanced=list(enhanced.passages),
                labels=list(plain.labels or enhanced.labels),
                plain_found=list(plain.found),
                enhanced_found=list(enhanced.found),
                plain_ms=plain.milliseconds,
                enhanced_ms=enhanced.milliseconds,
                plain_verdict=plain.verdict,
                enhanced_verdict=enhanced.verdict,
                verdict=finals.order_by("-id").values_list("verdict", flat=True).first() or "",
                overlap=overlap_of(plain.passages, enhanced.passages),
            )
            RetrievalComparison.objects.bulk_create([row], ignore_conflicts=True)
        except Exception:  # one that fails holds up no other, and is left after a day
            log.exception("comparison_failed", turn=turn.pk)
        else:
            done += 1
    return done


def _run_arm(arm: Arm, turn: Turn) -> ArmResult:
    """What the arm finds for the question, and the verdict on all that the student said about its element.

    The verdict is empty where no model could judge.
    """
    flags = {name for name in turn.context["flags"] if name != ENHANCED}
    if arm == "enhanced":
        flags.add(ENHANCED)
    state = replace(library_state(turn.exam.tenant_id, turn.exam.student_id), flags=tuple(sorted(flags)))
    started = perf_counter()
    try:
        briefing = _find_briefing(turn, state)
    except (NoSupport, UnknownElement):
        return ArmResult()
    milliseconds = (perf_counter() - started) * 1000
    answers = Answer.objects.filter(exam=turn.exam_id, turn__element=turn.element).order_by("id")
    exchange = Exchange(asked=turn.text, said="\n".join(answers.values_list("text", flat=True)))
    usual = chat_model(ASSESSOR)
    verdict = ""
    with suppress(ModelError):
        judged = assess_answer(
            (exchange,),
            briefing.expectations,
            briefing.context,
            mixups=briefing.mixups,
            model=OfflineChatModel(offline_skills()) if usual.external else usual,
        )
        verdict = decide_verdict(
            judged.points, attempt="probe", unsafe_held=judged.unsafe_held, may_probe=False
        ).verdict
    labels: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    if briefing.item and briefing.values is not None:
        points = briefing.item.expected_with(briefing.values)
        labels = tuple(dict.fromkeys(point.chunk_id for point in points if point.chunk_id))
        hidden = {point.concept for point in briefing.item.points}
        found = passages_found(turn.element, briefing.item, library=state, hidden=hidden)
    return ArmResult(
        milliseconds=milliseconds,
        passages=tuple(dict.fromkeys(one.chunk_id for one in briefing.context.passages)),
        found=found,
        labels=labels,
        verdict=verdict,
    )


def _find_briefing(turn: Turn, state: LibraryState) -> Briefing:
    """Of the turn's item, or of the claims it was asked from, with the passages that the arm finds beside them."""
    if not turn.item:
        whole = briefing_from_claims(turn.element, library=state, exam=turn.exam_id, recorded=False)
        return whole.narrowed_to(choose_focus(whole.bases, f"{turn.exam_id}/{turn.element}"))
    items = bank_at_hand(state).by_element.get(turn.element, ())
    item = next((one for one in items if one.key == turn.item), None)
    if item is None:
        raise NoSupport(f"{turn.item} can no longer be asked")
    values = turn.provenance.get("values", {})
    return briefing_for_item(turn.element, item, values, library=state, exam=turn.exam_id, recorded=False)


def overlap_of(one: Sequence[str], other: Sequence[str]) -> float:
    """The share of both among those of either, 0 to 1."""
    either = set(one) | set(other)
    return len(set(one) & set(other)) / len(either) if either else 0.0
