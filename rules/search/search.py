"""Find the rules that match a question, with each country's answer.

Each question is stored once in the index, so the best five are five questions. One SQL statement ranks them by
similarity and by words weighted by rarity; owner, category, tags, and countries are conditions of it. Matching
questions that none of the countries answers are ranked separately, so that the answer can say so.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from typing import Any, Literal
from uuid import UUID

import structlog
from django.conf import settings
from django.db import connection
from django.db.models import Q
from django.db.models.functions import Length

from knowledge.db.connections import give_connection_back
from knowledge.retrieval.rerank import keyword_overlap
from llm.errors import EmptyText, ModelError
from llm.interfaces import ChatModel, EmbeddingModel
from llm.registry import embedding_model, find_chat_model, find_reranker, is_configured
from rules import conf
from rules.configuration import RERANKER_ROLE, Configuration, configuration_from
from rules.models import RuleAnswer, RuleQuestion
from rules.query.query_preparation import Unanswerable
from rules.query.rewriting import ROLE, Wording, reword_question
from rules.search.tenant_overrides import own_rows
from rules.statements.stance import Standing, says_nothing, standing_of
from rules.tags import canonical_tag

Verdict = Literal["strong", "weak", "none"]
Arm = Literal["hybrid", "vector", "lexical"]

log = structlog.get_logger(__name__)


class NoRules(Unanswerable):
    """No rules are loaded that this tenant may read."""


class TooManyCountries(Unanswerable):
    """More countries than can be read side by side."""


def check_countries(countries: Sequence[str]) -> None:
    """Raises TooManyCountries."""
    if len(countries) > conf.COUNTRIES_MOST:
        told = f"at most {conf.COUNTRIES_MOST} countries at once, not {len(countries)}: name fewer"
        raise TooManyCountries(told, "countries")


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesSearch:
    """A search to make. `countries` are ISO 3166 alpha-2 codes; without any, the answers of every country are returned,
    except those that are `excluded`. `k` and `threshold` of None are the configuration's; a given threshold is a cosine
    of the model."""

    question: str
    countries: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    category: str = ""
    tags: tuple[str, ...] = ()
    tenant: int | None = None
    k: int | None = None
    threshold: float | None = None
    arm: Arm = "hybrid"


@dataclass(frozen=True, slots=True, kw_only=True)
class CountryAnswer:
    """One country's answer to a question; `missing` if it has no answer, or one that says so. A `standing` of elsewhere
    is a pointer ("see AIP"), which is shown as one and is not an answer. `own` is a school's answer, `shared` the one
    that everybody else reads."""

    country: str
    text: str = ""
    links: tuple[str, ...] = ()
    missing: bool = False
    id: str = ""
    date_checked: date | None = None
    source_link: str = ""
    standing: Standing = "stated"
    own: bool = False
    shared: CountryAnswer | None = None

    @property
    def answers(self) -> bool:
        return not self.missing and self.standing != "elsewhere"

    def to_dict(self) -> dict[str, Any]:
        checked = self.date_checked.isoformat() if self.date_checked else None
        shared = self.shared.to_dict() if self.shared else None
        return {**asdict(self), "links": list(self.links), "date_checked": checked, "shared": shared}


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRule:
    """A question that matches. All numbers are in [0, 1]; `words` is the share of words in common."""

    id: str
    key: str
    question: str
    category: str
    tags: tuple[str, ...]
    score: float
    similarity: float
    words: float
    answers: Mapping[str, CountryAnswer] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        answers = {country: answer.to_dict() for country, answer in self.answers.items()}
        return {**asdict(self), "tags": list(self.tags), "answers": answers}


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesFound:
    """`results` have an answer from at least one of the countries; `unanswered` match better than the best of those and
    have none. `missing_countries` have no answer to any question. `degraded` says what was unavailable."""

    question: str
    wording: Wording
    countries: tuple[str, ...]
    quality: Verdict
    results: tuple[FoundRule, ...] = ()
    unanswered: tuple[FoundRule, ...] = ()
    missing_countries: tuple[str, ...] = ()
    degraded: str = ""

    @property
    def top(self) -> float | None:
        return self.results[0].score if self.results else None

    def to_dict(self) -> dict[str, Any]:
        """The format of `manage.py search_rules --json`."""
        return {
            "query": self.question,
            "reformulated": {"formal": self.wording.formal, "by": self.wording.by},
            "countries": list(self.countries),
            "quality": {"verdict": self.quality, "top": self.top},
            "results": [found.to_dict() for found in self.results],
            "unanswered": [found.to_dict() for found in self.unanswered],
            "missing_countries": list(self.missing_countries),
            "degraded": self.degraded,
        }


def configuration() -> Configuration:
    """The operator's validated settings. Raises WrongConfiguration, which a system check reports earlier."""
    return configuration_from(settings.RULES)


