"""An element to study becomes the passage to open: what was missing in the answer, else what the element rests on.

Found once, when the exam ends, and kept in its row: whoever looks at the report later finds what the student was told,
and reading it searches nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from exams.examiner.briefing import source_of_element
from exams.models import Assessment, Exam


@dataclass(frozen=True)
class StudyPassage:
    label: str
    quote: str
    url: str


def passages_for(exam: Exam, codes: Iterable[str]) -> dict[str, StudyPassage]:
    """Where each element is to be read; one that has no support in the library is not in it."""
    found = {code: _asked(code, exam) or _unasked(code, exam) for code in codes}
    return {code: passage for code, passage in found.items() if passage is not None}


def to_stored(passages: Mapping[str, StudyPassage]) -> dict[str, Any]:
    return {code: asdict(passage) for code, passage in passages.items()}


def from_stored(stored: Mapping[str, Any]) -> dict[str, StudyPassage]:
    return {code: StudyPassage(**passage) for code, passage in stored.items()}


def _asked(code: str, exam: Exam) -> StudyPassage | None:
    finals = Assessment.objects.filter(turn__exam=exam, element=code, final=True).order_by("turn_id", "id")
    return next((passage for final in finals if (passage := _of_final(final))), None)


def _of_final(final: Assessment) -> StudyPassage | None:
    """The source of the first point that was not met, else the first source."""
    wanted = [n for point in final.points if point["met"] != "met" for n in point["citations"]]
    by_n = {citation["n"]: citation for citation in final.citations}
    chosen = next((by_n[n] for n in wanted if n in by_n), next(iter(final.citations), None))
    return _passage(chosen) if chosen else None


def _unasked(code: str, exam: Exam) -> StudyPassage | None:
    found = source_of_element(code, tenant=exam.tenant, student=exam.student_id)
    return _passage(found.to_dict()) if found else None


def _passage(citation: Mapping[str, Any]) -> StudyPassage:
    return StudyPassage(label=citation["label"], quote=citation["quote"], url=citation["url"])
