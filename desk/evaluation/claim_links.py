"""How often the first element that a claim is linked to is right, by claims that a person labeled.

A line of the file is a claim with the title of its document, section, heading, and the elements it belongs to (none for
a claim that the oral does not ask about). Sections are split in halves: weights are fitted to `fitted`, never to
`unseen`. A claim whose document is not in the library is counted and left out.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from knowledge.graph.claim_links import Match, elements_for_claim, source_of
from knowledge.grounding.facts import content_words
from knowledge.models import Chunk
from llm.registry import embedding_model

HALVES = ("fitted", "unseen")


class BadClaims(ValueError):
    """The file is not what labeled claims are; the message says where."""


class LabeledClaim(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    statement: str
    document: str
    section: str
    heading: str
    elements: tuple[str, ...]

    @property
    def half(self) -> str:
        """All claims of a section stand in one half."""
        place = f"{self.document} {self.section or self.heading}"
        return HALVES[int(sha256(place.encode()).hexdigest(), 16) % 2]


@dataclass(frozen=True, slots=True)
class Linked:
    """A labeled claim and what the product links it to."""

    claim: LabeledClaim
    matches: tuple[Match, ...]

    @property
    def is_right(self) -> bool:
        return bool(self.matches) and self.matches[0].code in self.claim.elements


def labeled_claims(path: Path) -> list[LabeledClaim]:
    """Raises BadClaims."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise BadClaims(f"{path} cannot be read: {error}") from error
    return [_labeled(line, f"{path}, line {number}") for number, line in enumerate(lines, 1)]


def _labeled(line: str, where: str) -> LabeledClaim:
    try:
        return LabeledClaim.model_validate_json(line)
    except ValidationError as error:
        raise BadClaims(f"{where}: no labeled claim") from error


def passage_for(claim: LabeledClaim) -> Chunk | None:
    """The passage of the library that the claim was drawn from: of its section the one that shares most words."""
    words = set(content_words(claim.statement))
    chunks = Chunk.objects.filter(
        document__title=claim.document, section=claim.section, heading=claim.heading
    ).select_related("document")
    return max(chunks, key=lambda chunk: len(words & set(content_words(chunk.text))), default=None)


def evaluate_claim_links(path: Path, tick: Callable[[int, int], None]) -> dict[str, Any]:
    """Raises BadClaims."""
    claims = labeled_claims(path)
    linked = list(_linked(claims, tick))
    halves = {half: _figures([one for one in linked if one.claim.half == half]) for half in HALVES}
    return {"claims": len(claims), "missing": len(claims) - len(linked), "links": halves}


def _linked(claims: list[LabeledClaim], tick: Callable[[int, int], None]) -> Iterator[Linked]:
    model = embedding_model()
    for number, claim in enumerate(claims, 1):
        chunk = passage_for(claim)
        if chunk is not None:
            standards = {code.partition(".")[0] for code in claim.elements} or {"PA"}
            matches = elements_for_claim(claim.statement, source_of(chunk), model)
            yield Linked(claim, tuple(one for one in matches if one.code.partition(".")[0] in standards))
        tick(number, len(claims))


def _figures(linked: list[Linked]) -> dict[str, Any]:
    bound = [one for one in linked if one.claim.elements]
    others = len(linked) - len(bound)
    among = sum(any(match.code in one.claim.elements for match in one.matches) for one in bound)
    return {
        "claims": len(bound),
        "first_right": round(sum(one.is_right for one in bound) / len(bound), 3) if bound else None,
        "any_right": round(among / len(bound), 3) if bound else None,
        "without_element": others,
        "of_those_linked": sum(bool(one.matches) for one in linked if not one.claim.elements),
    }
