"""The extractor that needs no model: a chunk's outline and table rows become draft claims, by rules alone.
Pure.

What cannot stand as one whole rule is refused with its reason, never guessed into a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator

from curation import conf
from curation.fragments import is_rule, refusal
from curation.lead_ins import Candidate, candidates_in
from curation.references import in_context, resolved
from curation.values import DraftClaim, DraftClaims, Material, Refusal
from curation.weather_table import minimums_in
from knowledge.grounding.facts import content_words, coverage
from knowledge.grounding.outline import outline_of


def extract(material: Material) -> DraftClaims:
    """The skill for the role "extractor": deterministic, the same material gives the same claims."""
    claims: dict[str, DraftClaim] = {}
    refused: list[Refusal] = []
    for candidate in _candidates(material):
        statement = resolved(_in_context(candidate, material), material.section, candidate.path)
        reason = candidate.refused or refusal(statement, candidate.listed)
        if reason:
            refused.append(Refusal(reason=reason, text=statement[:400]))
        else:
            quotes = list(dict.fromkeys(candidate.quotes))
            claims.setdefault(
                statement, DraftClaim(statement=statement, quotes=quotes[-6:], path=candidate.path)
            )
    return DraftClaims(claims=list(claims.values())[:200], refused=refused[:500])


def _candidates(material: Material) -> Iterator[Candidate]:
    yield from minimums_in(material.text)
    nodes = tuple(node for node in outline_of(material.text, material.heading) if " | " not in node.text)
    for candidate in candidates_in(material.text, nodes):
        counted = candidate.refused and material.doc_type == "cfr"  # elsewhere most items are no rules
        if counted or is_rule(candidate.statement, material.doc_type):
            yield candidate


def _in_context(candidate: Candidate, material: Material) -> str:
    """In a regulation a sentence that leans on those before it is given its section and headings."""
    if not candidate.leans_on or material.doc_type != "cfr":
        return candidate.statement
    headings = tuple(heading for heading in (material.heading, *candidate.leans_on) if heading)
    if coverage(content_words(" ".join(headings)), content_words(candidate.statement)) >= conf.CONTEXT_SAID:
        return candidate.statement
    return in_context(candidate.statement, material.section, headings)
