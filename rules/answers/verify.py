"""Check a model's statements about a country against the rules it cites; list what they do not support. Pure.

Rules are often one word, so a statement is compared with question and answer together. Figures must occur there, yes
must stay yes, words and links must come from there, and no other country may be mentioned.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from knowledge.grounding.fact_check import compare_facts
from knowledge.text.modality import clauses_of, is_negative
from knowledge.text.tokens import content_words, share_covered
from rules import conf
from rules.countries import mentions_in, name_of
from rules.statements.entailment import what_is_turned
from rules.statements.figures import CODE, figures_in
from rules.statements.stance import Position, lead_of, opposition, position_of

_FIGURES: Final = frozenset({"number", "unit", "datum", "comparator", "direction", "condition", "opposite"})
_ADDRESS: Final = re.compile(r"(?:https?://|www\.)[^\s)\]>]+")
_SEE: Final = re.compile(rf",?\s*(?:see\s+)?{_ADDRESS.pattern}", re.IGNORECASE)
_AFFIRMING: Final[frozenset[Position]] = frozenset({"yes", "required", "permitted"})
_DENYING: Final[frozenset[Position]] = frozenset({"no", "not required", "forbidden"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One country's answer, as a numbered source."""

    n: int
    country: str
    question: str
    text: str
    links: tuple[str, ...] = ()

    @property
    def whole(self) -> str:
        return f"{self.question} {self.text}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A statement about one country, based on these rules."""

    country: str
    text: str
    rules: tuple[int, ...]


def faults_of(statement: Statement, rules: Mapping[int, Rule], countries: Collection[str]) -> tuple[str, ...]:
    """What is wrong with a statement, in sentences for its author; empty if it may be shown."""
    if statement.country not in countries:
        return (f"Nobody asked about {statement.country}.",)
    unknown = [n for n in statement.rules if n not in rules]
    if unknown or not statement.rules:
        return (f"There is no rule {unknown[0]}." if unknown else "A statement names no rule.",)
    cited = [rules[n] for n in statement.rules]
    foreign = [rule for rule in cited if rule.country != statement.country]
    if foreign:
        return (f"Rule {foreign[0].n} is of {foreign[0].country}, not of {statement.country}.",)
    return tuple(
        fault
        for fault in (
            _wrong_place(statement, cited),
            _wrong_figure(statement, cited),
            _wrong_clause(statement, cited),
            _wrong_link(statement, cited),
            _wrong_words(statement, cited),
        )
        if fault
    )


def _wrong_place(statement: Statement, cited: Sequence[Rule]) -> str:
    """A country that neither the statement is about nor the rules speak of."""
    known = {statement.country}
    for rule in cited:
        known |= {code for place in mentions_in(rule.whole) for code in place.countries}
    for place in mentions_in(statement.text):
        if not set(place.countries) & known:
            return f"“{statement.text[place.start : place.end]}” is not in the rules."
    return ""


def _wrong_figure(statement: Statement, cited: Sequence[Rule]) -> str:
    """Amounts may be written otherwise; codes, modes and times are the same or they are wrong."""
    source = "\n".join(rule.whole for rule in cited)
    facts = compare_facts(statement.text, source)
    wrong = [str(one) for one in facts.contradictions if one.kind in _FIGURES]
    wrong += [f"“{one.text.strip()}” is not in the rules." for one in facts.extra]
    said, meant = figures_in(statement.text), figures_in(source)
    codes = {one.value for one in meant.amounts if one.unit == CODE}
    foreign = [one.text.strip() for one in said.amounts if one.unit == CODE and one.value not in codes]
    keys = {label.key for label in meant.labels}
    foreign += [label.value for label in said.labels if label.key not in keys]
    wrong += [f"“{sign}” is not in the rules." for sign in foreign]
    return wrong[0] if wrong else ""


def _is_turned(text: str, rule: Rule) -> bool:
    meant = position_of(rule.text, rule.question)
    said = position_of(text, rule.question)
    if said == "open" and meant in _AFFIRMING | _DENYING:
        first = (clauses_of(lead_of(text)) or (text,))[0]
        denies = is_negative(first) != is_negative(rule.question)
        return denies == (meant in _AFFIRMING)
    return opposition(said, meant) >= conf.CONTRARY


def _wrong_clause(statement: Statement, cited: Sequence[Rule]) -> str:
    """Clause by clause, without addresses and without the name of the country that it is all about."""
    own = name_of(statement.country)
    plain = re.sub(rf"\b(?:in|of|for)\s+{re.escape(own)}\b", " ", _SEE.sub(" ", statement.text), flags=re.I)
    fault = what_is_turned(plain, [(rule.question, _ADDRESS.sub(" ", rule.text)) for rule in cited])
    turned = [rule for rule in cited if _is_turned(statement.text, rule)] if fault else []
    if turned and len(turned) == len(cited):  # the other way round than every rule that it rests on says it
        return f"It says the contrary of rule {turned[0].n}: “{turned[0].text[:80]}”."
    return fault


def _wrong_link(statement: Statement, cited: Sequence[Rule]) -> str:
    known = " ".join([*(link for rule in cited for link in rule.links), *(rule.text for rule in cited)])
    wrong = [link for link in _ADDRESS.findall(statement.text) if link.rstrip(".,;") not in known]
    return f"{wrong[0]} is no link of these rules." if wrong else ""


def _wrong_words(statement: Statement, cited: Sequence[Rule]) -> str:
    words = content_words(_ADDRESS.sub(" ", statement.text))
    names = {
        word
        for place in mentions_in(statement.text)
        for word in content_words(statement.text[place.start : place.end])
    }
    said = [word for word in words if word not in names]
    source = content_words(" ".join(rule.whole for rule in cited))
    if said and share_covered(said, source) < conf.STATEMENT_COVERAGE:
        missing = [word for word in dict.fromkeys(said) if word not in source]
        return f"Words that no rule says: {', '.join(missing[:5])}."
    return ""
