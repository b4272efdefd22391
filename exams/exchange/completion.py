"""Ends an exam: grades it and finds the passages to study.

The exam stores the passages, so the report always shows the same ones and needs no search.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from django.db.models import QuerySet
from django.urls import reverse

from exams.conf import HALF_HEARD
from exams.domain.feedback import about_first_words, was_said_at_once
from exams.domain.grading import Need, TestResult, grade_oral
from exams.domain.planner import PlannerState
from exams.domain.values import Point
from exams.domain.verdicts import NOT_SAID, SAID_OTHERWISE
from exams.examiner.briefing import source_of_element
from exams.examiner.examiner import words_on_flight
from exams.exchange.exam_frames import announce_frames, append_frames
from exams.exchange.exam_repository import close_exam, open_points_of, save_progress, wrong_points
from exams.exchange.flight import flight_so_far
from exams.exchange.mastery_repository import counted_finals, rebuild_mastery
from exams.models import Assessment, Exam, ExamStatus, Mastery
from exams.offline.answer_filter import gaps_admitted
from exams.protocol.codec import finished_frame
from knowledge.text.slots import fill_slots


@dataclass(frozen=True)
class StudyPassage:
    label: str
    quote: str
    url: str


def finish_exam(exam: Exam, planner: PlannerState, status: ExamStatus) -> None:
    """Grades what was asked and announces the result, also to a room that is open. The caller holds the exam's row."""
    result = grade_oral(exam.read_scope(), planner.outcomes, study_needs(exam))
    study = find_study_passages(exam, [item.code for item in result.study])
    closing = farewell(exam, result.result, ended_early=status == ExamStatus.ABANDONED)
    report = reverse("exams:report", args=[exam.pk])
    append_frames(exam, [finished_frame(result, report=report, closing=closing)])
    close_exam(exam, status, result, study)
    if exam.manner == "checkride":
        rebuild_mastery(exam.student_id, exam.tenant, exam.certificate)
    save_progress(exam, planner)
    announce_frames(exam.pk, exam.seq)


FAREWELL: Final[Mapping[TestResult, str]] = {
    "pass": "That's all I have for you. Taken as a whole, I'm satisfied. The report shows what to read up on.",
    "fail": "That's all I have for you today. Some of it isn't up to the standard yet. The report shows what, and where"
    " to read up on it.",
    "incomplete": "That's as far as we got today. The report shows what is still open.",
}
THANKS: Final = "Thank you for sitting down with me."


def farewell(exam: Exam, result: TestResult, *, ended_early: bool = False) -> str:
    """The examiner's last words. A flight that the talk was about until now comes home first."""
    scene = exam.read_scene()
    home = ""
    if scene and not ended_early and flight_so_far(exam.pk).on_flight:
        home = fill_slots(words_on_flight("after the flight", (), seed=str(exam.pk)), scene.slots)
    return " ".join(filter(None, (home, FAREWELL[result], THANKS)))


def study_needs(exam: Exam) -> dict[str, Need]:
    """By element, what orders the study list: P0 facts missed, words corrected, papers misjudged, and what the student
    was not sure of or left out at first in this exam, misses in the student's others, and when it is due."""
    own = _finals_of(exam).values_list("element", "points")
    missed_p0 = {code for code, points in own if any(one.get("p0") and one["met"] != "met" for one in points)}
    judged = defaultdict(list)
    rows = Assessment.objects.filter(turn__exam=exam).select_related("turn", "answer")
    for one in rows.order_by("answer_id", "id"):
        judged[one.element].append(one)
    papers = exam.read_qualification()
    misjudged = {one.element for one in papers.misjudged} if papers else set()
    corrected = {code for code, found in judged.items() if corrected_words(found, found[0].turn.expectations)}
    unsure = {code for code, found in judged.items() if unsure_words(found)}
    prompted = {
        code for code, found in judged.items() if completed_after_follow_up(found, found[0].turn.expectations)
    }
    others = counted_finals(exam.student_id, exam.tenant, exam.certificate).exclude(turn__exam=exam)
    missed = Counter(
        others.filter(verdict__in=("partial", "unsatisfactory")).values_list("element", flat=True)
    )
    key = {"student_id": exam.student_id, "tenant": exam.tenant, "certificate": exam.certificate}
    known = Mastery.objects.filter(**key).values_list("element", "due")
    due = {code: at.isoformat() for code, at in known if at is not None}
    return {
        code: Need(
            p0=code in missed_p0,
            corrected=code in corrected,
            misjudged=code in misjudged,
            unsure=code in unsure,
            prompted=code in prompted,
            missed_before=missed[code],
            due=due.get(code, ""),
        )
        for code in missed_p0 | corrected | misjudged | unsure | prompted | set(missed) | set(due)
    }


