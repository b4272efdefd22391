"""Say why answers differ, without adding anything that the answers do not say. Pure.

Only an answer that is a plain yes or no, or the name of a position, is given that name; any other is quoted. If no
difference is recognized, the reason is "worded differently", without a claim that the answers agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from knowledge.text.quantities import Quantity
from rules import conf
from rules.answers.answer_format import listed_names, shorten_text
from rules.statements.differences import (
    LABELS,
    Difference,
    Facts,
    kind_of,
    same_amounts,
    same_words,
    told_amounts,
)
from rules.statements.figures import SIGNS

_POSITIONS = {"forbidden": "not permitted"}


def explain_difference(difference: Difference, names: Mapping[str, str] | None = None) -> str:
    """Why the answers differ, in sentences that add nothing to them. `names` are the countries' names."""
    called = names or {}
    facts = difference.facts
    sides = []  # each with its own words: “at least 1 hour” and “at most 1 hour” are one figure
    for pair in difference.pairs:
        for reason in pair.reasons:
            if reason.kind == "side":
                ours, theirs = reason.said.split(" / ", 1)
                one, other = (called.get(country, country) for country in pair.countries)
                sides.append(f"{ours} in {one}; {theirs} in {other}.")
    told = [
        *_told_positions(difference, called),
        *_told_figures(difference, called),
        *sides[: conf.SIDES_TOLD],
    ]
    if "condition" in _kinds_of_reasons(difference):
        told += [
            f"{_name_countries([fact.country], called)} adds “{shorten_text(fact.condition, conf.QUOTE_SHOWN)}”."
            for fact in facts.values()
            if fact.condition and fact.position != "open"
        ]
    if told:
        return " ".join(told)
    pairs = ([facts[country].text for country in pair.countries] for pair in difference.pairs)
    return "The same words." if all(same_words(*texts) for texts in pairs) else "Worded differently."


def _kinds_of_reasons(difference: Difference) -> dict[str, float]:
    kinds: dict[str, float] = {}
    for pair in difference.pairs:
        for reason in pair.reasons:
            kinds[reason.kind] = max(reason.weight, kinds.get(reason.kind, 0.0))
    return kinds


def _name_countries(countries: Iterable[str], names: Mapping[str, str]) -> str:
    return listed_names([names.get(country, country) for country in countries])


def _told_positions(difference: Difference, names: Mapping[str, str]) -> list[str]:
    kinds = _kinds_of_reasons(difference)
    groups: dict[str, list[str]] = {}
    for one in difference.facts.values():
        if one.standing == "stated" and one.position != "open":
            own_words = f"“{shorten_text(one.text, conf.QUOTE_SHOWN).rstrip(' .')}”"
            said = _POSITIONS.get(one.position, one.position) if one.plain else own_words
            groups.setdefault(said, []).append(one.country)
    told = []
    if "position" in kinds:
        parts = [
            f"{position} in {_name_countries(countries, names)}" for position, countries in groups.items()
        ]
        told.append(f"{_with_capital('; '.join(parts))}.")
    nowhere = [one for one in difference.facts.values() if one.standing == "not applicable"]
    if "does not apply" in kinds and nowhere:
        told.append(f"Said not to apply in {_name_countries((one.country for one in nowhere), names)}.")
    return told


_TOLD_OTHERWISE = ("position", "does not apply", "condition", "side")


def _told_figures(difference: Difference, names: Mapping[str, str]) -> list[str]:
    told = []
    for kind in _kinds_of_reasons(difference):
        if kind in _TOLD_OTHERWISE:
            continue
        giving = [one for one in difference.facts.values() if _figures_told(one, kind)]
        groups = _of_one_figure(giving, kind)
        if len(groups) == 1:
            alone = "only " if _others_silent(difference, giving, kind) else ""
            countries = _name_countries((one.country for one in giving), names)
            told.append(
                f"{_with_capital(kind)} given {alone}by {countries}: {_figures_told(giving[0], kind)}."
            )
            continue
        parts = [
            f"{_figures_told(some[0], kind)} in {_name_countries((one.country for one in some), names)}"
            for some in groups
        ]
        told.append(f"{_with_capital(kind)}: {'; '.join(parts)}.")
    return told


def _of_one_figure(giving: Iterable[Facts], kind: str) -> list[list[Facts]]:
    """Answers that give one figure together, however they write it."""
    label = _label_of(kind)
    groups: list[tuple[set[str], list[Quantity], list[Facts]]] = []
    for one in giving:
        values = {each.value for each in one.figures.labels if each.kind == label}
        amounts = [each for each in one.figures.amounts if kind_of(each) == kind]
        for known, given, some in groups:
            if known == values if label else same_amounts(given, amounts):
                some.append(one)
                break
        else:
            groups.append((values, amounts, [one]))
    return [some for _, _, some in groups]


def _others_silent(difference: Difference, giving: Iterable[Facts], kind: str) -> bool:
    """Whether the other answers surely give none: no sign of one is left that was not read as something else."""
    given = {one.country for one in giving}
    sign = SIGNS[_label_of(kind) or "number"]
    compared = {country for pair in difference.pairs for country in pair.countries}
    for one in (difference.facts[country] for country in compared - given):
        text = one.text
        spans = [amount.span for amount in one.figures.amounts] + [label.span for label in one.figures.labels]
        for start, end in spans:
            text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
        if sign.is_in(text):
            return False
    return True


def _label_of(kind: str) -> str:
    return next((label for label, name in LABELS.items() if name == kind), "")


def _figures_told(one: Facts, kind: str) -> str:
    label = _label_of(kind)
    if label == "mode":
        spans = dict.fromkeys(each.span for each in one.figures.labels if each.kind == label)
        modes = (" ".join(one.text[start:end].split()) for start, end in spans)
        return ", ".join(dict.fromkeys(mode[:1].lower() + mode[1:] for mode in modes))
    if label:
        return "+".join(dict.fromkeys(each.value for each in one.figures.labels if each.kind == label))
    return told_amounts([amount for amount in one.figures.amounts if kind_of(amount) == kind])


def _with_capital(text: str) -> str:
    return text[:1].upper() + text[1:]
