"""Judges the answers in a qualification, and concludes it.

Its verdicts do not count, because an applicant who is not eligible is not tested. All answers about the papers are read
together when the last one is in.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any, get_args

import structlog

from exams.conf import HALF_HEARD, NON_ANSWERS_MOST
from exams.domain.asides import is_non_answer
from exams.domain.feedback import TAUGHT_MOST, with_source
from exams.domain.planner import Action
from exams.domain.qualification.papers import (
    Card,
    FalseAlarm,
    Fault,
    Folder,
    Judged,
    Qualification,
    Side,
)
from exams.domain.qualification.reading import Heard, hear_decision, hear_faults
from exams.domain.values import Exchange, Expectation, Point
from exams.domain.verdicts import NON_ANSWER, Decision, decide_verdict
from exams.examiner.assessor import ROLE as ASSESSOR
from exams.examiner.assessor import OnTable, assess_answer
from exams.examiner.briefing import citation_of_rule
from exams.exchange.executors import while_thinking
from exams.exchange.qualification.asking import DECISION, FORM, follow_up_on, may_follow_up, words_for
from exams.exchange.question_flow import (
    Assessed,
    aids_of,
    aside_to,
    ask_follow_up,
    assessment_row,
    context_from_stored,
    mixups_of,
    reply_to_aside,
    table_of,
)
from exams.models import Answer, Assessment, Exam, Turn
from exams.offline.answer_filter import filter_answer
from exams.protocol.frames import FrameBody, Qualified
from knowledge.grounding.context import NO_SOURCES
from llm.errors import ModelError
from llm.registry import chat_model

log = structlog.get_logger(__name__)


def judge_papers(turn: Turn, answer: str) -> Assessed:
    """The decision on an answer about papers; it is never final. Raises ModelError if no model can be reached.

    Where a model's reply cannot be used, only what was said plainly counts. A question of the bank has the oral's
    standard, and one that is not answered is probed once.
    """
    if aside := aside_to(turn, answer):
        return reply_to_aside(turn, aside)
    if is_non_answer(answer):
        before = Assessment.objects.filter(turn=turn, decision__next_step="repeat", verdict="unsatisfactory")
        if before.count() + 1 < NON_ANSWERS_MOST:
            return Assessed(NON_ANSWER, assessment_row(turn, NON_ANSWER))
        answer = ""
    expectations = tuple(map(Expectation.from_dict, turn.expectations))
    earlier = _ladder_before(turn)
    context = context_from_stored(turn.context) if turn.context else NO_SOURCES
    assessor = chat_model(ASSESSOR)
    points: tuple[Point, ...] = ()
    provenance: dict[str, Any] = {}
    try:
        with while_thinking(assessor):
            judged = assess_answer(
                (*earlier, Exchange(asked=turn.text, said=answer)),
                expectations,
                context,
                mixups=mixups_of(turn),
                table=table_of(turn) if assessor.external else OnTable(),
                aids=aids_of(assessor, turn.element, turn.exam.tenant_id),
            )
        points, provenance = judged.points, judged.provenance
    except ModelError as error:
        if error.away:
            raise
        log.warning("papers_not_judged", turn=turn.pk, error=str(error), code=error.code)
    may_probe = bool(turn.item) and may_follow_up(turn)
    found = decide_verdict(points, attempt="probe" if earlier else "opening", may_probe=may_probe)
    decision = replace(found, final=False, next_step="probe" if found.next_step == "probe" else "move_on")
    row = assessment_row(turn, decision)
    row.provenance = provenance
    return Assessed(decision, row)


def probe_about(turn: Turn, answer: str, assessed: Assessed) -> Turn:
    """The turn of a probe at a question of the bank, not yet stored."""
    action = Action(kind="ask", form="probe", attempt=turn.attempt + 1)
    probe = ask_follow_up(turn, action, answer, assessed)
    probe.form, probe.rubric = FORM, {**probe.rubric, "probe": True}
    return probe


def follow_up_about(answer: Answer, folder: Folder, last: Decision) -> Turn | None:
    """The follow-up where something that was said of a half of the folder is wrong, or a fault was left out; None where
    nothing is, and where there is no room."""
    turn, exam = answer.turn, answer.exam
    side = turn.rubric["step"]
    if side not in get_args(Side) or not may_follow_up(turn):
        return None
    heard = _hear([*_answers_before(answer), answer], folder)
    if side not in _sides_misjudged(folder, heard, _faults_told(exam, last)):
        return None
    return follow_up_on(turn, exam, nothing_said=bool(filter_answer(answer.text).nothing))


def conclude(exam: Exam, qualification: Qualification, answer: Answer, last: Decision) -> Qualification:
    """The qualification with its outcome, when its `last` answer has been judged."""
    folder = qualification.folder
    said = [*_answers_before(answer), answer]
    heard, told = _hear(said, folder), _faults_told(exam, last)
    named = {card.name: card for card in folder.cards}
    titles = {card.key: card.name for card in folder.cards}
    alarms = dict.fromkeys(
        name for count in range(len(said)) for name in _hear(said[: count + 1], folder).false_alarms
    )
    decisions = [one.text for one in said if one.turn.rubric.get("step") == DECISION]
    return replace(
        qualification,
        outcome="not today" if folder.faults else "ready",
        faults=tuple(
            Judged(
                fault=fault,
                card=titles[fault.card],
                found=heard.credits(fault.key, told),
                citation=_citation_of(fault, exam),
            )
            for fault in folder.faults
        ),
        alarms=tuple(
            FalseAlarm(
                card=named[name],
                corrected=name not in heard.false_alarms,
                citation=_citation_of(named[name], exam),
            )
            for name in alarms
        ),
        credited=_elements_shown(exam, _sides_misjudged(folder, heard, told)),
        left_out=_points_left_out(exam),
        may_begin=hear_decision(decisions[-1]) if decisions else None,
    )


def qualified_frame(exam: Exam, qualification: Qualification) -> FrameBody:
    """What is said when it is over: what is out of order and by which rule; except in a checkride, also what was
    overlooked and left out."""
    outcome = qualification.outcome
    assert outcome
    told = " ".join(_closing_words(exam, qualification))
    faults = [{**one["fault"], **one} for one in qualification.to_dict()["faults"]]
    return Qualified.model_validate({"outcome": outcome, "text": told, "faults": faults}).to_dict()


def _closing_words(exam: Exam, papers: Qualification) -> Iterator[str]:
    if papers.outcome == "ready":
        in_order = {None: "ready, undecided", False: "ready, refused", True: "ready"}
        yield words_for(in_order[papers.may_begin], exam)
    elif papers.outcome == "not today":
        sides = papers.sides_at_fault
        yield words_for(f"not today, {'both' if len(sides) > 1 else min(sides)}", exam)
    else:
        yield words_for(papers.outcome, exam)
    if exam.manner != "checkride":
        overlooked = [one.card for one in papers.faults if not one.found]
        if papers.faults and not overlooked:
            yield words_for("found all", exam)
        elif overlooked:
            found = "some" if len(overlooked) < len(papers.faults) else "none"
            found = "none, alarms" if papers.has_too_many_alarms else found
            yield words_for(f"found {found}", exam).format(overlooked=" and ".join(overlooked))
        if papers.left_out:
            yield words_for("left out", exam).format(left_out="; ".join(papers.left_out[:TAUGHT_MOST]))
    if papers.outcome == "not today":
        yield words_for("go on", exam)


def _hear(said: Iterable[Answer], folder: Folder) -> Heard:
    """What the answers say of the papers. Those to one step are heard as one: "it" in the answer to a follow-up is the
    paper that was named last."""
    of_step: dict[str, list[str]] = defaultdict(list)
    for one in said:
        of_step[one.turn.rubric["step"]].append(one.text)
    decision = "\n\n".join(of_step.pop(DECISION, ()))
    return hear_faults(["\n\n".join(texts) for texts in of_step.values()], folder, decision)


def _faults_told(exam: Exam, last: Decision) -> set[str]:
    """The keys of the faults that the answers were judged to state, the `last` one with its decision."""
    rows = Assessment.objects.filter(turn__exam=exam, turn__form=FORM).values_list("points", flat=True)
    told = {point["key"] for points in rows for point in points if point["met"] == "met"}
    return told | {point.key for point in last.points if point.met == "met"}


def _sides_misjudged(folder: Folder, heard: Heard, told: Collection[str]) -> set[Side]:
    """The halves of the folder with a false alarm that stands or a fault that was not found."""
    missed = {fault.card for fault in folder.faults if not heard.credits(fault.key, told)}
    return {card.side for card in folder.cards if card.key in missed or card.name in heard.false_alarms}


def _ladder_before(turn: Turn) -> tuple[Exchange, ...]:
    """What was asked and said before a probe about the same; empty for any other turn."""
    if not turn.rubric.get("probe"):
        return ()
    before = Answer.objects.filter(
        exam=turn.exam_id, turn__rubric__step=turn.rubric["step"], turn__number__lt=turn.number
    )
    counted = before.exclude(assessments__decision__next_step="repeat").select_related("turn").order_by("pk")
    return tuple(Exchange(asked=one.turn.text, said=one.text) for one in counted)


def _elements_shown(exam: Exam, misjudged: Collection[Side]) -> tuple[str, ...]:
    """The elements of the bank's questions whose last answer was satisfactory, without those before a half that was
    misjudged."""
    rows = Assessment.objects.filter(turn__exam=exam, turn__form=FORM).exclude(turn__item="").order_by("pk")
    against = {f"ask {side}" for side in misjudged}
    last = {
        step: (verdict, codes)
        for step, verdict, codes in rows.values_list(
            "turn__rubric__step", "verdict", "turn__rubric__elements"
        )
    }
    shown = (
        codes for step, (verdict, codes) in last.items() if verdict == "satisfactory" and step not in against
    )
    return tuple(code for codes in shown for code in codes)


def _points_left_out(exam: Exam) -> tuple[str, ...]:
    """What the last answers to the bank's questions plainly lacked of what was required, with the sources."""
    rows = Assessment.objects.filter(turn__exam=exam, turn__form=FORM).exclude(turn__item="")
    last = {row.turn.rubric["step"]: row for row in rows.select_related("turn").order_by("pk")}
    return tuple(
        with_source(point, {citation["n"]: citation["label"] for citation in row.turn.citations})
        for row in last.values()
        for point in map(Point.from_dict, row.points)
        if point.importance == "must" and point.met == "missing" and point.conveyed < HALF_HEARD
    )


def _answers_before(answer: Answer) -> list[Answer]:
    """The earlier answers about the papers that lay there, without those that only asked for the question again."""
    earlier = Answer.objects.filter(exam=answer.exam_id, turn__form=FORM, turn__item="", pk__lt=answer.pk)
    return list(
        earlier.exclude(assessments__decision__next_step="repeat").select_related("turn").order_by("pk")
    )


def _citation_of(ruled: Fault | Card, exam: Exam) -> dict[str, Any] | None:
    found = citation_of_rule(ruled.law, ruled.rule, tenant=exam.tenant_id)
    return found.to_dict() if found else None
