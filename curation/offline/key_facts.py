"""Reads the key facts of a claim from its sentence: domain, conditions, numbers, exceptions, reference, date. Pure.

A model's own key facts are never used.
"""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Required, TypedDict

from curation.offline.definitions import term_of
from curation.offline.priority import domain_of
from curation.offline.references import split_context
from curation.values import Material
from knowledge.conf import ORALS, UNBOUND
from knowledge.grounding.applicability import applicability_of, scope_of, subpart_in
from knowledge.standards.certificate_data import DATA
from knowledge.text.clauses import Clauses, clauses_in
from knowledge.text.conditions import Conditions, conditions_in
from knowledge.text.numbers import WORDS_BELOW_TWENTY
from knowledge.text.quantities import Comparator, Quantity, cloud_clearance_of, format_quantity, quantities_in
from knowledge.text.units import COUNTED
from knowledge.text.word_tables import read_yaml


def key_facts_of(
    statement: str,
    material: Material,
    path: str = "",
    quotes: Sequence[str] = (),
    headings: Sequence[str] = (),
) -> dict[str, Any]:
    """The key facts of seed 002, with what was asked for since: numbers, conditions, modality, exceptions, and who is
    bound. `headings` are the run-in headings above the statement."""
    sentence, _ = split_context(statement)
    clauses, term = clauses_in(sentence), term_of(statement)
    conditions = _conditions_of(statement, clauses)
    if not conditions.airspace and material.doc_type == "cfr":  # of "Operations in Class D airspace"
        conditions = replace(conditions, airspace=conditions_in(material.heading).airspace)
    numbers = _numbers_in(sentence)
    asked = () if term else clauses.conditions
    found: dict[str, Any] = {
        "domain": domain_of(statement, material),
        "cfr_reference": reference_of(material, path),
        "modality": "" if term else clauses.modality or "",
        "subject": (term or clauses.subject)[:800],
        "term": term,
        "numbers": list(dict.fromkeys([*(words for _, words in numbers), *_ORDINAL.findall(sentence)])),
        "conditions": [*asked, *conditions.words()],
        "exceptions": list(clauses.exceptions),
        "effective_date": _effective_date(statement) or material.edition_date,
        "quotes": list(quotes),
    }
    return (
        found
        | _applicability_facts(statement, material, headings)
        | _airspace_facts(sentence, conditions)
        | (
            _minimums_facts(statement, [one for one, _ in numbers])
            if found["domain"] == "weather_minimums"
            else {}
        )
        | _measured_facts(found["domain"], [one for one, _ in numbers])
    )


class KeyFactRow(TypedDict, total=False):
    """A row of `key_facts.yaml`; what its keys mean stands there."""

    name: Required[str]
    label: Required[str]
    kind: Required[str]
    help: str
    choices: list[str]
    domains: list[str]
    checked: bool
    quantity: dict[str, Any]


@cache
def read_fields() -> tuple[KeyFactRow, ...]:
    """The key facts that a reviewer may edit, as `key_facts.yaml` describes them."""
    return tuple(read_yaml(Path(__file__).with_name("key_facts.yaml")))


def _measured_facts(domain: str, quantities: Sequence[Quantity]) -> dict[str, float]:
    """The amounts that are facts of this domain, each where it is stated in one way."""
    facts: dict[str, float] = {}
    for field in read_fields():
        wanted = field.get("quantity")
        if wanted and domain in field["domains"]:
            values = {
                one.value
                for one in quantities
                if one.unit in wanted["units"]
                and one.comparator in wanted["compare"].split()
                and one.high is None
                and one.datum == wanted.get("datum", one.datum)
                and wanted.get("with", "") in one.text.lower()
            }
            if len(values) == 1:
                (value,) = values
                facts[field["name"]] = int(value) if value == int(value) else value
    return facts


