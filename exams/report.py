"""The debrief of a finished exam: the result for its scope, each element with the student's words and the source
sentence, and what to study first. No percentage, no forecast.

It only reads rows, so a report reads the same whenever it is opened.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from exams.conf import STUDY_FIRST
from exams.domain.grading import Grade, GradedTask, Outcome
from exams.domain.sampling import Because
from exams.examiner.element_facts import TaskName, element_texts, task_names
from exams.exchange.completion import (
    StudyPassage,
    completed_after_follow_up,
    corrected_words,
    study_passages_of,
    unsure_words,
)
from exams.exchange.continuing import carried_over_until
from exams.exchange.exam_frames import frames_after
from exams.exchange.regrading import JUDGED_AGAIN
from exams.models import Answer, Assessment, Dispute, Exam, Turn
from knowledge.decision_tables.table_data import tables_for_element
from knowledge.text.tokens import plain_words

Json = dict[str, Any]

LEADS_ON: Final = re.compile(r"[:—–]\s*$|^[^|]*\|[^.]*$")
"""A quote that only leads on to the one before it in the list."""
BADGE_WORDS: Final = {
    "met": "Met",
    "half": "Half met",
    "missing": "Missing",
    "contradicted": "Wrong",
    "satisfactory": "Satisfactory",
    "partial": "Partial",
    "unsatisfactory": "Unsatisfactory",
    "incomplete": "Not completed",
    "ungraded": "Not graded",
}
"""What the badges of points, verdicts, and results say, in the report and in the room."""
BECAUSE: Final[Mapping[Because, str]] = {
    "sampled": "Asked to cover what this Task requires.",
    "named": "Asked because you or your knowledge test report named it.",
    "extra": "Asked to fill the number of questions.",
    "doubt": "Asked because {of} was in doubt, and one more question of its kind decides.",
    "drill_down": "Asked because {of} builds on it.",
    "bridging": "Asked because it follows from {of}.",
    "instead": "Asked in place of {of}, which could not be asked.",
}


@dataclass(frozen=True)
class AskedElement:
    """One element: its questions and answers in order, then the final verdict with its points.

    A point has the words of its badge, its sources, each with whether a point above quotes it already, and whether one
    of them says the expectation verbatim. `tables` are
    the decision tables that the element is about, `because` says why it was asked, `judged_by` who judged it with which
    versions, and `turn` is the number of the turn with the final verdict. `corrected` has what was said wrongly at
    first, and corrected after a follow-up; `unsure` where the student was not sure, `completed` what came only after a
    follow-up. `judged_again` has a reviewer's words, if the verdict replaces another.
    """

    code: str
    text: str
    verdict: str
    exchanges: tuple[Json, ...]
    points: tuple[Json, ...]
    citations: tuple[Json, ...]
    near: tuple[Json, ...]
    degraded: str
    disputed: str
    why: str = ""
    tables: tuple[Json, ...] = ()
    because: str = ""
    judged_by: tuple[tuple[str, str], ...] = ()
    turn: int = 0
    corrected: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()
    completed: tuple[str, ...] = ()
    judged_again: str = ""


@dataclass(frozen=True)
class ReportTask:
    code: str
    title: str
    result: str
    why: str
    drill: str
    credited: tuple[Outcome, ...]
    elements: tuple[AskedElement, ...]


@dataclass(frozen=True)
class ReportArea:
    numeral: str
    title: str
    result: str
    tasks: tuple[ReportTask, ...]


@dataclass(frozen=True)
class StudyLine:
    """`notes` explain what the student was wrong about: words that were corrected, papers that were misjudged."""

    code: str
    text: str
    reason: str
    passage: StudyPassage | None
    missed: int = 0
    p0: bool = False
    notes: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Why it is to be studied: "not satisfactory, a safety fact missed, missed in 3 orals"."""
        often = f"missed in {self.missed} orals" if self.missed > 1 else ""
        return ", ".join(filter(None, (self.reason, "a safety fact missed" if self.p0 else "", often)))


@dataclass(frozen=True)
class Report:
    scope: str
    result: str
    areas: tuple[ReportArea, ...]
    not_tested: tuple[Json, ...]
    not_askable: tuple[Json, ...]
    weak: tuple[str, ...]
    strengths: tuple[str, ...]
    skipped: tuple[str, ...]
    study: tuple[StudyLine, ...]
    hints: int
    look_ups: int
    ungraded: int
    minutes: int
    flight: Json | None = None
    papers: Json | None = None
    judged_again: tuple[Json, ...] = ()
    """What a reviewer judged anew. An element whose item was withdrawn stands in no area."""

    def to_dict(self) -> Json:
        return asdict(self)


