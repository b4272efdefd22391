"""Extracts the claims of a chunk with the configured model, and checks each one. Nothing is stored here.

A model's reply is not trusted: each quote must occur in the text word for word, the statement's numbers, limits, and
negations must agree with its quotes, and it must be a whole rule. Failures are counted by reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet

from curation import conf
from curation.offline.claim_filters import refusal_for
from curation.offline.definitions import is_definition, is_entry
from curation.offline.key_facts import key_facts_of
from curation.offline.priority import priority_of
from curation.offline.references import split_context
from curation.offline.section_text import join_passages
from curation.values import ClaimFound, DraftClaim, DraftClaims, ExtractionResult, Material
from knowledge.grounding.applicability import subpart_in
from knowledge.grounding.citations import find_quote
from knowledge.grounding.fact_check import compare_facts
from knowledge.grounding.outline import outline_of, path_above
from knowledge.models import Chunk
from knowledge.models.graph import ConceptCategory
from knowledge.text.tokens import content_words, share_covered
from llm.interfaces import ChatModel, ChatRequest, Message
from llm.prompts import fence_text, load_prompt
from llm.registry import chat_model
from llm.structured import ask_model

ROLE = "extractor"
WHOLE_SECTIONS = ("cfr", "aim")  # documents whose sections are short enough to be read whole
_SEAM = re.compile(r"\s*(?:—|:)(?=\s|$)|(?:^|(?<=\s))\((?:[a-z]{1,4}|\d{1,2}|[A-Z])\)(?=\s)")
"""The dash or colon behind a lead-in, and the label of an item."""


def extract_claims(chunk: Chunk, model: ChatModel | None = None) -> ExtractionResult:
    """The chunk's claims, checked. `model` is the registry's extractor unless given. Raises llm.errors.ModelError."""
    return extract_from(material_of(chunk), model or chat_model(ROLE))


def extract_from(material: Material, model: ChatModel) -> ExtractionResult:
    """As `extract_claims`, from plain values."""
    place = f"{material.section or 'an unnumbered section'}, {material.heading or 'without a heading'}"
    prompt = load_prompt(
        "curation", "extractor", passage=fence_text("passage", f"[{place}]\n{material.text}")
    )
    request = ChatRequest(
        role=ROLE,
        system=prompt.text,
        messages=(Message("user", "List the rules of the passage."),),
        schema=DraftClaims,
        material=material,
        prompt_version=prompt.version,
        max_tokens=conf.EXTRACTION_TOKENS,
    )
    answer = ask_model(model, request)
    examples = [(item.reason, item.text) for item in answer.value.refused]
    found: dict[str, ClaimFound] = {}
    for draft in answer.value.claims:
        if fault := _find_fault(draft, material):
            examples.append((fault.split(": ")[0], draft.statement))
        elif draft.statement not in found:
            found[draft.statement] = _checked_claim(draft, material)
    return ExtractionResult(
        claims=tuple(found.values()),
        refused=Counter(reason for reason, _ in examples),
        examples=tuple(examples),
        provider=answer.provider,
        model=answer.model,
        prompt_version=answer.prompt_version,
    )


# --- what is read ----------------------------------------------------------------------------------------------


def material_of(chunk: Chunk) -> Material:
    """The chunk as an extractor reads it, with its section and what its subpart says of whom it binds."""
    document = chunk.document
    name = document.abbreviation or document.title
    place = chunk.section or (f"p. {chunk.page_label or chunk.page_start}" if chunk.page_start else "")
    section_text, start = "", 0
    subpart, applicability = subpart_in(chunk.section_path), ""
    # A special regulation may have no numbered sections.
    if (chunk.section or subpart) and document.doc_type in WHOLE_SECTIONS:
        texts = section_chunks(chunk).values_list("pk", "text")
        whole, starts = join_passages([text for _, text in texts])
        places = {pk: begin for (pk, _), begin in zip(texts, starts, strict=True)}
        if chunk.pk in places:
            section_text, start = whole, places[chunk.pk]
    if subpart:  # its first section
        first = (
            Chunk.objects.filter(document_id=chunk.document_id, section_path__contains=[subpart])
            .exclude(section="")
            .order_by("index")
            .values_list("section", "text")[: conf.APPLICABILITY_CHUNKS]
        )
        own = next((section for section, _ in first), "")
        applicability = join_passages([text for section, text in first if section == own])[0]
    return Material(
        text=chunk.text,
        section_path=tuple(str(part) for part in chunk.section_path),
        section_text=section_text,
        start=start,
        applicability=applicability,
        heading=chunk.heading,
        section=chunk.section,
        doc_type=document.doc_type,
        document=name,
        label=" ".join(part for part in (name, place) if part),
        edition_date=document.edition_date.isoformat() if document.edition_date else "",
    )


def section_chunks(chunk: Chunk) -> QuerySet[Chunk]:
    """The chunks of the chunk's section, in order."""
    return Chunk.objects.filter(
        document_id=chunk.document_id, section=chunk.section, section_path=chunk.section_path
    ).order_by("index")


