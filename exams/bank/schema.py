"""The shape of item files (docs/writing-items.md): a question, its key points, and common mistakes. Pure.

Single values are checked here; `lint` checks the item as a question.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from exams.bank.sources import Source, parse_source
from exams.domain.exam_request import AircraftClass
from exams.domain.scenes.scene import STAGE_USUAL, Moment
from knowledge.text.slots import SlotValue

ITEM_FIELDS: Final = (
    *("elements", "classes", "level", "stem", "again", "on_trip", "slots", "cases", "why"),
    *("needs", "requires", "leads_to", "moment", "stage", "topic", "ends"),
)
POINT_FIELDS: Final = (
    "text",
    "role",
    "must",
    "p0",
    "accept",
    "reject",
    "keywords",
    "ask",
    "then",
    "hint",
    "when",
)
"""Fields that have one name in an item file and in its row."""
Level = Literal["recall", "apply", "correlate"]
PointRole = Literal["rule", "explain", "read", "hazard", "assess", "mitigate", "decide"]
ArtifactKind = Literal[
    "metar",
    "taf",
    "winds",
    "notam",
    "loading",
    "performance",
    "maintenance",
    "papers",
    "chart",
    "figure",
    "plan",
]

RISK_ROLES: Final[tuple[PointRole, ...]] = ("hazard", "assess", "mitigate")

ITEM_ID: Final = r"^[a-z]{2}\.[ivx]{1,4}\.[a-z]\.[krs]\d{1,2}[a-z]?\.[a-z0-9]+(?:-[a-z0-9]+)*$"
SLUG: Final = r"^[a-z0-9]+(?:-[a-z0-9]+)*$"
KEYWORD: Final = r"^[$.']?[a-z0-9][a-z0-9$.,'/%&:+* -]*$"
SLOT_NAME: Final = r"^[a-z][a-z0-9_]*$"
ELEMENT_CODE: Final = r"^[A-Z]{2}\.[IVX]{1,4}\.[A-Z]\.[KRS]\d{1,2}[a-z]?$"


def one_line(value: Any) -> Any:
    return " ".join(value.split()) if isinstance(value, str) else value


def _as_list(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


def _checked_source(value: Any) -> Any:
    if not isinstance(value, str):
        raise ValueError("a source is text, such as “14 CFR 91.155(a)”")
    return str(parse_source(value))


_OneLine = BeforeValidator(one_line)

Stem = Annotated[str, _OneLine, StringConstraints(min_length=15, max_length=600)]
Reason = Annotated[str, _OneLine, StringConstraints(min_length=15, max_length=500)]
Statement = Annotated[str, _OneLine, StringConstraints(min_length=8, max_length=300)]
Wording = Annotated[str, _OneLine, StringConstraints(min_length=2, max_length=300)]
Ends = Annotated[str, BeforeValidator(one_line), StringConstraints(max_length=200)]
Keyword = Annotated[str, StringConstraints(pattern=KEYWORD, max_length=60)]
KeywordGroup = Annotated[list[Keyword], Field(min_length=1, max_length=80)]
FollowUp = Annotated[str, _OneLine, StringConstraints(min_length=8, max_length=240)]
Title = Annotated[str, _OneLine, StringConstraints(min_length=3, max_length=120)]
SourceText = Annotated[str, BeforeValidator(_checked_source)]
Sources = Annotated[list[SourceText], BeforeValidator(_as_list), Field(min_length=1, max_length=4)]
ElementCode = Annotated[str, StringConstraints(pattern=ELEMENT_CODE)]
ItemId = Annotated[str, StringConstraints(pattern=ITEM_ID, max_length=90)]
Slug = Annotated[str, StringConstraints(pattern=SLUG, max_length=60)]
Stage = Annotated[int, Field(ge=1, le=9)]
SlotName = Annotated[str, StringConstraints(pattern=SLOT_NAME, max_length=30)]
SlotValues = Annotated[list[SlotValue], BeforeValidator(_as_list), Field(min_length=1, max_length=12)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PointText(_Part):
    """One fact, or one link of a chain of reasons, in a complete answer.

    `when` names values of the item's slots with which the point is expected; without it, it always is. `accept` are
    whole wordings of a student, `reject` phrases of those who have it wrong, `keywords` groups of words of which
    whoever says it uses one each, `ask` the neutral probe at it, `hint` where to look for it. A point to be asked about
    `then` is not in the stem: once that is answered, the examiner goes on with its `ask`.
    """

    id: Slug
    text: Statement
    role: PointRole = "rule"
    must: bool = True
    p0: bool = False
    source: Sources
    accept: list[Wording] = Field(default_factory=list, max_length=12)
    reject: list[Keyword] = Field(default_factory=list, max_length=20)
    keywords: list[KeywordGroup] = Field(default_factory=list, max_length=3)
    ask: FollowUp
    then: bool = False
    hint: FollowUp
    when: dict[SlotName, SlotValues] = Field(default_factory=dict)

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple(parse_source(one) for one in self.source)


class MixupText(_Part):
    """A wrong belief that students really hold, in their words, and the sentence that corrects it."""

    text: Statement
    answer: Statement
    source: Sources
    contradicts: list[Slug] = Field(
        default_factory=list, max_length=4, description="Ids of points it denies."
    )


class ItemText(_Part):
    """One question with its rubric."""

    id: ItemId
    elements: list[ElementCode] = Field(
        min_length=1, max_length=4, description="What it is about; the one that the id names comes first."
    )
    classes: list[AircraftClass] = Field(
        default_factory=list, max_length=3, description="The classes whose oral asks it; none is all of them."
    )
    level: Level
    stem: Stem
    again: Stem
    on_trip: Stem | Literal[""] = Field(
        default="", description="The same question worded into the trip of a mock oral."
    )
    moment: Moment | Literal[""] = Field(
        default="", description="When on that trip the question plays; a rule of no moment: planning."
    )
    stage: Stage = Field(default=STAGE_USUAL, description="How far into that moment it plays, 1 to 9.")
    topic: Slug | Literal[""] = Field(
        default="", description="What it shares with items of which one oral asks only one."
    )
    ends: Ends = Field(
        default="", description="What closes the situation on the trip, so that the flight can go on."
    )
    slots: dict[SlotName, SlotValues] = Field(default_factory=dict)
    cases: list[dict[SlotName, SlotValue]] = Field(
        default_factory=list, max_length=12, description="Rows of givens that belong together."
    )
    points: list[PointText] = Field(min_length=1, max_length=8)
    mixups: list[MixupText] = Field(default_factory=list, max_length=5)
    why: Reason
    needs: list[Slug] = Field(default_factory=list, max_length=4)
    requires: list[ElementCode] = Field(
        default_factory=list, max_length=4, description="What is known first."
    )
    leads_to: list[ElementCode] = Field(default_factory=list, max_length=4)
    after: ItemId | None = None

    @model_validator(mode="after")
    def _slots_stand_once(self) -> ItemText:
        twice = set(self.slots) & {name for case in self.cases for name in case}
        if twice:
            raise ValueError(f"“{sorted(twice)[0]}” stands in both slots and cases")
        if len({frozenset(case) for case in self.cases}) > 1:
            raise ValueError("every row of cases needs the same names")
        return self

    @property
    def slot_names(self) -> frozenset[str]:
        return frozenset(self.slots) | frozenset(name for case in self.cases for name in case)

    def values_of(self, slot: str) -> tuple[SlotValue, ...]:
        return tuple(self.slots.get(slot, ())) or tuple(case[slot] for case in self.cases if slot in case)


def builds_on(element: str, elements: Sequence[str], requires: Sequence[str]) -> tuple[str, ...]:
    """What one of an item's elements builds on: what the item requires, if it is the first element, or applies it.

    A question about a risk or skill may touch a fact that is more basic than the question; that fact does not build on
    what the question does.
    """
    applies = element == elements[0] or not element.rsplit(".", 1)[1].startswith("K")
    return tuple(code for code in requires if applies and code != element)


class ArtifactText(_Part):
    """Something on the table: text as the student sees it, or a figure of the library by its label."""

    id: Slug
    kind: ArtifactKind
    title: Title
    text: str = Field(default="", max_length=4_000)
    figure: str = Field(default="", max_length=60, description="“PHAK Figure 10-5”: document and label.")

    @model_validator(mode="after")
    def _has_something_to_see(self) -> ArtifactText:
        if bool(self.text.strip()) == bool(self.figure):
            raise ValueError("an artifact has either text or a figure")
        return self
