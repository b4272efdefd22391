"""Answer a question about rules with citations, country by country.

The answer consists of the countries' own words. A chat model, if one is configured, rewords them, and its statements
are checked against the rules first. Differences come from the facts. A country without an answer, or without any rules,
is reported as such.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from knowledge.library_version import generations_of
from knowledge.notes import notes_for
from llm.errors import ModelError
from llm.interfaces import ChatModel
from llm.registry import chat_model, embedding_model
from rules import conf
from rules.answers.airports import airport_facts
from rules.answers.answer_format import (
    NEAR,
    NEXT,
    NO_FIT,
    OWN,
    POINTS,
    SHARED,
    Line,
    Notes,
    RuleCitation,
    Section,
    answer_text,
    answer_url,
    number_lines,
)
from rules.answers.compare import ComparedRule, RulesCompared, RulesComparison, compare_rules
from rules.answers.llm_answer import ROLE, Worded, word_rules
from rules.answers.reasons import explain_difference
from rules.answers.verify import Rule, Statement
from rules.countries import name_of
from rules.query.query_preparation import asks_something, checked_question, question_asked
from rules.query.question_splitting import parts_of, rules_half
from rules.query.router import RouterDecision, route
from rules.search.search import (
    CountryAnswer,
    FoundRule,
    KnownFilters,
    RulesFound,
    RulesSearch,
    check_countries,
    find_rules,
    known_filters,
)
from rules.statements.differences import Said, difference_between
from rules.statements.stance import says_nothing

Path = Literal["rules", "database", "both"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesAsked:
    """A message, the earlier messages, and the decision about it: the path and the countries. Without countries, all
    are meant except those that are `excluded`."""

    message: str
    history: tuple[str, ...] = ()
    path: Path = "rules"
    countries: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    compares: bool = False
    category: str = ""
    tags: tuple[str, ...] = ()
    tenant: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesAnswered:
    """`found` is everything that the search returned; `sections` are what the answer uses."""

    path: Path
    question: str
    countries: tuple[str, ...]
    answer: str
    sections: tuple[Section, ...] = ()
    citations: tuple[RuleCitation, ...] = ()
    missing_countries: tuple[str, ...] = ()
    unanswered: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    quality: str = "none"
    by: str = ""
    degraded: str = ""
    found: RulesFound | None = None
    compared: RulesCompared | None = None

    def to_dict(self) -> dict[str, Any]:
        """The format of `manage.py ask_rules --json`."""
        return {
            "path": self.path,
            "question": self.question,
            "countries": list(self.countries),
            "answer": self.answer,
            "citations": [one.to_dict() for one in self.citations],
            "missing_countries": list(self.missing_countries),
            "unanswered": [
                {"question": question, "countries": list(some)} for question, some in self.unanswered.items()
            ],
            "sections": [section.to_dict() for section in self.sections],
            "quality": self.quality,
            "by": self.by,
            "degraded": self.degraded,
        }


def ask_rules(
    message: str,
    history: Sequence[str] = (),
    *,
    countries: Sequence[str] = (),
    everywhere: bool = False,
    category: str = "",
    tags: Sequence[str] = (),
    tenant: int | None = None,
) -> tuple[RouterDecision, RulesAnswered]:
    """Route a message and answer it: the only entry point for pages, API, and commands. `history` has the user's
    earlier messages, oldest first. `countries` override those that the conversation names, and so does `everywhere`,
    which selects no country. Raises Unanswerable."""
    text = checked_question(message)
    decision = route([*history, text])
    asked = RulesAsked(
        message=text,
        history=tuple(history),
        path=decision.path,
        countries=() if everywhere else tuple(dict.fromkeys(countries)) or decision.countries,
        excluded=() if everywhere or countries else decision.scope.without,
        compares=decision.scope.compares,
        category=category,
        tags=tuple(tags),
        tenant=tenant,
    )
    return decision, answer_rules(asked)


def answer_rules(asked: RulesAsked, chat: ChatModel | None = None) -> RulesAnswered:
    """Answer one message. Raises Unanswerable. `chat` defaults to the registry's."""
    message = checked_question(asked.message)
    check_countries(asked.countries)
    if asked.path == "database":  # no rule is looked for, so that none can be mistaken for an answer
        facts = airport_facts(message, asked.countries)
        return RulesAnswered(
            path=asked.path,
            question=message,
            countries=asked.countries,
            answer=answer_text((), Notes(opening=facts, cannot=not facts)),
        )
    known = known_filters(asked.tenant)
    question = question_for(message, asked.history, asked.path)
    categories = {name.lower() for name in known.categories}
    # something narrower than a category: "compare VFR rules" is about all of one
    matter = " ".join(word for word in question.split() if word.lower().strip(".,?!") not in categories)
    if len(asked.countries) > 1 and asked.compares and not asks_something(matter):
        return _answer_by_comparison(asked, question, known)
    if not asks_something(question):
        return _answer_with_overview(asked, question, known)
    return _answer_found(asked, question, chat)