def facts_of_wording(statement: str, chunk: Chunk, quotes: Sequence[str]) -> dict[str, Any]:
    """The key facts of a new wording over quotes of a passage, read under the headings of the last quote."""
    material = material_of(chunk)
    nodes = outline_of(material.whole, material.heading)
    above = next((node.headings() for node in nodes if find_quote(node.text, "".join(quotes[-1:]))), ())
    return key_facts_of(statement, material, quotes=quotes, headings=above)


# --- how it is checked -----------------------------------------------------------------------------------------


def _find_fault(claim: DraftClaim, material: Material) -> str:
    """Why a drafted claim cannot be kept, or ""."""
    in_chunk = find_quote(material.text, claim.quotes[-1]) is not None
    if not in_chunk or any(find_quote(material.whole, quote) is None for quote in claim.quotes):
        return "a quote that does not stand in the text"
    if reason := refusal_for(claim.statement, listed=len(claim.quotes) > 1 or "; " in claim.statement):
        return reason
    sentence, context = split_context(claim.statement)
    headings = " ".join((*material.section_path, material.heading))
    if share_covered(content_words(context), content_words(f"{headings} {material.text}")) < 1.0:
        return "headings that the text does not have"
    if fault := find_fact_fault(sentence, *claim.quotes):
        return fault
    if (
        share_covered(content_words(sentence), content_words(" ".join(claim.quotes)))
        < conf.STATEMENT_COVERAGE
    ):
        return "words that the quote does not hold"
    return ""


def find_fact_fault(statement: str, *quotes: str) -> str:
    """The first number, limit or negation of the statement that its quotes contradict or do not state, or "".

    A lead-in and its item are read as the one sentence that they are, without dashes and labels between them, and a
    table's headings and its row cell by cell.
    """
    source = " ".join(quotes)
    if len(quotes) == 2 and "\n" not in source:
        heads, cells = ([cell.replace(";", "") for cell in quote.split(" | ")] for quote in quotes)
        if len(heads) == len(cells) > 1:
            source = " ".join(f"{head} {cell}" for head, cell in zip(heads, cells, strict=True))
    facts = compare_facts(_SEAM.sub(" ", split_context(statement)[0]), _SEAM.sub(" ", source))
    if facts.contradictions:
        return f"facts differ from the quote: {facts.contradictions[0]}"
    if facts.extra:
        return f"a number that the quote does not state: {facts.extra[0].text.strip()}"
    return ""


def _checked_claim(claim: DraftClaim, material: Material) -> ClaimFound:
    statement = " ".join(claim.statement.split())
    defines = is_definition(statement) or is_entry(statement)
    path = claim.path
    if material.doc_type == "cfr":
        # The paragraph by the outline of its section; the draft's own only if its quote stands there.
        quote = claim.quotes[-1]
        span = find_quote(material.text, quote)
        place = material.start + (span[0] if span else 0)
        nodes = outline_of(material.whole, material.heading)
        paths = [
            node.cited_path
            for node in nodes
            if node.text and (node.start <= place < node.end or find_quote(node.text, quote))
        ]
        if path not in (*paths, path_above(place, nodes)):
            path = next(filter(None, paths), "")
    facts = key_facts_of(statement, material, path, claim.quotes, claim.headings)
    return ClaimFound(
        statement=statement,
        quotes=tuple(claim.quotes),
        key_facts=facts,
        priority=priority_of(str(facts["domain"])),
        category=ConceptCategory.DEFINITION if defines else ConceptCategory.REGULATORY_CLAIM,
    )
