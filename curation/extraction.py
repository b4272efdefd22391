"""A chunk becomes claims: `extract_claims`.

A model proposes, whichever it is, and nothing it says is taken on trust: each quote must stand in the
chunk word for word, the statement's numbers, limits and negations must agree with its quotes, and it must
be a whole rule. Key facts are read from the statement here. What fails is counted by reason. Nothing is
stored here.
"""

from __future__ import annotations

import re
from collections import Counter

from django.db.models import QuerySet

from curation import conf
from curation.offline.claim_filters import refusal
from curation.offline.definitions import is_definition, is_entry
from curation.offline.key_facts import key_facts_of
from curation.offline.priority import priority_of
from curation.offline.references import without_context
from curation.offline.section_text import join_passages
from curation.values import ClaimFound, DraftClaim, DraftClaims, ExtractionResult, Material
from knowledge.grounding.applicability import subpart_in
from knowledge.grounding.fact_check import compare
from knowledge.grounding.outline import outline_of, path_above
from knowledge.grounding.quotes import find_quote
from knowledge.models import Chunk
from knowledge.models.graph import ConceptCategory
from knowledge.text.tokens import content_words, coverage
from llm.interfaces import ChatModel, ChatRequest, Message
from llm.prompts import Prompt, fence, load
from llm.registry import chat_model
from llm.structured import ask

ROLE = "extractor"
WHOLE_SECTIONS = ("cfr", "aim")  # documents whose sections are short enough to be read whole


def extract_claims(chunk: Chunk, model: ChatModel | None = None) -> ExtractionResult:
    """The chunk's claims, checked. `model` is the registry's extractor unless given. Raises
    llm.errors.ModelError."""
    return extract_from(material_of(chunk), model or chat_model(ROLE))


def extract_from(material: Material, model: ChatModel) -> ExtractionResult:
    """As `extract_claims`, from plain values."""
    prompt = _prompt(material)
    request = ChatRequest(
        role=ROLE,
        system=prompt.text,
        messages=(Message("user", "List the rules of the passage."),),
        schema=DraftClaims,
        material=material,
        prompt_version=prompt.version,
        max_tokens=conf.EXTRACTION_TOKENS,
    )
    answer = ask(model, request)
    claims, refused = _checked(answer.value, material)
    return ExtractionResult(
        claims=claims,
        refused=refused,
        provider=answer.provider,
        model=answer.model,
        prompt_version=answer.prompt_version,
    )


def material_of(chunk: Chunk) -> Material:
    document = chunk.document
    section_text, start = _section_of(chunk)
    return Material(
        text=chunk.text,
        section_path=tuple(str(part) for part in chunk.section_path),
        section_text=section_text,
        start=start,
        applicability=_applicability_of(chunk),
        heading=chunk.heading,
        section=chunk.section,
        doc_type=document.doc_type,
        document=document.abbreviation or document.title,
        label=_label(chunk),
        edition_date=document.edition_date.isoformat() if document.edition_date else "",
    )


def _section_of(chunk: Chunk) -> tuple[str, int]:
    """The whole section that the chunk belongs to, and where the chunk begins in it."""
    if not chunk.section or chunk.document.doc_type not in WHOLE_SECTIONS:
        return "", 0
    texts = section_chunks(chunk).values_list("pk", "text")
    whole, starts = join_passages([text for _, text in texts])
    places = {pk: start for (pk, _), start in zip(texts, starts, strict=True)}
    return (whole, places[chunk.pk]) if chunk.pk in places else ("", 0)


def section_chunks(chunk: Chunk) -> QuerySet[Chunk]:
    """The chunks of the chunk's section, in order."""
    return Chunk.objects.filter(
        document_id=chunk.document_id, section=chunk.section, section_path=chunk.section_path
    ).order_by("index")


def _applicability_of(chunk: Chunk) -> str:
    """What the first section of the chunk's subpart says; "" outside a regulation's subparts."""
    subpart = subpart_in(chunk.section_path)
    if not subpart:
        return ""
    first = (
        Chunk.objects.filter(document_id=chunk.document_id, section_path__contains=[subpart])
        .exclude(section="")
        .order_by("index")
        .values_list("section", "text")[: conf.APPLICABILITY_CHUNKS]
    )
    own = next((section for section, _ in first), "")
    return join_passages([text for section, text in first if section == own])[0]