def question_for(message: str, history: Sequence[str], path: Path) -> str:
    """The question to search for: if a message asks for both, the part that does not ask a database."""
    return question_asked(rules_half(message) if path == "both" else message, history)


# --- from what was found ----------------------------------------------------------------------------------------


def _answer_found(asked: RulesAsked, question: str, chat: ChatModel | None) -> RulesAnswered:
    search = RulesSearch(
        question=question,
        countries=asked.countries,
        excluded=asked.excluded,
        category=asked.category,
        tags=asked.tags,
        tenant=asked.tenant,
    )
    found = find_rules(search, chat=chat)
    by_parts = [find_rules(replace(search, question=part), chat=chat) for part in parts_of(question)]
    sure = [one.results[0] for one in by_parts if one.quality == "strong" and one.results]
    telling = _telling_rules(found, sure)
    sections = number_lines(
        _build_section(rule, asked.countries, found.missing_countries) for rule in telling
    )
    citations = _citations_for(sections, telling)
    worded = _word_by_model(question, citations, asked, chat)
    if worded.statements:
        sections = _use_model_words(sections, worded.statements)
    notes = _notes_for(asked, found, telling)
    return RulesAnswered(
        path=asked.path,
        question=question,
        countries=asked.countries,
        answer=answer_text(sections, notes),
        sections=sections,
        citations=citations,
        missing_countries=found.missing_countries,
        unanswered=_unanswered_questions(found),
        quality=found.quality,
        by=worded.by,
        degraded="; ".join(filter(None, (found.degraded, worded.degraded))),
        found=found,
    )


def _telling_rules(found: RulesFound, sure: Sequence[FoundRule]) -> tuple[FoundRule, ...]:
    """The rules that make the answer, each once, and no more than it has room for: those that are `sure`, the best and
    those that fit nearly as well; without a country the best alone."""
    near: list[FoundRule] = []
    if found.quality != "none":
        best = max(one.score for one in (*found.results, *found.unanswered))
        near = [one for one in found.results if one.score >= conf.SECTION_SHARE * best]
        near = near[: conf.SECTIONS_MOST if found.countries else 1]
    distinct: dict[str, FoundRule] = {}
    for rule in (*sure, *near):
        distinct.setdefault(rule.id, rule)
    return tuple(distinct.values())[: conf.SECTIONS_MOST]


def _build_section(rule: FoundRule, countries: Sequence[str], missing: Sequence[str]) -> Section:
    """A rule with a line for each country. A country of which there is nothing at all is said once, at the end; and of
    answers whose vectors were not asked for, only facts are told to differ, never other words."""
    shown = [answer for country, answer in rule.answers.items() if country not in missing]
    difference = difference_between(
        [Said(country=one.country, text=one.text) for one in shown], rule.question
    )
    lines = []
    for answer in shown:
        lines.append(_line_for_answer(answer, difference.marks.get(answer.country, ())))
        if answer.shared:  # below a school's own words, those that everybody reads
            below = _line_for_answer(answer.shared, ())
            lines.append(replace(below, name=SHARED.format(name=below.name), shared=True))
    names = {one.country: name_of(one.country) for one in shown}
    differ = countries and any(pair.reasons for pair in difference.pairs)
    return Section(
        id=rule.id,
        question=rule.question,
        category=rule.category,
        lines=tuple(lines),
        why=explain_difference(difference, names) if differ else "",
    )


def _line_for_answer(answer: CountryAnswer, marks: tuple[tuple[int, int], ...]) -> Line:
    return Line(
        country=answer.country,
        name=OWN.format(name=name_of(answer.country)) if answer.own else name_of(answer.country),
        text=POINTS.format(said=answer.text) if answer.standing == "elsewhere" else answer.text,
        links=answer.links,
        missing=answer.missing,
        points=answer.standing == "elsewhere",
        marks=marks,
    )


def _citations_for(
    sections: Sequence[Section], rules: Sequence[FoundRule | ComparedRule]
) -> tuple[RuleCitation, ...]:
    """One for each line that says something, under its number."""
    found = []
    for section, rule in zip(sections, rules, strict=True):
        for line in section.lines:
            answer = rule.answers[line.country]
            cited = answer.shared if line.shared and answer.shared else answer
            found += [
                RuleCitation(
                    n=n,
                    country=cited.country,
                    name=name_of(cited.country),
                    question=rule.question,
                    category=rule.category,
                    quote=cited.text,
                    links=cited.links,
                    date_checked=cited.date_checked.isoformat() if cited.date_checked else None,
                    answer_id=cited.id,
                    url=answer_url(cited.id),
                )
                for n in line.citations
            ]
    return tuple(found)


def _unanswered_questions(found: RulesFound) -> dict[str, tuple[str, ...]]:
    """What fits better than all that has an answer, with those of the countries that are in the data."""
    known = tuple(country for country in found.countries if country not in found.missing_countries)
    return {one.question: known for one in found.unanswered[:1]} if known else {}