def find_rules(
    search: RulesSearch, model: EmbeddingModel | None = None, chat: ChatModel | None = None
) -> RulesFound:
    """The rules that match a question, best first. Raises Unanswerable.

    `model` and `chat` default to the registry's.
    """
    check_countries(search.countries)
    chosen = configuration()
    known = known_filters(search.tenant)
    category, tags = checked_filters(search.category, search.tags, known)
    search = replace(search, category=category, tags=tags)
    missing = tuple(country for country in search.countries if country not in known.countries)
    wording = Wording(search.question)
    if chosen.query_reformulation.enabled:
        wording = reword_question(search.question, chat or find_chat_model(ROLE))
    model = model or embedding_model(chosen.rag.embedding_model or "")
    vector, degraded = _vector_of(wording.text, model)
    k = search.k or chosen.rag.retrieval.top_k
    candidates = k * chosen.rag.retrieval.rerank_candidates_multiplier
    threshold = search.threshold
    if threshold is None:
        scale = conf.THRESHOLD_SCALE.get(model.name, 1.0)  # the model's cosines have a range of their own
        threshold = chosen.rag.retrieval.similarity_threshold * scale
    ranking = _rank_questions(search, wording, model, vector, candidates)
    fitting = [one for one in ranking if one.fits(threshold)]
    results, unread = _rerank_rows([one for one in fitting if one.answered], wording, chosen)
    results = results[:k]
    best = max((one.score for one in results), default=0.0)
    # What fits better than anything answered: the countries have no answer to what was asked.
    unanswered = [one for one in fitting if not one.answered and one.score > best][:k]
    answers = _answers_for_rows([*results, *unanswered], search)
    scores = sorted((one.score for one in results), reverse=True)
    return RulesFound(
        question=search.question,
        wording=wording,
        countries=search.countries,
        quality=quality_of(scores),
        results=tuple(_found_rule(one, answers) for one in results),
        unanswered=tuple(_found_rule(one, answers) for one in unanswered),
        missing_countries=missing,
        degraded="; ".join(
            filter(
                None, (wording.degraded, degraded, _describe_missing_vectors(ranking, model, vector), unread)
            )
        ),
    )


class RulesRAG:
    """Retrieval under the name of the desk's design: one row per question and country with an answer."""

    def __init__(self, tenant: int | None = None) -> None:
        self._tenant = tenant

    def retrieve(
        self, query: str, countries: Sequence[str] = (), top_k: int = 5, category: str | None = None
    ) -> list[dict[str, Any]]:
        """Rows of the best `top_k` questions, best first. Raises Unanswerable."""
        asked = RulesSearch(
            question=query,
            countries=tuple(countries),
            category=category or "",
            k=top_k,
            tenant=self._tenant,
        )
        return [
            {
                "question_id": found.key,
                "question_text": found.question,
                "category": found.category,
                "country_code": country,
                "answer": answer.text,
                "links": list(answer.links),
                "score": found.score,
            }
            for found in find_rules(asked).results
            for country, answer in found.answers.items()
            if answer.answers
        ]


# --- what may be asked for --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class KnownFilters:
    """The filters that exist for a tenant."""

    categories: tuple[str, ...]
    tags: tuple[str, ...]
    countries: frozenset[str]


def known_filters(tenant: int | None) -> KnownFilters:
    """Categories, tags, and countries with an answer. Raises NoRules if there are none."""
    rows = RuleQuestion.objects.filter(readable_by(tenant)).values_list("category", "tags")
    if not rows:
        raise NoRules("no rules are loaded: load a file under Operations, or with manage.py load_rules FILE")
    countries = RuleAnswer.objects.filter(readable_by(tenant, "question__")).values_list("country", flat=True)
    return KnownFilters(
        tuple(sorted({category for category, _ in rows if category})),
        tuple(sorted({tag for _, tags in rows for tag in tags})),
        frozenset(countries.distinct()),
    )