def corrected_words(
    assessments: Iterable[Assessment], expectations: Iterable[Mapping[str, Any]]
) -> tuple[str, ...]:
    """What the student said wrongly about an element before the follow-up after which it was satisfactory; of its
    assessments in the order of the answers. A reviewer's verdict takes the earlier findings back."""
    found = list(assessments)
    final = next((one for one in found if one.final), None)
    if final is None or final.verdict != "satisfactory" or "reviewer" in final.provenance:
        return ()
    earlier = (point for one in found if one.answer_id < final.answer_id for point in one.points)
    wrong = (one["said"].rstrip(".!?,; ") for one in wrong_points(earlier, expectations))
    return tuple(filter(None, dict.fromkeys(wrong)))


def unsure_words(assessments: Iterable[Assessment]) -> tuple[str, ...]:
    """The sentences in which the student was not sure of something about an element that ended satisfactory; of one
    that did not, the verdict says more."""
    found = list(assessments)
    if not any(one.final and one.verdict == "satisfactory" for one in found):
        return ()
    heard = (one for one in found if one.answer and one.decision.get("next_step") != "repeat")
    return tuple(dict.fromkeys(words for one in heard for words in gaps_admitted(one.answer.text)))


def completed_after_follow_up(
    assessments: Iterable[Assessment], expectations: Collection[Mapping[str, Any]]
) -> tuple[str, ...]:
    """What a follow-up had to be asked for of an element that was satisfactory after it, a sentence each: what was
    required and plainly left out, and what was said by half, beside the whole. Not what may have been misheard or was
    only said again, what `corrected_words` has, nor what a reviewer saw in it."""
    found = list(assessments)
    final = next((one for one in found if one.final), None)
    if final is None or final.verdict != "satisfactory" or "reviewer" in final.provenance:
        return ()
    earlier = [one for one in found if not one.final]
    heard = [one.answer.text for one in earlier if one.answer and one.decision.get("next_step") != "repeat"]
    ended = {point["key"]: Point.from_dict(point) for point in final.points}
    told = []
    for point in open_points_of(earlier, expectations):
        whole = ended.get(point.key)
        if (
            point.importance != "must"
            or point.met == "contradicted"
            or (whole and was_said_at_once(whole, heard))
        ):
            continue
        if point.why.startswith(NOT_SAID):
            told.append(f"Not in full at first: {point.expectation}")
        elif point.said and (point.met == "half" or point.why == SAID_OTHERWISE):
            told.append(about_first_words(point, point.expectation.rstrip(".")))
        elif point.met == "missing" and point.conveyed < HALF_HEARD:
            told.append(f"Left out at first: {point.expectation}")
    return tuple(dict.fromkeys(filter(None, told)))


def _finals_of(exam: Exam) -> QuerySet[Assessment]:
    return Assessment.objects.filter(turn__exam=exam, final=True).order_by("turn_id", "id")


def study_passages_of(exam: Exam) -> dict[str, StudyPassage]:
    """By element, the passages that were stored when the exam ended."""
    return {code: StudyPassage(**passage) for code, passage in exam.study.items()}


def passage_of(final: Assessment) -> StudyPassage | None:
    """What a final verdict rests on, a point that was not met first; None where it cites nothing."""
    wanted = [n for point in final.points if point["met"] != "met" for n in point["citations"]]
    by_n = {citation["n"]: citation for citation in final.citations}
    chosen = next((by_n[n] for n in wanted if n in by_n), next(iter(final.citations), None))
    return _passage_in(chosen) if chosen else None


def _passage_in(citation: Mapping[str, Any]) -> StudyPassage:
    return StudyPassage(label=citation["label"], quote=citation["quote"], url=citation["url"])


def find_study_passages(exam: Exam, codes: Collection[str]) -> dict[str, dict[str, str]]:
    """By element, as it is stored: what the final verdict rests on, else the rule of a paper that was misjudged, else
    what the element's items rest on. An element for which the library has nothing is left out."""
    found: dict[str, StudyPassage] = {}
    for final in _finals_of(exam).filter(element__in=codes).only("element", "points", "citations"):
        if final.element not in found and (passage := passage_of(final)) is not None:
            found[final.element] = passage
    papers = exam.read_qualification()
    for one in papers.misjudged if papers else ():
        if one.element in codes and one.element not in found and one.citation:
            found[one.element] = _passage_in(one.citation)
    for code in codes:  # those that were not asked: a few
        source = (
            None if code in found else source_of_element(code, tenant=exam.tenant, student=exam.student_id)
        )
        if source is not None:
            found[code] = StudyPassage(label=source.label, quote=source.quote, url=source.url)
    return {code: asdict(passage) for code, passage in found.items()}