def _notes_for(asked: RulesAsked, found: RulesFound, telling: Sequence[FoundRule]) -> Notes:
    unanswered = {
        question: [name_of(one) for one in some] for question, some in _unanswered_questions(found).items()
    }
    known = set(found.countries) - set(found.missing_countries)
    nothing = not telling and not unanswered and (bool(known) or not found.countries)
    near = NEXT if unanswered else NEAR if found.quality == "weak" else ""
    facts = airport_facts(asked.message, asked.countries) if asked.path == "both" else ""
    return Notes(
        opening=NO_FIT if nothing else near if telling else "",
        missing_countries=tuple(map(name_of, found.missing_countries)),
        unanswered=unanswered,
        # what stands in the place of an answer that is said to be missing, and leads elsewhere
        pointers=tuple(
            _line_for_answer(answer, ()).in_words()
            for one in found.unanswered[:1]
            for answer in one.answers.values()
            if answer.standing == "elsewhere"
        ),
        closing=facts,
        cannot=asked.path == "both" and not facts,
    )


# --- in a model's words -----------------------------------------------------------------------------------------


def _word_by_model(
    question: str, citations: Sequence[RuleCitation], asked: RulesAsked, chat: ChatModel | None
) -> Worded:
    """Nothing without a model, and without a country: a list of all of them is read as it stands."""
    try:
        chosen = chat or chat_model(ROLE)
    except ModelError:
        return Worded()
    if not chosen.external or not citations or not asked.countries:
        return Worded()
    rules = [
        Rule(n=one.n, country=one.country, question=one.question, text=one.quote, links=one.links)
        for one in citations
        if not says_nothing(one.quote)
    ]
    now = generations_of(asked.tenant)
    notes = notes_for(ROLE, tenant=asked.tenant, area="", generations=now)
    return word_rules(question, rules, asked.countries, chosen, embedding_model(), notes)


def _use_model_words(sections: Sequence[Section], statements: Sequence[Statement]) -> tuple[Section, ...]:
    """Each statement in the line of the first rule that it rests on. A line that no statement rests on keeps the
    country's own words: a model leaves nothing out that was found."""
    found = []
    for section in sections:
        lines = []
        for line in section.lines:
            here = [one for one in statements if one.rules[0] in line.citations]
            numbers = tuple(dict.fromkeys(n for one in here for n in one.rules))
            text = " ".join(one.text for one in here)
            lines.append(replace(line, text=text, citations=numbers, marks=()) if here else line)
        found.append(replace(section, lines=tuple(lines)))
    return tuple(found)


# --- without a matter -------------------------------------------------------------------------------------------


def _answer_by_comparison(asked: RulesAsked, question: str, known: KnownFilters) -> RulesAnswered:
    """Countries side by side, on nothing in particular: their widest differences."""
    words = {word.lower().strip(".,?!") for word in question.split()}
    category = next((one for one in known.categories if one.lower() in words), "")
    compared = compare_rules(
        RulesComparison(
            countries=asked.countries,
            category=asked.category or category,
            tags=asked.tags,
            tenant=asked.tenant,
        )
    )
    shown = compared.differences[: conf.OVERVIEW_MOST]
    sections = number_lines(
        Section(
            id=one.id,
            question=one.question,
            category=one.category,
            lines=tuple(
                _line_for_answer(answer, one.marks.get(country, ()))
                for country, answer in one.answers.items()
                if country not in compared.missing_countries
            ),
            why=one.why,
        )
        for one in shown
    )
    return RulesAnswered(
        path=asked.path,
        question=question,
        countries=asked.countries,
        answer=answer_text(sections, _comparison_notes(asked, compared, len(shown))),
        sections=sections,
        citations=_citations_for(sections, shown),
        missing_countries=compared.missing_countries,
        quality="strong" if shown else "none",
        degraded=compared.degraded,
        compared=compared,
    )


def _comparison_notes(asked: RulesAsked, compared: RulesCompared, shown: int) -> Notes:
    names = ", ".join(map(name_of, compared.countries))
    opening = (
        f"The widest differences between {names}:" if shown else f"No difference was found between {names}."
    )
    counted = (
        f"{compared.compared} questions are answered by two or more of them, {compared.alike} of them alike."
    )
    missing = len([gap for gap in compared.missing if gap.country not in compared.missing_countries])
    return Notes(
        opening=opening,
        missing_countries=tuple(map(name_of, compared.missing_countries)),
        cannot=asked.path == "both",
        closing=f"{counted} {missing} answers are missing." if missing else counted,
    )


def _answer_with_overview(asked: RulesAsked, question: str, known: KnownFilters) -> RulesAnswered:
    """Nothing in particular was asked: what could be."""
    missing = tuple(country for country in asked.countries if country not in known.countries)
    there = [name_of(country) for country in asked.countries if country in known.countries]
    of = f" of {', '.join(there)}" if there else ""
    opening = (
        f"Say what you want to know{of}. There are rules on: {', '.join(known.categories)}; for example "
        f"{', '.join(known.tags)}."
    )
    notes = Notes(
        opening=opening, missing_countries=tuple(map(name_of, missing)), cannot=asked.path == "both"
    )
    return RulesAnswered(
        path=asked.path,
        question=question,
        countries=asked.countries,
        answer=answer_text((), notes),
        missing_countries=missing,
    )