def readable_by(tenant: int | None, prefix: str = "") -> Q:
    """The shared questions and, for a school, its own; `prefix` is the path from the filtered row."""
    shared = Q(**{f"{prefix}tenant__isnull": True})
    return shared if tenant is None else shared | Q(**{f"{prefix}tenant": tenant})


def checked_filters(category: str, tags: Iterable[str], known: KnownFilters) -> tuple[str, tuple[str, ...]]:
    """Category and tags in their stored spelling. Raises Unanswerable, which lists the known ones."""
    wanted = category.strip()
    spelt = next((one for one in known.categories if one.lower() == wanted.lower()), "")
    if wanted and not spelt:
        told = f"there is no category {wanted[:60]!r}: one of {', '.join(known.categories)}"
        raise Unanswerable(told, "category")
    found = tuple(dict.fromkeys(canonical_tag(tag) for tag in tags))
    unknown = [tag for tag in found if tag not in known.tags]
    if unknown:
        raise Unanswerable(f"there is no tag {unknown[0][:60]!r}: one of {', '.join(known.tags)}", "tags")
    return spelt, found


def _vector_of(text: str, model: EmbeddingModel) -> tuple[list[float], str]:
    """Empty where there is none to be had, and why."""
    give_connection_back()
    try:
        return model.embed_query(text), ""
    except EmptyText:
        return [], ""
    except ModelError as error:
        log.warning("question_not_embedded", model=model.name, code=error.code)
        return [], f"{model.name} made no vector ({error.code}): searched by words alone"


# --- the ranking ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Row:
    """A question as the statement ranks it. `embedded` says whether the model has a vector of it."""

    id: str
    key: str
    text: str
    category: str
    tags: list[str]
    answered: bool
    embedded: bool
    similarity: float
    asked: float
    said: float
    score: float

    def fits(self, threshold: float) -> bool:
        return self.similarity >= threshold or self.asked >= conf.RESCUE_SHARE


_STATEMENT = """
    WITH readable AS MATERIALIZED (
             SELECT q.id, q.key, q.text, q.category, q.tags, q.position,
                    to_tsvector('english', concat_ws(' ', q.text, q.category, told.tags)) AS document
             FROM rules_rulequestion q
             CROSS JOIN LATERAL (SELECT string_agg(tag, ' ') AS tags FROM jsonb_array_elements_text(q.tags) AS tag) told
             WHERE q.tenant_id IS NULL OR (q.tenant_id = %(tenant)s AND NOT q.id = ANY(%(own)s::uuid[]))),
         doubled AS MATERIALIZED (
             SELECT * FROM unnest(%(own)s::uuid[], %(same)s::uuid[]) AS pair (own, shared)),
         words AS MATERIALIZED (SELECT id, (unnest(document)).lexeme AS word FROM readable),
         rarity AS MATERIALIZED (
             SELECT word, ln((SELECT count(*) + 1 FROM readable) / (count(*) + 0.5)) AS weight
             FROM words GROUP BY word),
         asked AS MATERIALIZED (
             SELECT (unnest(to_tsvector('english', %(words)s))).lexeme AS word),
         total AS (
             SELECT coalesce(sum(coalesce(rarity.weight, ln((SELECT count(*) + 1 FROM readable) / 0.5))), 0) AS weight
             FROM asked LEFT JOIN rarity USING (word)),
         shared AS MATERIALIZED (
             SELECT words.id, sum(rarity.weight) AS own,
                    coalesce(sum(rarity.weight) FILTER (WHERE words.word IN (SELECT word FROM asked)), 0) AS common
             FROM words JOIN rarity USING (word) GROUP BY words.id),
         measured AS MATERIALIZED (
             SELECT r.*, v.id IS NOT NULL AS embedded,
                    CASE WHEN %(vector)s::vector IS NULL OR v.id IS NULL THEN 0
                         ELSE GREATEST(0, 1 - (v.vector <=> %(vector)s::vector)) END AS similarity,
                    shared.common / NULLIF((SELECT weight FROM total), 0) AS asked_share,
                    shared.common / NULLIF(shared.own, 0) AS said_share,
                    EXISTS (SELECT 1 FROM rules_ruleanswer a WHERE (a.question_id = r.id
                                OR a.question_id IN (SELECT own FROM doubled WHERE doubled.shared = r.id))
                            AND NOT a.id = ANY(%(silent)s::uuid[])
                            AND (%(anywhere)s OR a.country = ANY(%(countries)s))
                            AND NOT a.country = ANY(%(excluded)s)) AS answered
             FROM readable r
             LEFT JOIN shared ON shared.id = r.id
             LEFT JOIN rules_questionvector v ON v.question_id = r.id AND v.model = %(model)s
                       AND v.text_hash = encode(sha256(convert_to(r.text, 'UTF8')), 'hex')
             WHERE (%(category)s = '' OR r.category = %(category)s)
               AND (%(no_tags)s OR r.tags ?| %(tags)s)),
         scored AS (
             SELECT *, %(vector_weight)s * similarity + %(asked_weight)s * coalesce(asked_share, 0)
                       + %(said_weight)s * coalesce(said_share, 0) AS score
             FROM measured),
         placed AS (
             SELECT *, row_number() OVER (PARTITION BY answered ORDER BY score DESC, position, id) AS place FROM scored)
    SELECT id::text, key, text, category, tags, answered, embedded, similarity, coalesce(asked_share, 0),
           coalesce(said_share, 0), score
    FROM placed WHERE place <= %(most)s ORDER BY score DESC, position, id"""


