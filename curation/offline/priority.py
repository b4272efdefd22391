"""What a claim is about, and how soon a reviewer should see it; both are listed in `domains.yaml`. Pure."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from curation.offline.phrases import pattern_for
from curation.values import Material


@cache
def read_domains() -> tuple[dict[str, Any], ...]:
    """The domains in the order in which their phrases are looked for."""
    return tuple(yaml.safe_load(Path(__file__).with_name("domains.yaml").read_text("utf-8")))


@cache
def _domain_patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((one["domain"], pattern_for(one["phrases"])) for one in read_domains() if one.get("phrases"))


def domain_of(statement: str, material: Material) -> str:
    """The claim's domain; "general" where nothing tells."""
    for one in read_domains():
        if material.section and material.section in one.get("sections", "").split():
            return str(one["domain"])
    return next((domain for domain, pattern in _domain_patterns() if pattern.search(statement)), "general")


def priority_of(domain: str) -> str:
    """P0, P1 or P2."""
    return next(
        (one["priority"] for one in read_domains() if one["domain"] == domain and "priority" in one), "P2"
    )