def _conditions_of(statement: str, clauses: Clauses) -> Conditions:
    """The conditions that have names: time of day, airspace, flight rules, towers, passengers and altitudes. What a
    rule excepts, quotes or holds regardless of is none, nor is a VFR flight plan, nor what it says of a part: "and, for
    night flight, …"."""
    for words in clauses.exceptions:
        statement = re.sub(re.escape(words), " ", statement, flags=re.I)
    statement = re.sub(r"\bat and (above|below)\b", r"at or \1", statement)
    statement = re.sub(
        r"“[^”]*”|\b(?:outside|regardless) [^,;.()]*|\b(?:VFR|IFR)(?: flight)? (?:plans?|navigation|charts?)\b"
        r"|\bClass [A-G]\d? (?:equipment|operations?)\b|\b(?:VFR|IFR)-[a-z]+\b"
        r"|\b(?:actual|simulated) (?:or simulated )?instrument conditions\b|\bminimums? prescribed for (?:VFR|IFR)\b",
        " ",
        statement,
    )
    found = conditions_in(statement)
    of_parts = (
        r"\b(?:and|or),? (?:for|at|during|by) [^,;]*,|\bday and night\b"
        r"|\bnight (?:vision|flying|flight (?:training|time)|cross-country)\b"
    )
    no_height = r"\bceilings? (?:[a-z]+ ){1,5}[\d,]+ feet\b|\bradius of [\d,]+ feet\b"
    return replace(
        found,
        times=conditions_in(re.sub(of_parts, " ", statement)).times,
        bands=()
        if "whichever" in statement
        else tuple(dict.fromkeys(conditions_in(re.sub(no_height, " ", statement)).bands)),
        carrying_passengers=found.carrying_passengers
        and not re.search(  # where carrying is what the rule is about, it is no condition
            r"\b(?:not|no|without|may|must|shall) carry|\bcarry[a-z]* [a-z ]*passengers? or property\b",
            statement,
        ),
        persons=frozenset(),
        aircraft=frozenset(),
    )


def _numbers_in(sentence: str) -> list[tuple[Quantity, str]]:
    """The quantities with their words. A list shares its comparator ("at least three takeoffs and three landings"), and
    a number without a unit is followed by what it counts ("two or more pilots")."""
    # A section is no number, nor is "3 hours" behind it one of a list of sections; "Stage 2" is a name.
    said = re.sub(
        r"§+ ?\d+\.\d+[a-z]?(?: ?\([A-Za-z0-9]+\))*|\b(?:Stage|Level|Table|Figure|Item) \d+\b"
        r"|\b\d{1,3}°\d{1,2}′(?:\d{1,2}″)?(?: ?[NSEW]\b)?"
        r"|\b14 CFR\b(?:,? (?:and |or |[Pp]arts? )?\d+(?:\.\d+)?)*"
        r"|(?i:\b(?:one|two)[ -]engine[ -]inoperative\b|\bone-time\b)",
        lambda cited: "x" * len(cited.group()),
        re.sub(r"\bat and (above|below)\b", r"at or \1", sentence),
    )
    found: list[tuple[Quantity, str]] = []
    amounts, nouns = _amounts_with_counts(said)
    for one in amounts:
        after = said[one.span[1] :]
        is_clock = re.match(r" ?[ap]\.?m\b", after) and not one.unit
        is_ordinal = one.value < 1 and re.search(r"\b(?:third|fourth|fifth|sixth)\b", one.text.lower())
        is_state = one.text.lower().startswith("within") and not one.unit  # "within the 50 States"
        is_code = re.fullmatch(r"\d{5}", one.text)  # of an address
        is_zero = one.value == 0 and one.text.lower().startswith("zero")
        if is_code or is_clock or is_ordinal or is_state or is_zero:
            continue
        noun = nouns.get(one.span, "")
        one = _with_comparator_of_list(one, said, [other for other, _ in found], is_counted=bool(noun))
        counted = None if one.unit or one.direction else _COUNTED.match(after)
        if not noun and counted and not re.match(r" (?:of|to|in|this|through)\b", counted.group()):
            noun = counted.group()
        if not one.unit and not one.direction and one.datum is None and one.comparator == "=" and not noun:
            continue  # "part 91, 125, or 135"
        ratio = re.match(r":\d+\b", after)
        words = format_quantity(one) + (ratio.group() if ratio else noun)
        if one.unit and one.text.endswith(f" {one.unit}") and not one.direction:
            thing = _COUNTED.match(after) if one.value > 1 else re.match(_SINGLE, after)
            if thing and (one.value > 1 or one.unit in COUNTED):
                # "two pilot stations" are no pilots, nor is "one flight check" a flight
                words = words.rpartition(" ")[0] + f" {one.unit}{thing.group()}"
        if one.unit in ("takeoff", "landing") and (both := re.match(r" and [a-z]+s\b", after)):
            words += both.group()  # "three takeoffs and landings" are three of each
        found.append((one, words))
    return found