def _label(chunk: Chunk) -> str:
    place = chunk.section or (f"p. {chunk.page_label or chunk.page_start}" if chunk.page_start else "")
    return " ".join(part for part in (chunk.document.abbreviation or chunk.document.title, place) if part)


def _prompt(material: Material) -> Prompt:
    return load(
        "curation",
        "extractor",
        passage=fence("passage", f"[{_place(material)}]\n{material.text}"),
    )


def _place(material: Material) -> str:
    """Where the passage stands, by words that are the document's, too."""
    return f"{material.section or 'an unnumbered section'}, {material.heading or 'without a heading'}"


def _checked(draft: DraftClaims, material: Material) -> tuple[tuple[ClaimFound, ...], Counter[str]]:
    refused = Counter(item.reason for item in draft.refused)
    found: dict[str, ClaimFound] = {}
    for claim in draft.claims:
        if fault := fault_of(claim, material):
            refused[fault.split(": ")[0]] += 1
            continue
        found.setdefault(claim.statement, _claim(claim, material))
    return tuple(found.values()), refused


def fault_of(claim: DraftClaim, material: Material) -> str:
    """Why a drafted claim cannot be kept, or ""."""
    if find_quote(material.text, claim.quotes[-1]) is None or any(
        find_quote(material.whole, quote) is None for quote in claim.quotes
    ):
        return "a quote that does not stand in the text"
    if reason := refusal(claim.statement, listed=len(claim.quotes) > 1 or "; " in claim.statement):
        return reason
    sentence, context = without_context(claim.statement)
    if coverage(content_words(context), content_words(f"{material.heading} {material.text}")) < 1.0:
        return "headings that the text does not have"
    return disagreement(sentence, *claim.quotes)


_SEAM = re.compile(r"\s*(?:—|:)(?=\s|$)|(?:^|(?<=\s))\((?:[a-z]{1,4}|\d{1,2}|[A-Z])\)(?=\s)")


def disagreement(statement: str, *quotes: str) -> str:
    """What the statement says otherwise than its quotes, or "": numbers, limits, negations, most of its
    words."""
    if fault := fact_fault(statement, *quotes):
        return fault
    said, _ = without_context(statement)
    if coverage(content_words(said), content_words(" ".join(quotes))) < conf.STATEMENT_COVERAGE:
        return "words that the quote does not hold"
    return ""


def fact_fault(statement: str, *quotes: str) -> str:
    """The first fact of the statement that its quotes contradict or do not state, or "".

    A lead-in and its item are read as the one sentence that they are, without dashes and labels between them.
    """
    facts = compare(_SEAM.sub(" ", without_context(statement)[0]), _SEAM.sub(" ", " ".join(quotes)))
    if facts.contradictions:
        return f"facts differ from the quote: {facts.contradictions[0]}"
    if facts.extra:
        return f"a number that the quote does not state: {facts.extra[0].text.strip()}"
    return ""


def _claim(claim: DraftClaim, material: Material) -> ClaimFound:
    statement = " ".join(claim.statement.split())
    defines = is_definition(statement) or is_entry(statement)
    facts = key_facts_of(statement, material, path_of(claim, material), claim.quotes, claim.headings)
    return ClaimFound(
        statement=statement,
        quotes=tuple(claim.quotes),
        key_facts=facts,
        priority=priority_of(str(facts["domain"])),
        category=ConceptCategory.DEFINITION if defines else ConceptCategory.REGULATORY_CLAIM,
    )


def path_of(claim: DraftClaim, material: Material) -> str:
    """The claim's paragraph by the outline of its section; what a draft says of it counts only if it stands there."""
    if material.doc_type != "cfr":
        return claim.path
    span = find_quote(material.text, claim.quotes[-1])
    place = material.start + span[0] if span else material.start
    nodes = outline_of(material.whole, material.heading)
    stand = [
        node.cited_path
        for node in nodes
        if node.text and (node.start <= place < node.end or find_quote(node.text, claim.quotes[-1]))
    ]
    if claim.path in (*stand, path_above(place, nodes)):
        return claim.path
    return next(filter(None, stand), "")
