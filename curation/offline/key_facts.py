"""A claim's sentence becomes its key facts: domain, conditions, numbers, exceptions, reference, date. Pure.

Everything is read from the words themselves, whoever wrote the sentence; a model's own key facts are never
taken.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from curation.offline.definitions import term_of
from curation.offline.priority import domain_of
from curation.offline.references import without_context
from curation.values import Material
from knowledge.grounding.applicability import applicability_of, subpart_in
from knowledge.text.conditions import Conditions, conditions_in
from knowledge.text.modality import modality_of
from knowledge.text.quantities import Quantity, format_quantity, quantities_in

UNBOUND = "unbound"  # the key fact that says why a claim binds nobody in the private single-engine oral
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_DATE = re.compile(
    (
        rf"\b(?:after|on or after|beginning|effective|from) (?P<month>{'|'.join(_MONTHS)}) "
        rf"(?P<day>\d{{1,2}}), (?P<year>\d{{4}})"
    ),
    re.I,
)


def key_facts_of(
    statement: str,
    material: Material,
    path: str = "",
    quotes: Sequence[str] = (),
    headings: Sequence[str] = (),
) -> dict[str, Any]:
    """The key facts of seed 002, with what was asked for since: numbers, conditions, modality, exceptions, and who is
    bound. `headings` are the run-in headings above the statement."""
    conditions = conditions_in(statement)
    quantities = quantities_in(statement)
    found: dict[str, Any] = {
        "domain": domain_of(statement, material),
        "cfr_reference": reference_of(material, path),
        "modality": modality_of(statement) or "",
        "subject": _subject(statement),
        "term": term_of(statement),
        "numbers": [format_quantity(quantity) for quantity in quantities],
        "conditions": list(conditions.words()),
        "exceptions": _exceptions(statement, conditions),
        "effective_date": _effective_date(statement) or material.edition_date,
        "quotes": list(quotes),
    }
    return (
        found
        | _who_is_bound(statement, material, headings)
        | _airspace_facts(conditions)
        | (_minimums(statement, quantities) if found["domain"] == "weather_minimums" else {})
    )


def reference_of(material: Material, path: str) -> str:
    """How a pilot cites it: "14 CFR 91.155(b)(2)", "AIM 3-2-6", or the document's own label."""
    if material.doc_type == "cfr" and material.section:
        if not material.section[0].isdigit():  # an appendix, or a special regulation
            return f"{material.document or '14 CFR'} {material.section}{path}"
        return f"14 CFR {material.section}{path}"
    if material.doc_type == "aim" and material.section:
        return f"AIM {material.section}"
    return material.label or " ".join(part for part in (material.document, material.section) if part)


def _who_is_bound(statement: str, material: Material, headings: Sequence[str]) -> dict[str, Any]:
    """The certificates, aircraft and operations that the rule speaks of; `unbound` where the oral has none of them."""
    sentence, _ = without_context(statement)
    subpart = subpart_in(material.section_path)
    bound = applicability_of(
        "" if term_of(statement) else sentence,
        headings=(material.heading, *headings),
        section=material.section,
        section_text=material.whole if material.doc_type == "cfr" else "",
        subpart=material.applicability,
        subpart_title=subpart,
    )
    certificates, aircraft = bound.names("certificate"), bound.names("category", "class", "kind")
    return {
        "applies_to": list(bound.names()),
        "certificate": certificates[0] if len(certificates) == 1 else "",
        "aircraft_class": aircraft[0] if len(aircraft) == 1 else "",
    } | ({UNBOUND: bound.unbound} if bound.unbound else {})


def _subject(statement: str) -> str:
    """Who or what the rule is about: the words before its verb, without the opening clauses."""
    head = re.sub(
        r"^(?:(?:except|unless|when|if|while|for|in|on|during|after|before|notwithstanding)\b[^,]*, )+",
        "",
        without_context(statement)[0],
        flags=re.I,
    )
    match = re.search(r"\b(?:must|shall|may|should|is|are|has|have|need|requires?)\b", head)
    return head[: match.start()].strip(" ,")[:200] if match else ""


def _exceptions(statement: str, conditions: Conditions) -> list[str]:
    cited = re.findall(r"except as provided in (§ ?[\d.]+(?:\([a-z0-9]+\))*)", statement, re.I)
    said = [
        words
        for words in conditions.exceptions
        if not re.match(r"unless (?!otherwise|authorized)|provided", words, re.I)
    ]
    return [*said, *(one for one in dict.fromkeys(cited) if not any(one in words for words in said))]


def _effective_date(statement: str) -> str:
    if match := _DATE.search(statement):
        return f"{match['year']}-{_MONTHS.index(match['month'].capitalize()) + 1:02d}-{int(match['day']):02d}"
    return ""


def _airspace_facts(conditions: Conditions) -> dict[str, Any]:
    classes = sorted(letter for letter in conditions.airspace if len(letter) == 1)
    times = sorted(conditions.times)
    facts: dict[str, Any] = {}
    if classes:
        facts["airspace_class"] = classes[0] if len(classes) == 1 else classes
    bands = [band.key for band in conditions.bands if band.low_datum or band.high_datum]
    if bands:
        facts["altitude_band"] = "_".join(bands)
    if len(times) == 1:
        facts["day_night"] = times[0]
    if conditions.aircraft:
        facts["aircraft"] = sorted(conditions.aircraft)
    return facts


def _minimums(statement: str, quantities: Sequence[Quantity]) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    visibility = next(
        (q for q in quantities if q.unit == "sm" and not q.direction and q.comparator in ("=", ">=")), None
    )
    if visibility and "visibility" in statement:
        facts["visibility_sm"] = (
            int(visibility.value) if visibility.value == int(visibility.value) else visibility.value
        )
    sides = [q for q in quantities if q.direction]
    if "clear of clouds" in statement.lower():
        facts["cloud_clearance"] = "clear_of_clouds"
    elif len(sides) == 3:
        facts["cloud_clearance"] = "_".join(f"{_said(q)}_{q.direction}" for q in sides)
    if "other than helicopters" in statement.lower():
        facts["aircraft"] = ["aircraft other than helicopters"]
    return facts


def _said(quantity: Quantity) -> str:
    unit = "" if quantity.unit == "ft" else f"_{quantity.unit}"
    return f"{quantity.value:.0f}{unit}"