def _rank_questions(
    search: RulesSearch, wording: Wording, model: EmbeddingModel, vector: Sequence[float], most: int
) -> list[_Row]:
    """The best questions that the countries answer, and the best that they do not. None twice."""
    doubled = own_rows(search.tenant)
    words = conf.ASKED_WEIGHT + conf.SAID_WEIGHT
    # of meaning, and of the words seen from either side; one arm alone counts whole
    scale = {"hybrid": 1.0, "vector": 1 / conf.VECTOR_WEIGHT, "lexical": 1 / words}[search.arm]
    values = {
        "tenant": search.tenant,
        "own": list(doubled),
        "same": list(doubled.values()),
        "words": wording.text,
        "vector": "[" + ",".join(map(repr, map(float, vector))) + "]" if vector else None,
        "model": model.name,
        "anywhere": not search.countries,
        "countries": list(search.countries),
        "silent": silent_answers(search.tenant),
        "excluded": list(search.excluded),
        "category": search.category,
        "no_tags": not search.tags,
        "tags": list(search.tags),
        "vector_weight": conf.VECTOR_WEIGHT * scale * (search.arm != "lexical"),
        "asked_weight": conf.ASKED_WEIGHT * scale * (search.arm != "vector"),
        "said_weight": conf.SAID_WEIGHT * scale * (search.arm != "vector"),
        "most": most,
    }
    with connection.cursor() as cursor:
        cursor.execute(_STATEMENT, values)
        return [
            _Row(id_, key, text, category, json.loads(tags) if isinstance(tags, str) else tags, *rest)
            for id_, key, text, category, tags, *rest in cursor.fetchall()
        ]


def _describe_missing_vectors(ranking: Sequence[_Row], model: EmbeddingModel, vector: Sequence[float]) -> str:
    """Said where questions have no vector of this model: they were found by their words alone."""
    if not vector or all(one.embedded for one in ranking):
        return ""
    return (
        f"questions without a vector of {model.name} were found by words alone: a worker makes it in a minute"
    )


