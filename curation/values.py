"""Values of claim extraction: the input, drafts as a model returns them, and checked claims. Pure.

It also has the hash that chains decisions.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from pydantic import BaseModel, ConfigDict, Field


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """A chunk as an extractor reads it. `section` is "91.155" or "3-2-6", `edition_date` an ISO date or "".

    `section_text` is the whole section and `start` the place of `text` in it; `applicability` is the text in which the
    subpart says whom it binds.
    """

    text: str
    heading: str = ""
    section: str = ""
    doc_type: str = "other"
    document: str = ""
    label: str = ""
    edition_date: str = ""
    section_path: tuple[str, ...] = ()
    section_text: str = ""
    start: int = 0
    applicability: str = ""

    @property
    def whole(self) -> str:
        """The text of the section, or of the chunk where no section is known."""
        return self.section_text or self.text

    def holds(self, place: int) -> bool:
        """Whether this place of the section stands in the chunk."""
        return self.start <= place < self.start + len(self.text)


class DraftClaim(BaseModel):
    """One rule as a whole sentence, and the exact words that support it."""

    model_config = ConfigDict(extra="forbid")

    statement: str = Field(
        min_length=1, max_length=1200, description="One complete sentence that states one rule."
    )
    quotes: list[str] = Field(
        min_length=1, max_length=6, description="Exact words of the text, each copied without any change."
    )
    path: str = Field(
        default="", max_length=60, description="The paragraph's labels, such as (b)(2); empty if none."
    )
    headings: list[str] = Field(
        default_factory=list, max_length=4, description="The run-in headings above it; empty if none."
    )


class Refusal(BaseModel):
    """A sentence that looked like a rule but cannot stand alone as one."""

    model_config = ConfigDict(extra="forbid")

    reason: str = Field(min_length=1, max_length=120)
    text: str = Field(default="", max_length=2000)


class DraftClaims(BaseModel):
    """What an extractor returns for one chunk."""

    model_config = ConfigDict(extra="forbid")

    claims: list[DraftClaim] = Field(default_factory=list, max_length=200)
    refused: list[Refusal] = Field(default_factory=list, max_length=500)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimFound:
    """A checked claim: its quotes stand in the section word for word, the last of them in the chunk, and its facts
    agree with them. `category` is one of `knowledge.models.graph.ConceptCategory`."""

    statement: str
    quotes: tuple[str, ...]
    key_facts: Mapping[str, Any]
    priority: str
    category: str = "regulatory_claim"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionResult:
    """The claims of one chunk; `refused` counts reasons, and `examples` are a reason and the words that were refused.
    The rest says who extracted them."""

    claims: tuple[ClaimFound, ...] = ()
    refused: Counter[str] = field(default_factory=Counter)
    examples: tuple[tuple[str, str], ...] = ()
    provider: str = ""
    model: str = ""
    prompt_version: str = ""


def link_hash(previous: str, content: Mapping[str, Any]) -> str:
    """SHA-256, as 64 hex digits, over the hash before ("" for the first) and a row's content.

    Canonical: JSON with sorted keys and ASCII only. A whole number is the same with and without ".0", since a database
    gives back 1e16 without an exponent.
    """
    plain = json.loads(json.dumps(content), parse_float=_whole_or_float)
    canonical = json.dumps(plain, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return sha256(f"1\n{previous}\n{canonical}".encode()).hexdigest()


def _whole_or_float(text: str) -> int | float:
    number = float(text)
    return int(number) if number.is_integer() else number
