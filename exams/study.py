"""An element to study becomes the passage to open: what was missing in the answer, else what the element rests on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from knowledge.models import Tenant

from .briefing import NoSupport, briefing_for_element
from .models import Assessment, Turn


@dataclass(frozen=True)
class StudyPassage:
    label: str
    quote: str
    url: str


def passages_for(
    codes: Iterable[str], turns: Sequence[Turn], tenant: Tenant | None
) -> dict[str, StudyPassage]:
    """Where each element is to be read; one that has no support in the library is not in it."""
    found = {code: _asked(code, turns) or _unasked(code, tenant) for code in codes}
    return {code: passage for code, passage in found.items() if passage is not None}


def _asked(code: str, turns: Sequence[Turn]) -> StudyPassage | None:
    finals = [
        assessment
        for turn in turns
        if turn.element == code
        for answer in turn.answers.all()
        for assessment in answer.assessments.all()
        if assessment.final
    ]
    return next((passage for final in finals if (passage := _of_final(final))), None)


def _of_final(final: Assessment) -> StudyPassage | None:
    """The source of the first point that was not met, else the first source."""
    wanted = [n for point in final.points if point["met"] != "met" for n in point["citations"]]
    by_n = {citation["n"]: citation for citation in final.citations}
    chosen = next((by_n[n] for n in wanted if n in by_n), next(iter(final.citations), None))
    return _passage(chosen) if chosen else None


def _unasked(code: str, tenant: Tenant | None) -> StudyPassage | None:
    try:
        citations = briefing_for_element(code, tenant=tenant).citations
    except NoSupport:
        return None
    return _passage(citations[0].to_dict()) if citations else None


def _passage(citation: Mapping[str, Any]) -> StudyPassage:
    return StudyPassage(label=citation["label"], quote=citation["quote"], url=citation["url"])
