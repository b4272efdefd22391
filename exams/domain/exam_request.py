"""What a student asks for: the request as it comes in, and the elements that may be asked for it.

Unknown words are refused with a list of what exists. Codes of the knowledge test report that cannot be asked
are answered by name, with the reason. This module knows the standard's elements, no exam and no student.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from exams.conf import QUESTIONS_LEAST, QUESTIONS_MOST
from exams.domain.sampling import ElementFact
from exams.domain.values import Manner
from knowledge.standards.ask_location import TASKS_FOR_INSTRUMENT_RATED

AircraftClass = Literal["ASEL", "AMEL", "ASES", "AMES"]
Mode = Literal["full", "mock", "area", "weak", "drill"]
Difficulty = Literal["easy", "standard", "hard"]

AIRCRAFT_CLASSES: Final[tuple[AircraftClass, ...]] = get_args(AircraftClass)
MODES: Final[tuple[Mode, ...]] = get_args(Mode)
DIFFICULTIES: Final[tuple[Difficulty, ...]] = get_args(Difficulty)
MOST_CODES: Final = 60
_ROMAN: Final = [
    "I",
    "II",
    "III",
    "IV",
    "V",
    "VI",
    "VII",
    "VIII",
    "IX",
    "X",
    "XI",
    "XII",
    "XIII",
    "XIV",
    "XV",
]
_NOT_BUILT: Final = {
    "checkride": ("manner", "“checkride” is not built yet. There is: coach."),
    "mock": ("mode", "“mock” is not built yet. There is: full, area, weak, drill."),
}


class OrderRefused(ValueError):
    """The order cannot be met; `fields` says which part of it and what exists."""

    def __init__(self, fields: dict[str, list[str]]) -> None:
        super().__init__("; ".join(f"{name}: {' '.join(what)}" for name, what in fields.items()))
        self.fields = fields


class ScopeError(ValueError):
    """No oral can be made of this request; `field` is what to change, the message says what exists."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


