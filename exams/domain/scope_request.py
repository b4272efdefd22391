"""What a student asks for becomes checked words and the elements that may ever be asked for it.

Unknown words are refused with what exists; codes of the knowledge test report that cannot be asked are
answered by name, with the reason. Pure: it knows the standard's elements, no exam and no student.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from exams.conf import QUESTIONS_LEAST, QUESTIONS_MOST
from exams.domain.sampling import ElementFact
from knowledge.standards.ask_location import TASKS_FOR_INSTRUMENT_RATED

AircraftClass = Literal["ASEL", "AMEL", "ASES", "AMES"]
Mode = Literal["full", "mock", "area", "weak", "drill"]
Difficulty = Literal["easy", "standard", "hard"]

AIRCRAFT_CLASSES: Final[tuple[AircraftClass, ...]] = get_args(AircraftClass)
MODES: Final[tuple[Mode, ...]] = get_args(Mode)
DIFFICULTIES: Final[tuple[Difficulty, ...]] = get_args(Difficulty)
_ROMAN: Final = (
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
)


class ScopeError(ValueError):
    """A request that no oral can be made of; `field` is what to change, the message says what exists."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeRequest:
    """What a student asks for. `areas` are roman numerals, `codes` what the knowledge test report (AKTR)
    names, `weak` the student's weak elements, weakest first; no `questions` means the usual for the mode."""

    certificate: str = "private"
    aircraft_class: str = "ASEL"
    mode: str = "full"
    areas: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    questions: int | None = None
    difficulty: str = "standard"
    weak: tuple[str, ...] = ()
    instrument_rated: bool = False


def elements_in_reach(facts: Iterable[ElementFact], request: ScopeRequest) -> tuple[ElementFact, ...]:
    """The elements this request may ever ask, supported or not: its class, not archived, done at the table.

    Knowledge and risk of the Tasks that are flown come in reach when the student picks their Area.
    """
    areas = {area.upper() for area in request.areas}
    return tuple(fact for fact in facts if _in_reach(fact, request, areas))


def _in_reach(fact: ElementFact, request: ScopeRequest, areas: set[str]) -> bool:
    if fact.archived or (fact.classes and request.aircraft_class not in fact.classes):
        return False
    if areas and fact.area not in areas:
        return False
    if fact.task in TASKS_FOR_INSTRUMENT_RATED and not request.instrument_rated:
        return False
    return fact.where == "table" or (bool(areas) and fact.kind != "skill")


def check_request(request: ScopeRequest, standard: Sequence[ElementFact]) -> None:
    if not standard:
        raise ScopeError("certificate", f"No standard is loaded for “{request.certificate}”.")
    _check_word("class", request.aircraft_class, AIRCRAFT_CLASSES)
    _check_word("mode", request.mode, MODES)
    _check_word("difficulty", request.difficulty, DIFFICULTIES)
    areas = sorted({fact.area for fact in standard}, key=_roman)
    for area in request.areas:
        _check_word("areas", area.upper(), areas)
    if request.mode == "area" and not request.areas:
        raise ScopeError("areas", f"Pick at least one Area: {', '.join(areas)}.")
    asked = request.questions
    if asked is not None and not QUESTIONS_LEAST <= asked <= QUESTIONS_MOST:
        raise ScopeError(
            "questions", f"Between {QUESTIONS_LEAST} and {QUESTIONS_MOST} questions, not {asked}."
        )


def _check_word(field: str, word: str, known: Sequence[str]) -> None:
    if word not in known:
        raise ScopeError(field, f"“{word}” is not known here. There is: {', '.join(known)}.")


def report_codes(
    standard: Sequence[ElementFact], reach: Sequence[ElementFact], request: ScopeRequest
) -> tuple[frozenset[str], tuple[str, ...]]:
    """The report's codes that can be asked, and a line by name for each that cannot."""
    by_code = {fact.code.upper(): fact for fact in standard}
    unknown = [code for code in request.codes if code.strip().upper() not in by_code]
    if unknown:
        raise ScopeError("codes", f"Not in this standard: {', '.join(unknown)}. A code reads like PA.I.C.K2.")
    named = [by_code[code.strip().upper()] for code in request.codes]
    reasons = {fact.code: _why_not(fact, reach, request) for fact in named}
    notices = tuple(f"{code} {reason}" for code, reason in reasons.items() if reason)
    return frozenset(code for code, reason in reasons.items() if not reason), notices


def _why_not(fact: ElementFact, reach: Sequence[ElementFact], request: ScopeRequest) -> str:
    if fact.archived:
        return "is archived in this edition of the standard and is not asked."
    if fact.classes and request.aircraft_class not in fact.classes:
        return f"is for {', '.join(fact.classes)} and is not asked for {request.aircraft_class}."
    if fact.task in TASKS_FOR_INSTRUMENT_RATED and not request.instrument_rated:
        return "is for pilots who hold an instrument rating."
    if fact not in reach:
        other_area = request.areas and fact.area not in {area.upper() for area in request.areas}
        return "is outside the Areas you picked." if other_area else "is tested in the airplane, not here."
    if not supported(fact, reach):
        return f"cannot be asked: the library lacks {reference_for(fact)}."
    return ""


def supported(fact: ElementFact, reach: Sequence[ElementFact]) -> bool:
    return fact.askable or any(other.askable for other in reach if other.parent == fact.code)


def reference_for(fact: ElementFact) -> str:
    """What the library would need for this element to be asked."""
    return fact.missing_reference or "an approved question about it"


def weak_in_reach(reach: Sequence[ElementFact], request: ScopeRequest) -> tuple[str, ...]:
    """What a weak oral or a drill is about: the student's weak elements, or those that a drill names."""
    if request.mode not in ("weak", "drill"):
        return ()
    by_code = {fact.code.upper(): fact.code for fact in reach}
    codes = request.codes if request.mode == "drill" else ()
    named = tuple(by_code.get(code.strip().upper(), "") for code in codes)
    askable = {fact.code for fact in reach if fact.askable}
    parents = {fact.parent for fact in reach if fact.askable}
    return tuple(code for code in dict.fromkeys(named or request.weak) if code in askable - parents)


def standard_order(code: str) -> tuple[int, str, int, int, str]:
    """PA.IX.C.K2a after PA.IX.C.K2 after PA.II.A.K1."""
    _, area, letter, element = [*code.split("."), "", "", ""][:4]
    digits = "".join(sign for sign in element if sign.isdigit())
    kind = "KRS".find(element[:1])
    return _roman(area), letter, kind, int(digits or 0), element


def _roman(area: str) -> int:
    return _ROMAN.index(area) if area in _ROMAN else len(_ROMAN)