def _rerank_rows(rows: list[_Row], wording: Wording, chosen: Configuration) -> tuple[list[_Row], str]:
    """In an order that the product's reranker has its say in; if it fails, in the one that was there, which
    is said."""
    if not chosen.reranking.enabled or chosen.reranking.provider == "none" or len(rows) < 2:
        return rows, ""
    vendor = (
        find_reranker(RERANKER_ROLE) if chosen.reranking.provider != "keyword" and is_configured() else None
    )
    if vendor is None:
        share = conf.KEYWORD_RERANK_SHARE
        overlaps = {row.id: keyword_overlap(wording.asked, row.text) for row in rows}
        return sorted(rows, key=lambda row: -(share * overlaps[row.id] + (1 - share) * row.score)), ""
    give_connection_back()
    try:
        opinions = _scale_to_range(vendor.scores(wording.text, [row.text for row in rows]))
    except ModelError as error:
        log.warning("rules_not_reranked", code=error.code, error=str(error))
        return rows, f"the reranker {vendor.name} failed ({error.code}): the order is that of the search"
    scores, share = _scale_to_range([row.score for row in rows]), conf.RERANK_SHARE
    order = sorted(range(len(rows)), key=lambda at: -(share * opinions[at] + (1 - share) * scores[at]))
    return [rows[at] for at in order], ""


def _scale_to_range(numbers: Sequence[float]) -> list[float]:
    """From 0, the least of them, to 1: opinions of different makers can be weighed against each other."""
    low, high = min(numbers), max(numbers)
    return [(number - low) / ((high - low) or 1.0) for number in numbers]


def quality_of(scores: Sequence[float]) -> Verdict:
    """How well the best of these scores, best first, answers the question."""
    if not scores or scores[0] < conf.QUALITY_NONE:
        return "none"
    return "strong" if scores[0] >= conf.QUALITY_STRONG else "weak"


# --- what was found ---------------------------------------------------------------------------------------------


def _answers_for_rows(rows: Sequence[_Row], search: RulesSearch) -> dict[str, dict[str, CountryAnswer]]:
    """What each of the countries answers to each question, in their order; without any, every one that answers and is
    not excluded."""
    countries, doubled = search.countries, own_rows(search.tenant)
    ids = {row.id for row in rows}
    ids |= {own for own, same in doubled.items() if same in ids}
    stored = (
        RuleAnswer.objects.filter(question__in=list(map(UUID, ids)))
        .select_related("question")
        .order_by("country")
    )
    stored = stored.exclude(country__in=search.excluded)
    if countries:
        stored = stored.filter(country__in=countries)
    found: dict[str, dict[str, CountryAnswer]] = {
        row.id: {country: CountryAnswer(country=country, missing=True) for country in countries}
        for row in rows
    }
    for answer in stored:
        told = answer_of(answer)
        if countries or not told.missing:
            row = found[doubled.get(str(answer.question_id), str(answer.question_id))]
            row[answer.country] = merge_answers(row.get(answer.country), told)
    return found


def merge_answers(one: CountryAnswer | None, other: CountryAnswer) -> CountryAnswer:
    """A school's answer with the shared one below it. If the school's says nothing, the shared one is shown."""
    if one is None or not one.id:
        return other
    own, shared = (other, one) if other.own else (one, other)
    if shared.answers and not own.answers:
        return shared
    return replace(own, shared=None if shared.missing else shared)


def silent_answers(tenant: int | None) -> list[str]:
    """The ids of answers that say nothing."""
    rows = RuleAnswer.objects.filter(readable_by(tenant, "question__")).annotate(length=Length("text"))
    short = rows.filter(length__lte=conf.SILENT_LONGEST).values_list("id", "text")
    return [str(row) for row, text in short.order_by() if says_nothing(text)]


def answer_of(row: RuleAnswer) -> CountryAnswer:
    standing = standing_of(row.text) if says_nothing(row.text) else "stated"
    return CountryAnswer(
        standing=standing,
        own=row.question.tenant_id is not None,
        missing=standing in ("missing", "unknown"),
        country=row.country,
        text=row.text,
        links=tuple(dict.fromkeys((*row.links, *filter(None, (row.source_link,))))),
        id=str(row.pk),
        date_checked=row.date_checked,
        source_link=row.source_link,
    )


def _found_rule(row: _Row, answers: Mapping[str, Mapping[str, CountryAnswer]]) -> FoundRule:
    return FoundRule(
        id=row.id,
        key=row.key,
        question=row.text,
        category=row.category,
        tags=tuple(row.tags),
        score=round(row.score, 4),
        similarity=round(row.similarity, 4),
        words=round((row.asked + row.said) / 2, 4),
        answers=answers[row.id],
    )
