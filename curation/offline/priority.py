"""The subject of a claim, and its priority for reviewers; `domains.yaml` lists both. Pure."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from curation.values import Material
from knowledge.text.phrases import PhraseSet
from knowledge.text.word_tables import read_yaml


@cache
def read_domains() -> tuple[dict[str, Any], ...]:
    """The domains in the order in which their phrases are looked for."""
    return tuple(read_yaml(Path(__file__).with_name("domains.yaml")))


@cache
def _phrases_by_domain() -> dict[str, PhraseSet]:
    return {one["domain"]: PhraseSet(one["phrases"]) for one in read_domains() if "phrases" in one}


def domain_of(statement: str, material: Material) -> str:
    """The claim's domain; "general" where nothing tells."""
    listed = _domain_listing("sections", material.section)
    if listed:
        return listed
    usual = _domain_listing("otherwise", material.section)
    by_phrase = (domain for domain, phrases in _phrases_by_domain().items() if phrases.is_in(statement))
    if usual:  # sections about one thing: only what has phrases of its own there is about another
        return next((domain for domain in by_phrase if domain in ("endorsements", "airspace")), usual)
    return next(by_phrase, "general")


def _domain_listing(column: str, section: str) -> str:
    return next((str(one["domain"]) for one in read_domains() if _names(one.get(column, ""), section)), "")


@lru_cache(maxsize=4096)
def _names(sections: str, section: str) -> bool:
    """Whether a list of sections, "91.3 91.401..91.421", names one."""
    for listed in sections.split() if section else ():
        first, _, last = listed.partition("..")
        if section == first:
            return True
        part, _, number = section.partition(".")
        if not last or not number.isdigit() or first.partition(".")[0] != part:
            continue
        if int(first.partition(".")[2]) <= int(number) <= int(last.partition(".")[2]):
            return True
    return False


def known_domains() -> list[str]:
    """All domains, in alphabetical order."""
    return sorted({"general", *(str(one["domain"]) for one in read_domains())})


def priority_of(domain: str) -> str:
    """P0, P1 or P2."""
    return next(
        (one["priority"] for one in read_domains() if one["domain"] == domain and "priority" in one), "P2"
    )