def _amounts_with_counts(said: str) -> tuple[list[Quantity], dict[tuple[int, int], str]]:
    """The quantities, with those that count something in words ("three hovering tasks"), and what these count. "At
    least one 2-hour flight" is one thing."""
    amounts, nouns = list(quantities_in(said)), {}
    for count in _COUNT.finditer(said):
        start, noun_at = count.start(), count.start("noun")
        value = WORDS_BELOW_TWENTY.index(count["number"].lower())
        is_known = any(other.span[0] <= noun_at and start < other.span[1] for other in amounts)
        if is_known or (value > 1 and not count["noun"].endswith("s")):
            continue
        amounts = [other for other in amounts if not start < other.span[0] < count.end()]
        comparator: Comparator = (
            ">=" if count["least"] else "<=" if count["most"] else ">" if count["more"] else "="
        )
        amounts.append(Quantity(value, "", comparator, span=(start, noun_at), text=said[start:noun_at]))
        nouns[start, noun_at] = count["noun"]
    return sorted(amounts, key=lambda one: one.span), nouns


def _with_comparator_of_list(
    one: Quantity, said: str, before_it: Sequence[Quantity], is_counted: bool
) -> Quantity:
    """The quantity with the comparator that its list or lead-in gives it: "at least 20 hours and 10 hours"."""
    before, after = said[: one.span[0]].lower(), said[one.span[1] :]
    if either := re.search(r"(less|greater) than or equal to $", before):
        return replace(one, comparator="<=" if either[1] == "less" else ">=")
    if one.comparator == ">" and re.search(r"\bwith no [a-z ]{1,40}$", before):
        return replace(one, comparator="<=")
    if one.comparator != "=":
        return one
    if before_it and (one.unit or (is_counted and not before_it[-1].unit)):
        last = before_it[-1]
        between = said[last.span[1] : one.span[0]]
        is_same = one.unit == last.unit
        if last.text.lower().endswith(" at least") and between == " ":
            return replace(one, comparator=">=")  # "within 90 days at least three takeoffs"
        few_words = r"(?: (?!per\b|each\b|every\b)[a-z-]+)"
        joint = (
            rf"{few_words}{{0,3}}\s*,?\s*\(?(?:and|or)?\s*"
            if is_same
            else rf"(?:{few_words}{{0,2}},? or|,? and) "
        )
        # "at least 20 hours of training and 10 hours of solo flight"
        of_both = r" of (?!which\b)[a-z -]+ and "
        of_items = r" (?:of|in) [^.:;]+; (?:and|or) "
        is_of_both = last.comparator == ">=" and re.fullmatch(of_both, between)
        if re.fullmatch(joint, between) or (is_same and (is_of_both or re.fullmatch(of_items, between))):
            return replace(one, comparator=last.comparator)
    if found := re.search(_OPEN_COMPARATOR, before):
        return replace(one, comparator=">=" if found["least"] or found["listed"] else "<=")
    if re.search(r"\b(?:in|during) the $", before) and after.startswith(" preceding "):
        return replace(one, comparator="<=")  # as "within the preceding 12 months"
    return one


_ORDINAL = re.compile(r"\b\d+(?:st|nd|rd|th) (?:calendar )?(?:day|month|year|birthday)\b")
_COUNT = re.compile(
    r"(?:\b(?:(?P<least>at least|minimum of)|(?P<most>(?:no|not) more than|maximum of)|(?P<more>more than)) )?"
    r"(?<![\w-])(?<!\bno )(?<!\bany )(?<!\beach )(?<!\bevery )(?<!\bthe )(?<!\bthis )(?<!\bthat )(?<!\bfrom )(?<!\bin )"
    rf"(?P<number>{'|'.join(WORDS_BELOW_TWENTY[1:13])})"
    r"(?P<noun>(?: (?!(?:as|of|or|and|another|other|to|in|at|on|for|is|has|may|must|who|that|which)\b)[\da-z-]+){1,5}?)"
    r"(?= (?:must|may|shall|is|are|has|have|as|of|in|on|at|for|to|from|with|within|under|by|per|that|which|who|and|when"
    r"|or|over|during|[a-z]+ing|[a-z]+ed)\b|[,;:.()]|$)",
    re.I,
)
_OPEN_COMPARATOR = (
    r"\b(?:(?P<least>at least|minimum of)|(?P<most>maximum of)), (?:[^;:]{3,80}, )?$"
    r"|\b(?P<listed>at least) the following [^:;.]*: (?:[^;.]*\b(?:consists? of|includ(?:es?|ing)) )?$"
    r"|\bnot more than (?:an additional|a combination of|a total of) $"
)
"""Before a number: a comparator behind which something is inserted, or that of the list in which it stands."""
_COUNTED = re.compile(
    r"(?: (?!of\b)[A-Za-z-]+){0,3}? (?!(?:as|is|its|has|was|this|means|does)\b)[a-z-]*[^\Wsu]s\b"
)
"""What a number counts: "20 night vision goggle operations"."""
_SINGLE = r" [a-z-]+(?= (?:during|in|of|per|at|for|within|on)\b|[,.;]|$)"


