"""The plain values that pass between the modules of the rules desk. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDraft:
    """What a file says for one country: plain text, never empty, and addresses that can be opened."""

    country: str
    text: str
    links: tuple[str, ...] = ()
    date_checked: date | None = None
    source_link: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionDraft:
    """A question of a file with those of its answers that say something, by country."""

    key: str
    text: str
    category: str
    tags: tuple[str, ...]
    answers: Mapping[str, AnswerDraft]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something of a file that was not taken as it stood. `where` is a question's key, and the country if any."""

    what: str
    where: str
    said: str = ""
    became: str = ""

    def to_dict(self) -> dict[str, str]:
        return {"what": self.what, "where": self.where, "said": self.said, "became": self.became}


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesFile:
    """A file of rules as it was read: `refused` is left out, `mended` is taken in another form."""

    questions: tuple[QuestionDraft, ...]
    refused: tuple[Finding, ...] = ()
    mended: tuple[Finding, ...] = ()
    countries: frozenset[str] = field(default_factory=frozenset)
