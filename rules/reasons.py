"""A difference becomes the sentences that say why answers differ, and nothing that they do not say. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules import conf
from rules.differences import LABELS, Difference, Facts, kind_of, told_amounts

_POSITIONS = {"forbidden": "not permitted", "depends": "it depends"}


def why(difference: Difference, names: Mapping[str, str] | None = None) -> str:
    """Why the answers differ, in sentences that say nothing the answers do not. `names` are the countries'."""
    called = names or {}
    told = [*_told_positions(difference, called), *_told_figures(difference, called)]
    told += [*_told_sides(difference, called), *_told_limits(difference, called)]
    if told:
        return " ".join(told)
    widest = difference.pairs[0].distance if difference.pairs else 0.0
    return f"Said in other words (distance of meaning {widest:.2f}); no yes or no, figure or limit differs."


def _kinds(difference: Difference) -> dict[str, float]:
    kinds: dict[str, float] = {}
    for pair in difference.pairs:
        for reason in pair.reasons:
            kinds[reason.kind] = max(reason.weight, kinds.get(reason.kind, 0.0))
    return kinds


def _named(countries: Iterable[str], names: Mapping[str, str]) -> str:
    every = [names.get(country, country) for country in countries]
    return every[0] if len(every) == 1 else f"{', '.join(every[:-1])} and {every[-1]}"


def _told_positions(difference: Difference, names: Mapping[str, str]) -> list[str]:
    kinds = _kinds(difference)
    groups: dict[str, list[str]] = {}
    for one in difference.facts.values():
        if one.standing == "stated" and one.position != "open":
            groups.setdefault(_POSITIONS.get(one.position, one.position), []).append(one.country)
    told = []
    if "position" in kinds:
        parts = [f"{position} in {_named(countries, names)}" for position, countries in groups.items()]
        told.append(_sentence("; ".join(parts)))
    nowhere = [one for one in difference.facts.values() if one.standing == "not applicable"]
    if "does not apply" in kinds and nowhere:
        told.append(f"Said not to apply in {_named((one.country for one in nowhere), names)}.")
    return told


_TOLD_OTHERWISE = ("position", "does not apply", "condition", "side")


def _told_figures(difference: Difference, names: Mapping[str, str]) -> list[str]:
    told = []
    for kind in _kinds(difference):
        if kind in _TOLD_OTHERWISE:
            continue
        groups: dict[str, list[str]] = {}
        for one in difference.facts.values():
            if said := _figures_told(one, kind):
                groups.setdefault(said, []).append(one.country)
        if len(groups) == 1:
            said, countries = next(iter(groups.items()))
            told.append(f"{_capital(kind)} given only by {_named(countries, names)}: {said}.")
            continue
        parts = [f"{said} in {_named(countries, names)}" for said, countries in groups.items()]
        told.append(f"{_capital(kind)}: {'; '.join(parts)}.")
    return told


def _figures_told(one: Facts, kind: str) -> str:
    label = next((label for label, name in LABELS.items() if name == kind), "")
    if label:
        values = dict.fromkeys(each.value for each in one.figures.labels if each.kind == label)
        return ("mode " if label == "mode" and values else "") + "+".join(values)
    return told_amounts([amount for amount in one.figures.amounts if kind_of(amount) == kind])


def _told_sides(difference: Difference, names: Mapping[str, str]) -> list[str]:
    """Each side with its own words: “at least 1 hour” and “at most 1 hour” are one figure."""
    told = []
    for pair in difference.pairs:
        for reason in pair.reasons:
            if reason.kind == "side":
                ours, theirs = reason.said.split(" / ", 1)
                one, other = (names.get(country, country) for country in pair.countries)
                told.append(f"{ours} in {one}; {theirs} in {other}.")
    return told[: conf.SIDES_TOLD]


def _told_limits(difference: Difference, names: Mapping[str, str]) -> list[str]:
    if "condition" not in _kinds(difference):
        return []
    limits = [one for one in difference.facts.values() if one.condition and one.position != "open"]
    return [f"{_named([one.country], names)} adds “{_short(one.condition)}”." for one in limits]


def _short(text: str) -> str:
    plain = " ".join(text.split())
    if len(plain) <= conf.LIMIT_SHOWN:
        return plain
    return plain[: conf.LIMIT_SHOWN].rsplit(" ", 1)[0] + " …"


def _sentence(text: str) -> str:
    return f"{_capital(text)}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
