"""Evaluate the links from claims to elements on claims that a person labeled: is the first link right?

Each line has a claim with its document's title, section, heading and elements (none if the oral does not ask about it).
Sections are split into halves: weights are fitted to `fitted`, never to `unseen`. A claim whose document is not in the
library is counted and left out.
"""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from knowledge.graph.claim_links import Match, elements_for_claim, link_targets, source_of
from knowledge.models import Chunk
from knowledge.text.tokens import content_words
from llm.registry import embedding_model

from .labeled_files import Tick, read_rows, ticked

HALVES = ("fitted", "unseen")


class LabeledClaim(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    statement: str
    document: str
    section: str
    heading: str
    elements: tuple[str, ...]

    @property
    def half(self) -> str:
        """All claims of a section are in one half."""
        place = f"{self.document} {self.section or self.heading}"
        return HALVES[int(sha256(place.encode()).hexdigest(), 16) % 2]


@dataclass(frozen=True, slots=True)
class Linked:
    """A labeled claim and what the product links it to."""

    claim: LabeledClaim
    matches: tuple[Match, ...]


def passage_for(claim: LabeledClaim) -> Chunk | None:
    """The library's passage that the claim comes from: the one in its section that shares most words."""
    words = set(content_words(claim.statement))
    chunks = Chunk.objects.filter(
        document__title=claim.document, section=claim.section, heading=claim.heading
    ).select_related("document")
    return max(chunks, key=lambda chunk: len(words & set(content_words(chunk.text))), default=None)


def evaluate_claim_links(path: Path, tick: Tick) -> dict[str, Any]:
    """Raises BadFile."""
    claims = read_rows(path, LabeledClaim)
    model, targets = embedding_model(), link_targets()
    linked: list[Linked] = []
    for claim in ticked(claims, tick):
        chunk = passage_for(claim)
        if chunk is not None:
            standards = {code.partition(".")[0] for code in claim.elements} or {"PA"}
            matches = elements_for_claim(claim.statement, source_of(chunk), model, targets)
            linked.append(
                Linked(claim, tuple(one for one in matches if one.code.partition(".")[0] in standards))
            )
    halves: dict[str, dict[str, Any]] = {}
    for half in HALVES:
        some = [one for one in linked if one.claim.half == half]
        bound = [one for one in some if one.claim.elements]
        first = sum(any(match.code in one.claim.elements for match in one.matches[:1]) for one in bound)
        among = sum(any(match.code in one.claim.elements for match in one.matches) for one in bound)
        halves[half] = {
            "claims": len(bound),
            "first_right": round(first / len(bound), 3) if bound else None,
            "any_right": round(among / len(bound), 3) if bound else None,
            "without_element": len(some) - len(bound),
            "of_those_linked": sum(bool(one.matches) for one in some if not one.claim.elements),
        }
    return {"claims": len(claims), "missing": len(claims) - len(linked), "links": halves}