def report_of(exam: Exam) -> Report:
    """The debrief; of an exam that is still open, what has been asked so far."""
    result = Grade.from_dict(exam.result) if exam.result else None
    names = task_names(exam.certificate)
    turns = list(exam.turns.prefetch_related("answers__assessments", "disputes"))
    withheld = exam.is_open and exam.manner == "checkride"
    scored = [turn for turn in turns if turn.form != "qualification"]
    elements = {} if withheld else _asked_elements(scored)
    ungraded = Assessment.objects.filter(turn__exam=exam, verdict="ungraded")
    end = exam.finished_at or exam.last_activity

    def named(code: str) -> Json:
        return {"code": code, "title": names[code].title if code in names else ""}

    return Report(
        scope=result.scope if result else "Still under way",
        result=result.result if result else "incomplete",
        areas=_report_areas(result, names, elements) if result else (),
        not_tested=tuple(map(named, result.not_tested)) if result else (),
        not_askable=tuple(
            {**named(item.task), "reference": item.reference, "elements": list(item.elements)}
            for item in result.not_askable
        )
        if result
        else (),
        weak=result.weak if result else (),
        strengths=tuple(
            code
            for code, found in elements.items()
            if found.verdict == "satisfactory" and not found.corrected
        ),
        skipped=tuple(item.code for item in exam.read_planner().left_out),
        study=_study_with_passages(result, exam, elements) if result else (),
        hints=sum(turn.form == "hint" for turn in turns),
        look_ups=sum(turn.looked_up for turn in turns),
        ungraded=ungraded.exclude(decision__next_step="repeat").count(),
        minutes=max(1, round((end - exam.created_at).total_seconds() / 60)),
        flight=_flight_of(exam, turns),
        papers=_papers_of(exam, turns),
        judged_again=tuple(
            {"code": code, "text": found.text, "verdict": found.verdict, "words": found.judged_again}
            for code, found in elements.items()
            if found.judged_again
        ),
    )


def _papers_of(exam: Exam, turns: Sequence[Turn]) -> Json | None:
    """What came of the qualification: its outcome, what was out of order and whether it was found, what was called out
    of order and why it was not, and what was asked and said. Of one that is not over, only that it is not."""
    papers = exam.read_qualification()
    if papers is None:
        return None
    asked = [turn for turn in turns if turn.form == "qualification"]
    return {
        "outcome": papers.outcome,
        "flight": papers.folder.flight,
        "may_begin": papers.may_begin,
        "decided_right": papers.may_begin is (papers.outcome == "ready")
        if papers.may_begin is not None
        else None,
        "faults": [
            {
                "card": one.card,
                "what": one.fault.what,
                "law": one.fault.law,
                "rule": one.fault.rule,
                "found": one.found,
                "citation": dict(one.citation) if one.citation else None,
            }
            for one in papers.faults
        ],
        "false_alarms": [
            {
                "card": one.card.name,
                "why": one.card.why,
                "rule": one.card.rule,
                "corrected": one.corrected,
                "citation": dict(one.citation) if one.citation else None,
            }
            for one in papers.alarms
        ],
        "too_many": papers.has_too_many_alarms,
        "left_out": list(papers.left_out),
        "credited": list(papers.credited),
        "exchanges": [
            {
                "question": turn.text,
                "givens": turn.givens,
                "answers": _said_to(turn),
            }
            for turn in asked
        ],
    }


def _said_to(turn: Turn) -> list[str]:
    """The answers to a turn; one that could not be judged and was sent again in the same words only once."""
    answers = list(turn.answers.all())
    return [
        answer.text
        for number, answer in enumerate(answers, 1)
        if all(one.decision.get("next_step") != "ask_again" for one in answer.assessments.all())
        or answer.text not in {later.text for later in answers[number:]}
    ]


