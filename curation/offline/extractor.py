"""Drafts claims by rules alone, from a section's outline, table rows, and glossary entries; no model is needed. Pure.

The outline is that of the whole section; the claims are those of the chunk. A sentence that is not one whole rule is
refused with its reason. Missing words are never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from curation import conf
from curation.offline.claim_filters import ONLY_REFERENCE, is_rule, needs_headings, refusal_for
from curation.offline.definitions import entry_in, is_definition, is_glossary
from curation.offline.list_joining import Candidate, candidates_in
from curation.offline.references import add_context, resolve_references, split_context
from curation.offline.table_rows import conditions_in_rows, minimums_in
from curation.values import DraftClaim, DraftClaims, Material, Refusal
from knowledge.grounding.applicability import subpart_in
from knowledge.grounding.citations import find_quote
from knowledge.grounding.outline import Node, outline_of, path_above
from knowledge.text.clauses import clauses_in
from knowledge.text.phrases import read_phrase_lists
from knowledge.text.tokens import content_words, share_covered

_PHRASES: Final = read_phrase_lists(Path(__file__).with_name("phrases.yaml"))


def extract_drafts(material: Material) -> DraftClaims:
    """The skill for the role "extractor": deterministic, the same material gives the same claims."""
    claims: dict[str, DraftClaim] = {}
    refused: list[Refusal] = []
    for candidate in _candidates_for(material):
        statement = _statement_for(candidate, material)
        reason = candidate.refused or refusal_for(statement, candidate.listed)
        if reason:
            refused.append(Refusal(reason=reason, text=statement[:400]))
            continue
        quotes = list(dict.fromkeys(candidate.quotes))
        for duty in _single_duties(statement, candidate.listed):
            claims.setdefault(
                duty,
                DraftClaim(
                    statement=duty,
                    quotes=quotes[-conf.QUOTES :],
                    path=candidate.path,
                    headings=[heading[:200] for heading in candidate.headings[-4:]],
                ),
            )
    return DraftClaims(claims=list(claims.values())[:200], refused=refused[:500])


def _single_duties(statement: str, listed: bool) -> tuple[str, ...]:
    """ "A card must be signed and must be carried" as a sentence for each duty; other sentences as they are.

    Not where a condition or a list may belong to one or both, nor where the second cannot stand alone."""
    sentence, _ = split_context(statement)
    clauses = clauses_in(sentence)
    first, *others = re.split(r",? and (?=(?:must|shall|may not)\b)", clauses.rest)
    if len(others) != 1 or not re.match(r"(?:must|shall)\b", first) or clauses.subject.startswith("No "):
        return (statement,)
    (second,) = others
    if re.search(r"[:;]|\b(?:following|if|unless|when|except|who|that|which)\b", first) or re.search(
        r"[:;]|, (?:if|unless|when|except)\b|\b(?:that|which|who) must\b", second
    ):
        return (statement,)
    before = statement.removesuffix(clauses.rest)
    duties = f"{before}{first}.", f"{before}{second}"
    reasons = [refusal_for(duty, listed) for duty in duties]
    if reasons[1] or reasons[0] not in ("", ONLY_REFERENCE):
        return (statement,)
    return duties[1:] if reasons[0] else duties


def _statement_for(candidate: Candidate, material: Material) -> str:
    """The candidate's sentence with its references spelled out, and with section and headings where it needs them."""
    said = _PHRASES["this thing"].find_start(candidate.statement)
    thing = said.group().split()[-1].lower() if said else ""
    # "This information must include …", where the sentence before is about the information.
    points_back = bool(thing) and thing in material.whole[max(0, candidate.at - 400) : candidate.at].lower()
    statement = f"The {candidate.statement.split(' ', 1)[1]}" if points_back else candidate.statement
    place = (material.section, candidate.path, subpart_in(material.section_path))
    resolved = resolve_references(statement, *place)
    is_unnamed = not is_definition(statement) and needs_headings(statement)
    if material.doc_type != "cfr" or is_definition(statement) or candidate.refused:
        return resolved
    leans_on = candidate.leans_on or candidate.headings
    if material.section and not (
        candidate.leans_on or points_back or (is_unnamed and not refusal_for(resolved, candidate.listed))
    ):
        return resolved
    # In a regulation a sentence that leans on those before it is given its section and headings. One of an appendix or
    # a special regulation without sections does not say what it is about, and is given the title of that.
    name, _, title = subpart_in(material.section_path).partition("—")
    above = material.heading if material.section else title
    headings = tuple(heading for heading in (above, *leans_on) if heading)
    told = share_covered(content_words(" ".join(headings)), content_words(statement))
    if told < conf.CONTEXT_SAID or points_back or is_unnamed:
        statement = add_context(statement, material.section or name, headings)
    return resolve_references(statement, *place)


def _candidates_for(material: Material) -> Iterator[Candidate]:
    whole = material.whole
    nodes = tuple(node for node in outline_of(whole, material.heading) if " | " not in node.text)
    yield from minimums_in(material.text, whole)
    yield from conditions_in_rows(
        material.text, whole, lambda place: path_above(material.start + place, nodes)
    )
    entry = entry_in(material.text, material.heading) if is_glossary(material.document) else None
    if entry:
        yield Candidate(f"{entry.term}: {entry.definition}", (entry.definition,), "", listed=True)
    for candidate in candidates_in(whole, nodes):
        found = _candidate_in_chunk(candidate, material, nodes)
        if found is None or (entry and entry.at <= found.at - material.start < entry.end):
            continue
        counted = found.refused and material.doc_type == "cfr"  # elsewhere most items are no rules
        if counted or is_definition(found.statement) or is_rule(found.statement, material.doc_type):
            yield found


def _candidate_in_chunk(
    candidate: Candidate, material: Material, nodes: tuple[Node, ...]
) -> Candidate | None:
    """The candidate, if what it rests on first stands in the chunk; a list that several chunks share, by its parts."""
    if is_definition(candidate.statement) and not candidate.path:
        candidate = replace(candidate, path=path_above(candidate.at, nodes))
    if material.holds(candidate.at) and find_quote(material.text, candidate.quotes[-1]):
        return candidate
    if not candidate.parts or not material.holds(material.whole.find(candidate.parts[-1], candidate.at)):
        return None
    if len(candidate.parts) > conf.QUOTES or not find_quote(material.text, candidate.parts[-1]):
        return None
    return replace(candidate, quotes=candidate.parts)
