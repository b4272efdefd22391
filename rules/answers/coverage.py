"""Summarize the loaded rules: which country answers how many questions of which category.

A question that a country does not answer counts as missing, whatever the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from rules.countries import name_of
from rules.models import RuleAnswer, RuleQuestion
from rules.search.search import CountryAnswer, answer_of, merge_answers, readable_by, silent_answers
from rules.search.tenant_overrides import own_rows

Level = Literal["all", "most", "some", "few", "none"]

_ROWS: Final = (
    "IS FO .. .. NO SE FI .. ..",
    ".. IM .. .. DK .. EE .. RU",
    "IE GB .. NL DE PL LV .. ..",
    "GG JE BE LU CZ SK LT BY ..",
    ".. .. FR CH LI AT HU UA ..",
    ".. .. MC IT SI HR RS RO MD",
    "PT ES AD SM BA ME XK BG ..",
    ".. GI .. MT AL MK GR TR CY",
)

TILES: Final = {
    code: (column, row)
    for row, line in enumerate(_ROWS)
    for column, code in enumerate(line.split())
    if code != ".."
}
"""Column and row of a country on a map of equal squares: near its neighbors, and large enough to be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """How many questions of a category, or of all, a country answers."""

    category: str
    answered: int
    asked: int

    @property
    def percent(self) -> int:
        """Rounded down, so that only a complete set is 100."""
        return 100 * self.answered // self.asked if self.asked else 0

    @property
    def missing(self) -> int:
        return self.asked - self.answered

    @property
    def level(self) -> Level:
        if not self.answered:
            return "none"
        if self.answered == self.asked:
            return "all"
        return "most" if self.percent >= 75 else "some" if self.percent >= 40 else "few"


@dataclass(frozen=True, slots=True, kw_only=True)
class CountryCoverage:
    country: str
    name: str
    whole: Share
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """A country's square on the map, in squares from the upper left; `share` is None without any rules."""

    country: str
    name: str
    column: int
    row: int
    share: Share | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    categories: Mapping[str, int]
    countries: tuple[CountryCoverage, ...]

    @property
    def questions(self) -> int:
        return sum(self.categories.values())

    @property
    def answers(self) -> int:
        return sum(one.whole.answered for one in self.countries)

    @property
    def missing(self) -> int:
        return sum(one.whole.missing for one in self.countries)


def coverage_for(tenant: int | None) -> Coverage:
    """The coverage that a school sees, with countries by name; empty if no rules are loaded."""
    # a school's own questions that ask what all are asked are left out
    rows = RuleQuestion.objects.filter(readable_by(tenant)).exclude(pk__in=list(own_rows(tenant)))
    questions = {str(row): said for row, said in rows.values_list("id", "category").order_by("position")}
    categories = dict(sorted(Counter(questions.values()).items()))
    answered = Counter((country, questions[row]) for row, country in _answered_pairs(tenant))
    countries = []
    for name, country in sorted((name_of(country), country) for country in {one for one, _ in answered}):
        shares = tuple(
            Share(category=category, answered=answered[country, category], asked=asked)
            for category, asked in categories.items()
        )
        whole = Share(category="", answered=sum(one.answered for one in shares), asked=len(questions))
        countries.append(CountryCoverage(country=country, name=name, whole=whole, shares=shares))
    return Coverage(categories=categories, countries=tuple(countries))


def _answered_pairs(tenant: int | None) -> set[tuple[str, str]]:
    """Each question with each country that answers it, be it in a school's words or in those of all."""
    same = own_rows(tenant)
    rows = RuleAnswer.objects.filter(readable_by(tenant, "question__")).exclude(pk__in=silent_answers(tenant))
    pairs = rows.values_list("question_id", "country").order_by()
    return {(same.get(str(row), str(row)), country) for row, country in pairs}


def tiles_of(coverage: Coverage, category: str = "") -> tuple[Tile, ...]:
    """The map of Europe, for one category or all; countries elsewhere have no tile."""
    shares = {
        one.country: next((share for share in one.shares if share.category == category), one.whole)
        for one in coverage.countries
    }
    return tuple(
        Tile(country=code, name=name_of(code), column=column, row=row, share=shares.get(code))
        for code, (column, row) in TILES.items()
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CountryRule:
    """A question with one country's answer."""

    question: str
    category: str
    tags: tuple[str, ...]
    answer: CountryAnswer


def rules_of(country: str, tenant: int | None, category: str = "") -> dict[str, list[CountryRule]]:
    """Every question by category with this country's answer, in the order of the file; `missing` if it has none."""
    same = own_rows(tenant)
    questions = RuleQuestion.objects.filter(readable_by(tenant)).exclude(pk__in=list(same))
    if category:
        questions = questions.filter(category=category)
    stored = RuleAnswer.objects.filter(readable_by(tenant, "question__"), country=country)
    answers: dict[str, CountryAnswer] = {}
    for one in stored.select_related("question"):
        at = same.get(str(one.question_id), str(one.question_id))
        answers[at] = merge_answers(answers.get(at), answer_of(one))
    found: dict[str, list[CountryRule]] = {}
    for row in questions:
        answer = answers.get(str(row.pk)) or CountryAnswer(country=country, missing=True)
        found.setdefault(row.category, []).append(
            CountryRule(question=row.text, category=row.category, tags=tuple(row.tags), answer=answer)
        )
    return found


def codes_known(tenant: int | None) -> Counter[str]:
    """How many answers each country has."""
    return Counter(country for _, country in _answered_pairs(tenant))
