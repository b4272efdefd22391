"""A student's order for an oral: the request as it comes in, and the elements that may be asked for it.

Unknown words are refused with a list of what exists. Codes of the knowledge test report that cannot be asked
are answered by name, with the reason. This module knows the standard's elements, but no exam and no student.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final, Literal, get_args
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from exams.conf import QUESTIONS_LEAST, QUESTIONS_MOST
from exams.domain.sampling import ElementFact
from exams.domain.values import Manner, Persona
from knowledge.standards.ask_location import TASKS_FOR_INSTRUMENT_RATED

AircraftClass = Literal["ASEL", "AMEL", "ASES", "AMES"]
Mode = Literal["full", "mock", "area", "weak", "drill"]
Difficulty = Literal["recall", "standard", "hard"]

AIRCRAFT_CLASSES: Final[tuple[AircraftClass, ...]] = get_args(AircraftClass)
MOST_CODES: Final = 60
_ROMAN: Final = [
    *("I", "II", "III", "IV", "V", "VI", "VII", "VIII"),
    *("IX", "X", "XI", "XII", "XIII", "XIV", "XV"),
]


class OrderRefused(ValueError):
    """The order cannot be met; `fields` says which part of it and what exists."""

    def __init__(self, fields: dict[str, list[str]]) -> None:
        super().__init__("; ".join(f"{name}: {' '.join(what)}" for name, what in fields.items()))
        self.fields = fields

    @classmethod
    def of(cls, field: str, *why: str) -> "OrderRefused":
        return cls({field: list(why)})

    @property
    def lines(self) -> list[str]:
        """A line for each field."""
        return [f"{name.capitalize()}: {' '.join(what)}" for name, what in self.fields.items()]


class ExamOrder(BaseModel):
    """CONTRACT's `POST exams`. What is omitted has a default; unknown fields are refused.

    `areas` are roman numerals, `codes` come from the knowledge test report (AKTR). Without `questions` the mode's usual
    number is planned. `continues` is an oral that ended before it was complete: what is left of it is asked. With
    `qualification` the student first shows papers; where that is left out, a new mock oral opens so.
    """

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, populate_by_name=True)

    certificate: str = Field(default="private", max_length=20, pattern=r"^[A-Za-z][A-Za-z _-]*$")
    aircraft_class: AircraftClass = Field(default="ASEL", alias="class")
    mode: Mode = "full"
    manner: Manner = "coach"
    areas: list[str] = Field(default_factory=list, max_length=15)
    codes: list[str] = Field(default_factory=list, max_length=MOST_CODES)
    questions: int | None = Field(default=None, ge=QUESTIONS_LEAST, le=QUESTIONS_MOST, strict=True)
    difficulty: Difficulty = "standard"
    persona: Persona = "steady"
    continues: UUID | None = None
    qualification: bool | None = Field(default=None, strict=True)

    @property
    def may_qualify(self) -> bool:
        """Whether an oral of this kind can open with a qualification."""
        return self.manner == "checkride" or self.mode in ("mock", "full")

    @field_validator("areas", "codes")
    @classmethod
    def _check_codes(cls, words: list[str]) -> list[str]:
        if any(len(word) > 24 or not word.strip() for word in words):
            raise ValueError("each is a short code such as I or PA.I.C.K2")
        return [word.strip().upper() for word in words]


def order_from(data: Any) -> ExamOrder:
    """Raises OrderRefused for anything that is not an order, naming the fields."""
    if not isinstance(data, dict):
        raise OrderRefused.of("body", "Send one JSON object.")
    if data.get("aircraft") is not None:
        raise OrderRefused.of("aircraft", "“aircraft” is not built yet. Leave it out.")
    try:
        return ExamOrder.model_validate({key: value for key, value in data.items() if value is not None})
    except ValidationError as error:
        fields: dict[str, list[str]] = {}
        for problem in error.errors(include_url=False, include_input=False):
            name = str(problem["loc"][0]) if problem["loc"] else "body"
            said = problem["msg"]
            if name == "questions":
                said = f"A whole number from {QUESTIONS_LEAST} to {QUESTIONS_MOST}, please."
            elif problem["type"] == "literal_error":
                said = f"There is: {problem['ctx']['expected']}."
            elif name == "continues":
                said = "The id of an oral of yours, please."
            elif name == "qualification":
                said = "true or false, please."
            fields.setdefault(name, []).append(said)
        raise OrderRefused(fields) from error


# --- the elements that may be asked ---------------------------------------------------------------------


def check_order(order: ExamOrder, standard: Sequence[ElementFact]) -> None:
    """Raises OrderRefused for a standard that is not loaded and for Areas that it does not have."""
    if not standard:
        raise OrderRefused.of("certificate", f"No standard is loaded for “{order.certificate}”.")
    areas = sorted({fact.area for fact in standard}, key=_roman_order)
    known = ", ".join(areas)
    if unknown := [area for area in order.areas if area not in areas]:
        raise OrderRefused.of("areas", f"“{unknown[0]}” is not known here. There is: {known}.")
    if order.mode == "area" and not order.areas:
        raise OrderRefused.of("areas", f"Pick at least one Area: {known}.")


def elements_in_reach(
    facts: Iterable[ElementFact], aircraft_class: str, areas: Collection[str] = ()
) -> tuple[ElementFact, ...]:
    """The elements that may ever be asked, supported or not: of the class, not archived, done at the table.

    Knowledge and risk elements of flown Tasks come within reach when the student picks their Area.
    """
    return tuple(
        fact
        for fact in facts
        if not _why_excluded(fact, aircraft_class)
        and (not areas or fact.area in areas)
        and (fact.where == "table" or (bool(areas) and fact.kind != "skill"))
    )


def report_codes(
    standard: Sequence[ElementFact], reach: Sequence[ElementFact], order: ExamOrder
) -> tuple[frozenset[str], tuple[str, ...]]:
    """The report's codes that can be asked, and a line for each that cannot. Raises OrderRefused."""
    by_code = {fact.code.upper(): fact for fact in standard}
    if unknown := [code for code in order.codes if code not in by_code]:
        what = f"Not in this standard: {', '.join(unknown)}. A code reads like PA.I.C.K2."
        raise OrderRefused.of("codes", what)
    askable, notices = set(), {}
    for fact in (by_code[code] for code in order.codes):
        why = _why_excluded(fact, order.aircraft_class)
        if not why and fact not in reach:
            other_area = order.areas and fact.area not in order.areas
            why = "is outside the Areas you picked." if other_area else "is tested in the airplane, not here."
        if not why and not is_supported(fact, reach):
            why = f"cannot be asked: the library lacks {reference_for(fact)}."
        if why:
            notices[fact.code] = f"{fact.code} {why}"
        else:
            askable.add(fact.code)
    return frozenset(askable), tuple(notices.values())


