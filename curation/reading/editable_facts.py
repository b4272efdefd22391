"""The key facts of a claim as fields of a form: the fields of its domain, and the values that a reviewer may enter.

`curation/offline/key_facts.yaml` lists the fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from curation import conf
from curation.extraction import find_fact_fault
from curation.models import Claim
from curation.offline.key_facts import read_fields
from curation.offline.priority import known_domains
from curation.selectors import WrongDecision, quotes_of
from knowledge.conf import ORALS, UNBOUND
from knowledge.grounding.applicability import names_of_kinds
from knowledge.standards.certificate_data import DATA

PREFIX = "fact_"  # of the names of the form's fields
BY_HAND = "by_hand"  # the key fact that names those a reviewer wrote: a new wording does not replace them

KNOWN: Final[Mapping[str, Callable[[], Iterable[str]]]] = {
    "domain": known_domains,
    ORALS: lambda: DATA.bound_kinds,
    "certificate": lambda: names_of_kinds("certificate"),
    "aircraft_class": lambda: names_of_kinds("category", "class", "kind"),
}
"""The values of fields whose choices are listed elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactField:
    """A field of the form. `shown` is its value as text, a list with one entry a line; `choices` are (value, name)."""

    name: str
    label: str
    kind: str
    help: str = ""
    shown: str = ""
    choices: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        return PREFIX + self.name


def fields_for(claim: Claim, sent: Mapping[str, str] | None = None) -> list[FactField]:
    """The fields of this claim; with what a reviewer `sent` in a form that was refused."""
    domain, fields = claim.key_facts.get("domain", ""), []
    for one in read_fields():
        value = claim.key_facts.get(one["name"])
        if "domains" not in one or domain in one["domains"] or value:
            shown = (sent or {}).get(PREFIX + one["name"], _as_text(value))
            choices = tuple((name, name.replace("_", " ")) for name in _choices_of(one, shown))
            said: dict[str, Any] = {name: one.get(name, "") for name in ("name", "label", "kind", "help")}
            if one["kind"] == "list":
                said["help"] = f"one on each line{': ' if choices else ''}{', '.join(dict(choices).values())}"
            fields.append(FactField(**said, shown=shown, choices=choices))
    return fields


def changed_facts(claim: Claim, sent: Mapping[str, str]) -> dict[str, Any]:
    """The facts that the form changes, as they are kept. What was left as shown is not among them. Raises
    WrongDecision."""
    changed: dict[str, Any] = {}
    for one in read_fields():
        text = sent.get(PREFIX + one["name"])
        shown = _as_text(claim.key_facts.get(one["name"]))
        if text is None or text.split() == shown.split():
            continue
        changed[one["name"]] = _read_value(one, " ".join(text.split()) if one["kind"] != "list" else text)
        if one.get("checked"):
            _check_numbers(one["label"], text, claim)
    return changed | _who_is_bound(claim, changed)


def _who_is_bound(claim: Claim, changed: Mapping[str, Any]) -> dict[str, Any]:
    """Orals, and why there are none, say the same twice: what the form changes in one follows in the other."""
    if not {ORALS, UNBOUND} & changed.keys():
        return {}
    orals, why = (changed.get(name, claim.key_facts.get(name)) for name in (ORALS, UNBOUND))
    if ORALS not in changed:
        orals = [] if why else list(DATA.bound_kinds)
    elif UNBOUND not in changed and orals:
        why = ""
    if bool(orals) == bool(why):
        raise WrongDecision(
            "Name the orals in which it binds somebody, or say why it binds nobody in any, not both."
        )
    return {ORALS: orals, UNBOUND: why or ""}


def _as_text(value: Any) -> str:
    return "\n".join(str(one) for one in value) if isinstance(value, list) else str(value or "")


def _choices_of(one: Mapping[str, Any], shown: str) -> list[str]:
    known = list(KNOWN[one["name"]]() if one["name"] in KNOWN else one.get("choices", ()))
    return [*([shown] if one["kind"] == "choice" and shown and shown not in known else []), *known]


def _read_value(one: Mapping[str, Any], text: str) -> Any:
    label, kind = one["label"], one["kind"]
    if len(text) > conf.FACT_LENGTH:
        raise WrongDecision(f"{label.capitalize()}: longer than {conf.FACT_LENGTH} characters.")
    lines = [line for line in (" ".join(line.split()) for line in text.splitlines()) if line]
    known = _choices_of(one, "")
    if known and any(line not in known for line in lines):
        raise WrongDecision(
            f"{label.capitalize()}: choose {'one of' if kind == 'choice' else 'from'} {', '.join(known)}."
        )
    if kind == "list":
        return lines
    if kind == "letters":
        letters = text.upper().replace(",", " ").split()
        if any(letter not in tuple("ABCDEG") for letter in letters):
            raise WrongDecision(f"{label.capitalize()}: A, B, C, D, E or G, with spaces between them.")
        return letters[0] if len(letters) == 1 else letters
    try:
        if kind == "date" and text:
            return date.fromisoformat(text).isoformat()
        if kind == "number" and text:
            number = float(text)
            return int(number) if number == int(number) else number
    except (ValueError, OverflowError) as error:
        wanted = "a date such as 2026-11-30" if kind == "date" else "a number such as 3 or 0.5"
        raise WrongDecision(f"{label.capitalize()}: write {wanted}.") from error
    return text


def _check_numbers(label: str, text: str, claim: Claim) -> None:
    """Each line on its own, so that a number of one is not read as the limit of another."""
    for line in filter(str.strip, text.splitlines()):
        if fault := find_fact_fault(line, *quotes_of(claim)):
            raise WrongDecision(
                f"{label.capitalize()}: “{line.strip()}” does not agree with the quote. {fault}"
            )
