"""A difference becomes the sentences that say why answers differ, and nothing that they do not say. Pure.

Only an answer that is a plain yes or no, or the name of a position, is told by that name; any other is quoted. What
differs in no way that was recognised is "worded differently": nothing is said of what such answers have in common.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from rules import conf
from rules.statements.differences import (
    LABELS,
    Difference,
    Facts,
    kind_of,
    same_amounts,
    same_words,
    told_amounts,
)

_POSITIONS = {"forbidden": "not permitted"}


def why(difference: Difference, names: Mapping[str, str] | None = None) -> str:
    """Why the answers differ, in sentences that say nothing the answers do not. `names` are the countries'."""
    called = names or {}
    told = [*_told_positions(difference, called), *_told_figures(difference, called)]
    told += [*_told_sides(difference, called), *_told_limits(difference, called)]
    if told:
        return " ".join(told)
    return "Worded differently." if _worded_differently(difference) else "The same words."


def _worded_differently(difference: Difference) -> bool:
    facts = difference.facts
    return any(
        not same_words(*(facts[country].text for country in pair.countries)) for pair in difference.pairs
    )


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
            groups.setdefault(_position_told(one), []).append(one.country)
    told = []
    if "position" in kinds:
        parts = [f"{position} in {_named(countries, names)}" for position, countries in groups.items()]
        told.append(_sentence("; ".join(parts)))
    nowhere = [one for one in difference.facts.values() if one.standing == "not applicable"]
    if "does not apply" in kinds and nowhere:
        told.append(f"Said not to apply in {_named((one.country for one in nowhere), names)}.")
    return told


def _position_told(one: Facts) -> str:
    """Its name, or its own words."""
    if one.plain:
        return _POSITIONS.get(one.position, one.position)
    return f"“{_short(one.text, conf.QUOTE_SHOWN).rstrip(' .')}”"


_TOLD_OTHERWISE = ("position", "does not apply", "condition", "side")


def _told_figures(difference: Difference, names: Mapping[str, str]) -> list[str]:
    told = []
    for kind in _kinds(difference):
        if kind in _TOLD_OTHERWISE:
            continue
        giving = [one for one in difference.facts.values() if _figures_told(one, kind)]
        groups = _of_one_figure(giving, kind)
        if len(groups) == 1:
            alone = "only " if _others_silent(difference, giving, kind) else ""
            countries = _named((one.country for one in giving), names)
            told.append(f"{_capital(kind)} given {alone}by {countries}: {_figures_told(giving[0], kind)}.")
            continue
        parts = [
            f"{_figures_told(some[0], kind)} in {_named((one.country for one in some), names)}"
            for some in groups
        ]
        told.append(f"{_capital(kind)}: {'; '.join(parts)}.")
    return told


def _of_one_figure(giving: Iterable[Facts], kind: str) -> list[list[Facts]]:
    """Answers that give one figure together, however they write it."""
    groups: list[list[Facts]] = []
    for one in giving:
        alike = next((some for some in groups if _same_figures(some[0], one, kind)), None)
        if alike is None:
            groups.append([one])
        else:
            alike.append(one)
    return groups


def _same_figures(one: Facts, other: Facts, kind: str) -> bool:
    if label := _label_of(kind):
        ours, theirs = (
            {each.value for each in some.figures.labels if each.kind == label} for some in (one, other)
        )
        return ours == theirs
    return same_amounts(
        *([each for each in some.figures.amounts if kind_of(each) == kind] for some in (one, other))
    )


_NUMBERS = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty"
    r"|hundred|thousand|half|quarter|an? (?:hour|minute|day|mile))\b",
    re.IGNORECASE,
)
_SIGNS = {
    "mode": re.compile(r"\bmodes?\b|\bads-?b\b|\bssr\b", re.IGNORECASE),
    "light": re.compile(r"\b(?:day|night|nvfr|sun\w*|dark\w*|s[rs]|h24)\b", re.IGNORECASE),
    "time": re.compile(r"\d|\b(?:sun\w*|s[rs]|noon|midnight|dusk|dawn)\b", re.IGNORECASE),
}


def _others_silent(difference: Difference, giving: Iterable[Facts], kind: str) -> bool:
    """Whether the other answers surely give none: no sign of one is left that was not read as something else."""
    given = {one.country for one in giving}
    sign = _SIGNS.get(_label_of(kind), _NUMBERS)
    compared = {country for pair in difference.pairs for country in pair.countries}
    return not any(sign.search(_unread(difference.facts[country])) for country in compared - given)


def _unread(one: Facts) -> str:
    text = one.text
    spans = [amount.span for amount in one.figures.amounts] + [label.span for label in one.figures.labels]
    for start, end in spans:
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


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
    return [
        f"{_named([one.country], names)} adds “{_short(one.condition, conf.QUOTE_SHOWN)}”." for one in limits
    ]


def _short(text: str, most: int) -> str:
    plain = " ".join(text.split())
    if len(plain) <= most:
        return plain
    return plain[:most].rsplit(" ", 1)[0] + " …"


def _sentence(text: str) -> str:
    return f"{_capital(text)}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