def _flight_of(exam: Exam, turns: Sequence[Turn]) -> Json | None:
    """The flight of a mock: its givens, the changes that were told, and how many questions were about it."""
    scene = exam.read_scene()
    if scene is None:
        return None
    opened = [turn for turn in turns if turn.form == "opening"]
    told = [one for turn in opened for one in turn.givens if one.get("kind") in ("change", "settled")]
    changes: dict[str, Json] = {}
    for given in told:  # how it began, then how it ended
        before = changes.get(given["name"])
        changes[given["name"]] = (
            {**given, "value": f"{before['value']}\n{given['value']}"} if before else given
        )
    return {
        "title": scene.title,
        "told": scene.told,
        "givens": [*(asdict(one) for one in scene.givens), *changes.values()],
        "questions": sum("trip" in turn.provenance for turn in opened),
        "of": len(opened),
    }


def _asked_elements(turns: Sequence[Turn]) -> dict[str, AskedElement]:
    """By element code, what was asked and said about it, in the order of asking."""
    by_code: dict[str, list[Turn]] = defaultdict(list)
    for turn in turns:
        by_code[turn.element].append(turn)
    texts = element_texts(by_code)
    elements = {}
    for code, found in by_code.items():
        given = [answer for turn in found for answer in turn.answers.all()]
        assessments = [one for answer in given for one in answer.assessments.all()]
        final = next((one for one in assessments if one.final), None)
        raised = [dispute for turn in found for dispute in turn.disputes.all() if not dispute.by_sample]
        points, shown = [], set[str]()
        citations = final.citations if final else ()
        for point in final.points if final else ():
            said = plain_words(point["expectation"])
            sources = [one for one in citations if one["n"] in point.get("citations", ())]
            words = BADGE_WORDS[point["met"]]
            joined = [one | {"repeated": one["quote"] in shown} for one in join_lead_ins(sources)]
            verbatim = any(said in plain_words(one["quote"]) for one in joined if not one["repeated"])
            shown.update(one["quote"] for one in joined)
            points.append({**point, "met_words": words, "sources": joined, "verbatim": verbatim})
        elements[code] = AskedElement(
            code=code,
            text=texts.get(code, ""),
            verdict=final.verdict if final else "ungraded",
            exchanges=tuple(
                {
                    "turn": turn.number,
                    "form": turn.form,
                    "question": turn.text,
                    "givens": [one for one in turn.givens if one.get("kind") != "settled"],
                    "answers": _said_to(turn),
                }
                for turn in found
            ),
            points=tuple(points),
            citations=tuple(citations),
            near=tuple(final.near) if final else (),
            degraded=final.degraded if final else "",
            disputed="; ".join(map(_dispute_in_words, raised)),
            why=next((turn.rubric["why"] for turn in found if turn.rubric.get("why")), ""),
            tables=tuple({"domain": one.domain, "title": one.title} for one in tables_for_element(code)),
            judged_by=_versions_of(found[0], final) if final else (),
            turn=found[-1].number,
            corrected=corrected_words(assessments, found[0].expectations),
            unsure=unsure_words(assessments),
            completed=completed_after_follow_up(assessments, found[0].expectations),
            judged_again=final.feedback.removeprefix(JUDGED_AGAIN).strip()
            if final and "overrules" in final.provenance
            else "",
        )
    return elements


def join_lead_ins(sources: Sequence[Json]) -> list[Json]:
    """The sources of a point, a lead-in or a table's head together with what it leads to: alone it states nothing."""
    leads = {
        one["chunk_id"]: one for one in sources[1:] if one.get("chunk_id") and LEADS_ON.search(one["quote"])
    }
    return [
        one | {"quote": f"{leads[one['chunk_id']]['quote']} … {one['quote']}"}
        if one.get("chunk_id") in leads
        else one
        for one in sources
        if one not in leads.values()
    ]


def _versions_of(turn: Turn, final: Assessment) -> tuple[tuple[str, str], ...]:
    """Who judged, and with which versions of question and evidence."""
    judged, asked = final.provenance, turn.provenance
    overruled = judged.get("overruled") or ()
    found = {
        "Judged by": " ".join(filter(None, (judged.get("provider"), judged.get("model")))),
        "Instructions": judged.get("prompt_version"),
        "Question": asked.get("item") and f"{asked['item']}, version {asked.get('item_version')}",
        "Evidence": ", ".join(sorted(set(map(str, asked.get("evidence", {}).values())))),
        "Second look": f"findings changed: {len(overruled)}" if overruled else "",
        "Reviewer": "decided by a reviewer" if judged.get("reviewer") else "",
    }
    return tuple((name, str(said)) for name, said in found.items() if said)


