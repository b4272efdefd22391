"""Validate the request for an exam: `scope` plans from it, `exams.exchange.session` stores the exam."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from exams.conf import QUESTIONS_LEAST, QUESTIONS_MOST

MOST_CODES = 60


class ExamOrder(BaseModel):
    """CONTRACT's POST exams. Anything omitted has a default; nothing unknown is taken."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, populate_by_name=True)

    certificate: str = Field(default="private", max_length=20, pattern=r"^[A-Za-z][A-Za-z _-]*$")
    aircraft_class: Literal["ASEL", "AMEL", "ASES", "AMES"] = Field(default="ASEL", alias="class")
    mode: Literal["full", "mock", "area", "weak", "drill"] = "full"
    manner: Literal["coach", "checkride"] = "coach"
    areas: list[str] = Field(default_factory=list, max_length=15)
    codes: list[str] = Field(default_factory=list, max_length=MOST_CODES)
    questions: int | None = Field(default=None, ge=QUESTIONS_LEAST, le=QUESTIONS_MOST, strict=True)
    difficulty: Literal["easy", "standard", "hard"] = "standard"

    @field_validator("areas", "codes")
    @classmethod
    def _short_words(cls, words: list[str]) -> list[str]:
        if any(len(word) > 24 or not word.strip() for word in words):
            raise ValueError("each is a short code such as I or PA.I.C.K2")
        return [word.strip().upper() for word in words]


class OrderRefused(ValueError):
    """The order cannot be met; `fields` says which part and what exists."""

    def __init__(self, fields: dict[str, list[str]]) -> None:
        super().__init__("; ".join(f"{name}: {' '.join(what)}" for name, what in fields.items()))
        self.fields = fields


NOT_YET = {
    "checkride": ("manner", "“checkride” is not built yet. There is: coach."),
    "mock": ("mode", "“mock” is not built yet. There is: full, area, weak, drill."),
}
NOT_YET_TAKEN = ("aircraft", "continues")


def order_from(data: Any) -> ExamOrder:
    """Raises OrderRefused for anything that is not an order, naming the fields."""
    if not isinstance(data, dict):
        raise OrderRefused({"body": ["Send one JSON object."]})
    for value in (data.get("mode"), data.get("manner")):
        if isinstance(value, str) and value in NOT_YET:
            field, why = NOT_YET[value]
            raise OrderRefused({field: [why]})
    if ignored := [name for name in NOT_YET_TAKEN if data.get(name) is not None]:
        raise OrderRefused({name: [f"“{name}” is not built yet. Leave it out."] for name in ignored})
    try:
        return ExamOrder.model_validate({key: value for key, value in data.items() if value is not None})
    except ValidationError as error:
        raise OrderRefused(_by_field(error)) from error


def _by_field(error: ValidationError) -> dict[str, list[str]]:
    fields: dict[str, list[str]] = {}
    for problem in error.errors(include_url=False, include_input=False):
        name = str(problem["loc"][0]) if problem["loc"] else "body"
        fields.setdefault(name, []).append(
            _in_words(name, problem["type"], problem["msg"], problem.get("ctx", {}))
        )
    return fields


def _in_words(name: str, kind: str, message: str, context: Mapping[str, Any]) -> str:
    """What is wrong with a field, said to a person."""
    if name == "questions":
        return f"A whole number from {QUESTIONS_LEAST} to {QUESTIONS_MOST}, please."
    if kind == "literal_error":
        return f"There is: {context['expected']}."
    return message
