"""Two orals of one student side by side: Area by Area, element by element, what changed."""

from collections import Counter
from dataclasses import dataclass
from typing import Final, Literal

from exams.domain.exam_request import MOST_CODES, standard_order
from exams.domain.grading import Grade, Outcome
from exams.domain.values import SCORED_VERDICTS
from exams.examiner.element_facts import area_titles, element_texts
from exams.models import Exam

Change = Literal["better", "worse", "same", "only in the earlier", "only in the later"]
CHANGES: Final[tuple[Change, ...]] = ("better", "worse", "same", "only in the earlier", "only in the later")


@dataclass(frozen=True)
class ElementChange:
    """The verdicts on an element; empty where the oral did not ask it."""

    code: str
    text: str
    before: str
    after: str

    @property
    def change(self) -> Change:
        if not self.before:
            return "only in the later"
        if not self.after:
            return "only in the earlier"
        ranks = {str(verdict): rank for rank, verdict in enumerate(SCORED_VERDICTS)}
        rise = ranks[self.after] - ranks[self.before]
        return "better" if rise > 0 else "worse" if rise else "same"


@dataclass(frozen=True)
class AreaChange:
    """The results of an Area, empty where the oral asked none of it, and its elements in the standard's order."""

    numeral: str
    title: str
    before: str
    after: str
    elements: tuple[ElementChange, ...]


@dataclass(frozen=True)
class Comparison:
    earlier: Exam
    later: Exam
    areas: tuple[AreaChange, ...]

    @property
    def summary(self) -> str:
        """ "3 better, 1 worse, 2 only in the later"."""
        counts = Counter(element.change for area in self.areas for element in area.elements)
        return ", ".join(f"{counts[one]} {one}" for one in CHANGES if counts[one])

    @property
    def not_yet_known(self) -> str:
        """The codes of the elements that were not satisfactory when they were last asked, as many as a drill takes."""
        elements = (element for area in self.areas for element in area.elements)
        codes = [one.code for one in elements if one.text and (one.after or one.before) != "satisfactory"]
        return " ".join(codes[:MOST_CODES])


def compare_orals(earlier: Exam, later: Exam) -> Comparison:
    """Both are over and of one certificate."""
    before, after = _results_in(earlier), _results_in(later)
    titles = area_titles(later.certificate)
    sides = (before, after)
    texts = element_texts({code for side in sides for _, found in side.values() for code in found})
    none: tuple[str, dict[str, Outcome]] = ("", {})
    areas = []
    for numeral in dict.fromkeys([*before, *after]):
        (result_before, was), (result_after, now) = before.get(numeral, none), after.get(numeral, none)
        elements = tuple(
            ElementChange(
                code,
                texts.get(code, ""),
                was[code].verdict if code in was else "",
                now[code].verdict if code in now else "",
            )
            for code in sorted({*was, *now}, key=standard_order)
        )
        areas.append(AreaChange(numeral, titles.get(numeral, ""), result_before, result_after, elements))
    areas.sort(key=lambda area: standard_order(area.elements[0].code))
    return Comparison(earlier, later, tuple(areas))


def _results_in(exam: Exam) -> dict[str, tuple[str, dict[str, Outcome]]]:
    """By Area that was asked: its result, and its outcomes by element."""
    found: dict[str, tuple[str, dict[str, Outcome]]] = {}
    for area in Grade.from_dict(exam.result or {}).areas:
        outcomes = {outcome.code: outcome for task in area.tasks for outcome in task.elements}
        if outcomes:
            found[area.area] = area.result, outcomes
    return found