def _dispute_in_words(dispute: Dispute) -> str:
    note = dispute.note or "disputed"
    if not dispute.resolved:
        return note
    return f"{note} – A reviewer has decided: {dispute.resolution or 'the verdict stands.'}"


def _report_areas(
    result: Grade, names: Mapping[str, TaskName], elements: Mapping[str, AskedElement]
) -> tuple[ReportArea, ...]:
    titles = {name.area: name.area_title for name in names.values()}

    def report_task(task: GradedTask) -> ReportTask:
        asked = tuple(
            replace(elements[one.code], because=BECAUSE[one.because].format(of=one.because_of))
            for one in task.elements
            if one.code in elements
        )
        credited = tuple(one for one in task.elements if one.by_mention)
        title = names[task.task].title if task.task in names else ""
        return ReportTask(
            code=task.task,
            title=title,
            result=task.result,
            why=task.why,
            drill=" ".join(task.drill),
            elements=asked,
            credited=credited,
        )

    return tuple(
        ReportArea(
            numeral=area.area,
            title=titles.get(area.area, ""),
            result=area.result,
            tasks=tuple(map(report_task, area.tasks)),
        )
        for area in result.areas
    )


def _study_with_passages(
    result: Grade, exam: Exam, elements: Mapping[str, AskedElement]
) -> tuple[StudyLine, ...]:
    passages = study_passages_of(exam)
    notes: dict[str, list[str]] = defaultdict(list)
    for code, element in elements.items():
        notes[code] += [f"At first I heard: “{said}”." for said in element.corrected]
        notes[code] += [f"You said: “{said}”" for said in element.unsure]
        notes[code] += element.completed
    papers = exam.read_qualification()
    for one in papers.misjudged if papers else ():
        notes[one.element].append(one.told)
    texts = element_texts(item.code for item in result.study)
    return tuple(
        StudyLine(
            *(item.code, texts.get(item.code, ""), item.reason, passages.get(item.code)),
            missed=item.missed,
            p0=item.p0,
            notes=tuple(notes[item.code]),
        )
        for item in result.study
    )


def lists_of(report: Report) -> list[tuple[str, list[Json]]]:
    """The report's lists of codes, each code with the text of its element."""
    named = {
        "Answered well": report.strengths,
        "Weak spots": report.weak,
        "Left out: no support or no verdict": report.skipped,
    }
    texts = element_texts(code for codes in named.values() for code in codes)
    return [
        (title, [{"code": code, "text": texts.get(code, "")} for code in codes])
        for title, codes in named.items()
        if codes
    ]


def report_context(exam: Exam) -> Json:
    """What the report shows as a page and as a PDF. `comments` are on the whole oral, those of an exchange are with
    it; `first` and `rest` part the list of what to study."""
    found = report_of(exam)
    comments = defaultdict(list)
    for comment in exam.comments.select_related("author", "turn"):
        comments[comment.turn.number if comment.turn else 0].append(comment)
    for exchange in (
        one
        for area in found.areas
        for task in area.tasks
        for asked in task.elements
        for one in asked.exchanges
    ):
        exchange["comments"] = comments[exchange["turn"]]
    return {
        "exam": exam,
        "comments": comments[0],
        "report": found,
        "lists": lists_of(found),
        "first": f":{STUDY_FIRST}",
        "rest": f"{STUDY_FIRST}:",
        "carried_until": carried_over_until(exam),
        "any_area_passed": any(one.result == "satisfactory" for one in found.areas),
        "section": "exams",
    }


def export_of(exam: Exam) -> Json:
    """Everything that is stored of an exam, for its student."""
    answers = Answer.objects.filter(exam=exam).values("turn__number", "client_id", "text", "received_at")
    return {
        "id": str(exam.pk),
        "certificate": exam.certificate,
        "standard": exam.standard,
        "class": exam.aircraft_class,
        "mode": exam.mode,
        "status": exam.status,
        "created_at": exam.created_at.isoformat(),
        "finished_at": exam.finished_at.isoformat() if exam.finished_at else None,
        "answers_sent_to": exam.external_model,
        "report": report_of(exam).to_dict(),
        "answers": [{**row, "received_at": row["received_at"].isoformat()} for row in answers],
        "frames": frames_after(exam.pk, 0),
        "comments": list(exam.comments.values("turn__number", "author__username", "text")),
        "disputes": list(
            exam.disputes.filter(by_sample=False).values("turn__number", "note", "resolved", "resolution")
        ),
    }