def _why_excluded(fact: ElementFact, aircraft_class: str) -> str:
    """Why no oral for this class asks the element, whatever its Area; empty if one may."""
    if fact.archived:
        return "is archived in this edition of the standard and is not asked."
    if fact.classes and aircraft_class not in fact.classes:
        return f"is for {', '.join(fact.classes)} and is not asked for {aircraft_class}."
    if fact.task in TASKS_FOR_INSTRUMENT_RATED:
        return "is for pilots who hold an instrument rating."
    return ""


def weak_in_reach(reach: Sequence[ElementFact], order: ExamOrder, weak: Sequence[str]) -> tuple[str, ...]:
    """The elements of a weak oral or a drill: those that the drill names, else the student's weak ones."""
    if order.mode not in ("weak", "drill"):
        return ()
    by_code = {fact.code.upper(): fact.code for fact in reach}
    codes = order.codes if order.mode == "drill" else ()
    named = tuple(by_code.get(code, "") for code in codes)
    askable = [fact for fact in reach if fact.askable]
    leaves = {fact.code for fact in askable} - {fact.parent for fact in askable}
    return tuple(code for code in dict.fromkeys(named or weak) if code in leaves)


def is_supported(fact: ElementFact, reach: Sequence[ElementFact]) -> bool:
    """Whether the element or one of its sub-elements can be asked."""
    return fact.askable or any(other.askable for other in reach if other.parent == fact.code)


def reference_for(fact: ElementFact) -> str:
    """What the library would need for this element to be asked."""
    return fact.missing_reference or "an approved question about it"


def standard_order(code: str) -> tuple[int, str, int, int, str]:
    """The sort key of an element code: PA.IX.C.K2a after PA.IX.C.K2 after PA.II.A.K1."""
    _, area, letter, element = [*code.split("."), "", "", ""][:4]
    digits = "".join(sign for sign in element if sign.isdigit())
    return _roman_order(area), letter, "KRS".find(element[:1]), int(digits or 0), element


def _roman_order(area: str) -> int:
    return _ROMAN.index(area) if area in _ROMAN else len(_ROMAN)
