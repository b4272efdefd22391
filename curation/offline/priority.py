"""What a claim is about, and how soon a reviewer should see it; both are listed in `domains.yaml`. Pure."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from curation.values import Material
from knowledge.text.phrases import PhraseSet


@cache
def read_domains() -> tuple[dict[str, Any], ...]:
    """The domains in the order in which their phrases are looked for."""
    return tuple(yaml.safe_load(Path(__file__).with_name("domains.yaml").read_text("utf-8")))


@cache
def _phrases_by_domain() -> dict[str, PhraseSet]:
    return {one["domain"]: PhraseSet(one["phrases"]) for one in read_domains() if "phrases" in one}


def domain_of(statement: str, material: Material) -> str:
    """The claim's domain; "general" where nothing tells."""
    for one in read_domains():
        if material.section and material.section in one.get("sections", "").split():
            return str(one["domain"])
    return next(
        (domain for domain, phrases in _phrases_by_domain().items() if phrases.is_in(statement)), "general"
    )


def known_domains() -> list[str]:
    """All domains, in alphabetical order."""
    return sorted({"general", *(str(one["domain"]) for one in read_domains())})


def priority_of(domain: str) -> str:
    """P0, P1 or P2."""
    return next(
        (one["priority"] for one in read_domains() if one["domain"] == domain and "priority" in one), "P2"
    )
