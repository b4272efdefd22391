"""Find the questions that countries answer most differently, as data; `reasons` words the differences.

Vectors are those of the stored answers; nothing is embedded here. A question that a country does not answer is listed
as missing, an answer that says nothing ("no experience") as unstated; neither is compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import F

from llm.interfaces import EmbeddingModel
from llm.registry import embedding_model
from rules import conf
from rules.answers.reasons import explain_difference
from rules.countries import name_of
from rules.models import AnswerVector, RuleAnswer, RuleQuestion
from rules.query.query_preparation import Unanswerable
from rules.search.search import (
    CountryAnswer,
    answer_of,
    check_countries,
    checked_filters,
    configuration,
    known_filters,
    readable_by,
)
from rules.search.tenant_overrides import own_rows
from rules.search.vectors import text_hash
from rules.statements.diff_highlight import Span
from rules.statements.differences import Difference, Pair, Said, difference_between, rank_differences
from rules.statements.stance import says_nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesComparison:
    """A comparison to make: two or more ISO 3166 alpha-2 codes, in the order of the columns. `questions` are ids of the
    questions to compare; without any, all are. A limit of None is the configuration's."""

    countries: tuple[str, ...]
    category: str = ""
    tags: tuple[str, ...] = ()
    questions: tuple[str, ...] | None = None
    tenant: int | None = None
    most: int | None = None
    least: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedRule:
    """A question with different answers. `marks` are the positions of the differing words in each answer."""

    id: str
    key: str
    question: str
    category: str
    tags: tuple[str, ...]
    difference: float
    why: str
    answers: Mapping[str, CountryAnswer]
    marks: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)
    pairs: tuple[Pair, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        answers = {
            country: {**answer.to_dict(), "marks": [list(span) for span in self.marks.get(country, ())]}
            for country, answer in self.answers.items()
        }
        return {
            "id": self.id,
            "key": self.key,
            "question": self.question,
            "category": self.category,
            "tags": list(self.tags),
            "difference": self.difference,
            "why": self.why,
            "answers": answers,
            "pairs": [asdict(pair) for pair in self.pairs],
        }


@dataclass(frozen=True, slots=True)
class Gap:
    """A question that a country does not answer; `said` is the text in its place, if any."""

    question: str
    country: str
    said: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesCompared:
    """The widest difference first. `compared` questions had at least two answers; `alike` of them differ by less than
    the limit; `left_out` differ by more but exceed the maximum number."""

    countries: tuple[str, ...]
    differences: tuple[ComparedRule, ...]
    missing: tuple[Gap, ...] = ()
    unstated: tuple[Gap, ...] = ()
    missing_countries: tuple[str, ...] = ()
    compared: int = 0
    alike: int = 0
    left_out: int = 0
    degraded: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The format of `manage.py compare_rules --json`."""
        return {
            "countries": list(self.countries),
            "differences": [one.to_dict() for one in self.differences],
            "missing": [{"question": gap.question, "country": gap.country} for gap in self.missing],
            "unstated": [asdict(gap) for gap in self.unstated],
            "missing_countries": list(self.missing_countries),
            "compared": self.compared,
            "alike": self.alike,
            "left_out": self.left_out,
            "degraded": self.degraded,
        }


def compare_rules(asked: RulesComparison) -> RulesCompared:
    """Compare what countries answer. Raises Unanswerable."""
    chosen = configuration()
    most = chosen.comparison.max_questions if asked.most is None else asked.most
    least = chosen.comparison.min_difference if asked.least is None else asked.least
    countries = _check_comparison(asked.countries, most, least)
    known = known_filters(asked.tenant)
    category, tags = checked_filters(asked.category, asked.tags, known)
    found_rows = RuleQuestion.objects.filter(readable_by(asked.tenant)).exclude(
        pk__in=list(own_rows(asked.tenant))
    )
    if category:
        found_rows = found_rows.filter(category=category)
    if asked.questions is not None:
        found_rows = found_rows.filter(pk__in=asked.questions)
    rows = [row for row in found_rows if not tags or set(tags) & set(row.tags)]
    answers = _answers_by_question(rows, countries, own_rows(asked.tenant))
    vectors = _vectors_of_answers(answers, embedding_model(chosen.rag.embedding_model or ""))
    found = {}
    for row in rows:
        own = answers.get(row.pk, {})
        said = [
            Said(country=country, text=own[country].text, vector=vectors.get(own[country].pk, ()))
            if country in own
            else Said(country=country)
            for country in countries
        ]
        found[row.pk] = difference_between(said, row.text)
    shown = rank_differences({str(key): one for key, one in found.items()}, most=most, least=least)
    compared = [one for one in found.values() if one.pairs]
    alike = sum(one.difference < least for one in compared)
    by_id = {str(row.pk): row for row in rows}
    stored = sum(len(some) for some in answers.values())
    return RulesCompared(
        countries=countries,
        differences=tuple(_rule_compared(by_id[key], one, answers, countries) for key, one in shown),
        missing=tuple(Gap(row.text, country) for row in rows for country in found[row.pk].missing),
        unstated=tuple(
            Gap(row.text, country, found[row.pk].facts[country].text)
            for row in rows
            for country in found[row.pk].unstated
        ),
        missing_countries=tuple(country for country in countries if country not in known.countries),
        compared=len(compared),
        alike=alike,
        left_out=len(compared) - alike - len(shown),
        degraded="" if len(vectors) == stored else "answers without a vector were compared by their words",
    )


def _check_comparison(countries: Sequence[str], most: int, least: float) -> tuple[str, ...]:
    distinct = tuple(dict.fromkeys(countries))
    if len(distinct) < 2:
        raise Unanswerable("a comparison needs two different countries, such as FR DE", "countries")
    check_countries(distinct)
    if not 1 <= most <= conf.COMPARED_LIMIT:
        raise Unanswerable(f"the number of questions must be 1 to {conf.COMPARED_LIMIT}", "max")
    if not 0 <= least <= 1:
        raise Unanswerable("the least difference must be 0 to 1", "max")
    return distinct


def _answers_by_question(
    rows: Iterable[RuleQuestion], countries: Sequence[str], same: Mapping[str, str]
) -> dict[Any, dict[str, RuleAnswer]]:
    """The answers of these countries, by question and country; a school's own that says something before the
    shared."""
    ids = {str(row.pk): row.pk for row in rows}
    asked = [*ids, *(own for own, shared in same.items() if shared in ids)]
    stored = RuleAnswer.objects.filter(
        question__in=list(map(UUID, asked)), country__in=countries
    ).select_related("question")
    found: dict[Any, dict[str, RuleAnswer]] = {}
    for answer in stored.order_by(F("question__tenant").asc(nulls_last=True)):
        at = found.setdefault(ids[same.get(str(answer.question_id), str(answer.question_id))], {})
        first = at.get(answer.country)
        if first is None or (says_nothing(first.text) and not says_nothing(answer.text)):
            at[answer.country] = answer
    return found


def _vectors_of_answers(
    answers: Mapping[Any, Mapping[str, RuleAnswer]], model: EmbeddingModel
) -> dict[Any, list[float]]:
    """The vectors of the answers' present texts, by answer."""
    hashes = {answer.pk: text_hash(answer.text) for some in answers.values() for answer in some.values()}
    rows = AnswerVector.objects.filter(model=model.name, answer__in=hashes)
    return {
        answer: [float(value) for value in vector]
        for answer, vector, made_from in rows.values_list("answer_id", "vector", "text_hash")
        if hashes[answer] == made_from
    }


def _rule_compared(
    row: RuleQuestion,
    one: Difference,
    answers: Mapping[Any, Mapping[str, RuleAnswer]],
    countries: Sequence[str],
) -> ComparedRule:
    stored = answers.get(row.pk, {})
    return ComparedRule(
        id=str(row.pk),
        key=row.key,
        question=row.text,
        category=row.category,
        tags=tuple(row.tags),
        difference=one.difference,
        why=explain_difference(one, {country: name_of(country) for country in countries}),
        answers={
            country: CountryAnswer(country=country, missing=True)
            if country in one.missing
            else answer_of(stored[country])
            for country in countries
        },
        marks=one.marks,
        pairs=one.pairs,
    )