class ExamOrder(BaseModel):
    """CONTRACT's `POST exams`. What is omitted has a default; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, populate_by_name=True)

    certificate: str = Field(default="private", max_length=20, pattern=r"^[A-Za-z][A-Za-z _-]*$")
    aircraft_class: AircraftClass = Field(default="ASEL", alias="class")
    mode: Mode = "full"
    manner: Manner = "coach"
    areas: list[str] = Field(default_factory=list, max_length=15)
    codes: list[str] = Field(default_factory=list, max_length=MOST_CODES)
    questions: int | None = Field(default=None, ge=QUESTIONS_LEAST, le=QUESTIONS_MOST, strict=True)
    difficulty: Difficulty = "standard"

    @field_validator("areas", "codes")
    @classmethod
    def _check_codes(cls, words: list[str]) -> list[str]:
        if any(len(word) > 24 or not word.strip() for word in words):
            raise ValueError("each is a short code such as I or PA.I.C.K2")
        return [word.strip().upper() for word in words]


def order_from(data: Any) -> ExamOrder:
    """Raises OrderRefused for anything that is not an order, naming the fields."""
    if not isinstance(data, dict):
        raise OrderRefused({"body": ["Send one JSON object."]})
    for value in (data.get("mode"), data.get("manner")):
        if isinstance(value, str) and value in _NOT_BUILT:
            field, why = _NOT_BUILT[value]
            raise OrderRefused({field: [why]})
    if ignored := [name for name in ("aircraft", "continues") if data.get(name) is not None]:
        raise OrderRefused({name: [f"“{name}” is not built yet. Leave it out."] for name in ignored})
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
            fields.setdefault(name, []).append(said)
        raise OrderRefused(fields) from error


# --- what the scope is planned from ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeRequest:
    """What the scope of an oral is planned from.

    `areas` are roman numerals, `codes` come from the knowledge test report (AKTR), `weak` are the student's weak
    elements, weakest first. Without `questions` the mode's usual number is planned.
    """

    certificate: str = "private"
    aircraft_class: str = "ASEL"
    mode: str = "full"
    areas: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    questions: int | None = None
    difficulty: str = "standard"
    weak: tuple[str, ...] = ()


def check_request(request: ScopeRequest, standard: Sequence[ElementFact]) -> None:
    """Raises ScopeError for words that are not known and numbers out of range."""
    if not standard:
        raise ScopeError("certificate", f"No standard is loaded for “{request.certificate}”.")
    areas = sorted({fact.area for fact in standard}, key=_roman_order)
    words: list[tuple[str, str, Sequence[str]]] = [
        ("class", request.aircraft_class, AIRCRAFT_CLASSES),
        ("mode", request.mode, MODES),
        ("difficulty", request.difficulty, DIFFICULTIES),
        *(("areas", area.upper(), areas) for area in request.areas),
    ]
    for field, word, known in words:
        if word not in known:
            raise ScopeError(field, f"“{word}” is not known here. There is: {', '.join(known)}.")
    if request.mode == "area" and not request.areas:
        raise ScopeError("areas", f"Pick at least one Area: {', '.join(areas)}.")
    asked = request.questions
    if asked is not None and not QUESTIONS_LEAST <= asked <= QUESTIONS_MOST:
        raise ScopeError(
            "questions", f"Between {QUESTIONS_LEAST} and {QUESTIONS_MOST} questions, not {asked}."
        )


def elements_in_reach(facts: Iterable[ElementFact], request: ScopeRequest) -> tuple[ElementFact, ...]:
    """The elements that may ever be asked, supported or not: of the class, not archived, done at the table.

    Knowledge and risk elements of flown Tasks come within reach when the student picks their Area.
    """
    areas = {area.upper() for area in request.areas}
    return tuple(
        fact
        for fact in facts
        if not _why_excluded(fact, request)
        and (not areas or fact.area in areas)
        and (fact.where == "table" or (bool(areas) and fact.kind != "skill"))
    )


def report_codes(
    standard: Sequence[ElementFact], reach: Sequence[ElementFact], request: ScopeRequest
) -> tuple[frozenset[str], tuple[str, ...]]:
    """The report's codes that can be asked, and a line for each that cannot. Raises ScopeError."""
    by_code = {fact.code.upper(): fact for fact in standard}
    unknown = [code for code in request.codes if code.strip().upper() not in by_code]
    if unknown:
        raise ScopeError("codes", f"Not in this standard: {', '.join(unknown)}. A code reads like PA.I.C.K2.")
    areas = {area.upper() for area in request.areas}
    askable, notices = set(), {}
    for fact in (by_code[code.strip().upper()] for code in request.codes):
        why = _why_excluded(fact, request)
        if not why and fact not in reach:
            other_area = areas and fact.area not in areas
            why = "is outside the Areas you picked." if other_area else "is tested in the airplane, not here."
        if not why and not is_supported(fact, reach):
            why = f"cannot be asked: the library lacks {reference_for(fact)}."
        if why:
            notices[fact.code] = f"{fact.code} {why}"
        else:
            askable.add(fact.code)
    return frozenset(askable), tuple(notices.values())


def _why_excluded(fact: ElementFact, request: ScopeRequest) -> str:
    """Why no oral of this request asks the element, whatever its Area; empty if one may."""
    if fact.archived:
        return "is archived in this edition of the standard and is not asked."
    if fact.classes and request.aircraft_class not in fact.classes:
        return f"is for {', '.join(fact.classes)} and is not asked for {request.aircraft_class}."
    if fact.task in TASKS_FOR_INSTRUMENT_RATED:
        return "is for pilots who hold an instrument rating."
    return ""


def weak_in_reach(reach: Sequence[ElementFact], request: ScopeRequest) -> tuple[str, ...]:
    """The elements of a weak oral or a drill: those that the drill names, else the student's weak ones."""
    if request.mode not in ("weak", "drill"):
        return ()
    by_code = {fact.code.upper(): fact.code for fact in reach}
    codes = request.codes if request.mode == "drill" else ()
    named = tuple(by_code.get(code.strip().upper(), "") for code in codes)
    askable = [fact for fact in reach if fact.askable]
    leaves = {fact.code for fact in askable} - {fact.parent for fact in askable}
    return tuple(code for code in dict.fromkeys(named or request.weak) if code in leaves)


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