def reference_of(material: Material, path: str) -> str:
    """How a pilot cites it: "14 CFR 91.155(b)(2)", "AIM 3-2-6", or the document's own label."""
    if material.doc_type == "cfr" and material.section:
        if not material.section[0].isdigit():  # an appendix, or a special regulation
            named = f", paragraph {path}" if path[:1].isdigit() else path
            return f"{material.document or '14 CFR'} {material.section}{named}"
        return f"14 CFR {material.section}{path}"
    if material.doc_type == "cfr" and (part := subpart_in(material.section_path)):  # "Appendix A to Part 91"
        number = re.match(r"\d+(?=\. )", material.heading)
        own = f", section {number.group()}{path}" if number else ""
        own = own or (f", paragraph {path}" if path[:1].isdigit() else "")
        return f"{material.document or '14 CFR'} {part.split('—')[0]}{own}"
    if material.doc_type == "aim" and material.section:
        return f"AIM {material.section}"
    return material.label or " ".join(part for part in (material.document, material.section) if part)


def _applicability_facts(statement: str, material: Material, headings: Sequence[str]) -> dict[str, Any]:
    """The certificates, aircraft and operations that the rule speaks of, and the orals in which it binds somebody;
    `unbound` where there is none."""
    sentence, _ = split_context(statement)
    subpart = subpart_in(material.section_path)
    path = material.section_path
    start = path.index(subpart) + 1 if subpart in path else len(path)
    found = applicability_of(
        "" if term_of(statement) else sentence,
        headings=(material.heading, *path[start:-1], *headings),  # "Instrument Flight Rules"
        section=material.section,
        section_text=material.whole if material.doc_type == "cfr" else "",
        subpart=material.applicability,
        subpart_title=subpart,
    )
    certificates, aircraft = found.names("certificate"), found.names("category", "class", "kind")
    why = {oral: found.unbound_for(kinds) for oral, kinds in DATA.bound_kinds.items()}
    orals = [oral for oral, reason in why.items() if not reason]
    return {
        "applies_to": list(found.names()),
        "certificate": certificates[0] if len(certificates) == 1 else "",
        "aircraft_class": aircraft[0] if len(aircraft) == 1 else "",
        ORALS: orals,
    } | ({} if orals else {UNBOUND: next(iter(why.values()), "")})


def _effective_date(statement: str) -> str:
    """ "Beginning January 1, 2020" as an ISO date; "" where there is none. "Certificated after …" is of a thing."""
    found = re.search(
        r"(?:^|[,;:(] |\b(?:and|must|shall) )(?:on (?:and|or) )?(?:after|beginning|effective|from)(?: on)? "
        rf"(?P<month>{'|'.join(month_name[1:])}) (?P<day>\d{{1,2}}), (?P<year>\d{{4}})",
        statement,
        re.I,
    )
    if found is None:
        return ""
    month = list(month_name).index(found["month"].capitalize())
    return f"{found['year']}-{month:02d}-{int(found['day']):02d}"


def _airspace_facts(sentence: str, conditions: Conditions) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    classes = sorted(letter for letter in conditions.airspace if len(letter) == 1)
    if classes:
        facts["airspace_class"] = classes[0] if len(classes) == 1 else classes
    bands = [band.key for band in conditions.bands if band.low_datum or band.high_datum]
    if bands:
        facts["altitude_band"] = "_".join(bands)
    if len(conditions.times) == 1:
        facts["day_night"] = next(iter(conditions.times))
    if aircraft := conditions_in(scope_of(sentence)).aircraft:
        facts["aircraft"] = sorted(aircraft)
    return facts


def _minimums_facts(statement: str, quantities: Sequence[Quantity]) -> dict[str, Any]:
    """Visibility in statute miles and distances from clouds, of a weather minimum."""
    facts: dict[str, Any] = {}
    miles = [
        q.value for q in quantities if q.unit == "sm" and not q.direction and q.comparator in ("=", ">=")
    ]
    if miles and "visibility" in statement:
        facts["visibility_sm"] = int(miles[0]) if miles[0] == int(miles[0]) else miles[0]
    if "clear of clouds" in statement.lower():
        facts["cloud_clearance"] = "clear_of_clouds"
    elif clearance := cloud_clearance_of(statement):
        facts["cloud_clearance"] = clearance[0]
    if "other than helicopters" in statement.lower():
        facts["aircraft"] = ["aircraft other than helicopters"]
    return facts
