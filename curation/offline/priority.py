"""What a claim is about, and how soon a reviewer should see it. Pure.

P0 weather minimums, airspace, right of way; P1 endorsements, currency, documents, inspections; P2 the rest
(seed 002). The section decides where it is known, else the words.
"""

from __future__ import annotations

import re

from curation.values import Material

_DOMAINS: dict[str, str] = {
    "weather_minimums": "91.155 91.157 3-1-4",
    "right_of_way": "91.113 91.115",
    "airspace": (
        "91.117 91.126 91.127 91.129 91.130 91.131 91.133 91.135 91.137 91.141 91.143 91.145 91.215 91.225"
    ),
    "currency": "61.56 61.57 61.58 61.55",
    "documents": "61.3 61.23 61.19 61.29 61.51 61.60 91.9 91.203",
    "preflight": "91.103",
    "equipment": "91.205 91.213",
    "inspections": "91.207 91.403 91.405 91.407 91.409 91.411 91.413 91.415 91.417 91.171",
    "endorsements": "61.31 61.87 61.93 61.95 61.101 61.189 61.195",
    "fuel": "91.151 91.167",
    "minimum_altitudes": "91.119 91.177",
    "oxygen": "91.211",
    "alcohol": "91.17",
    "cruising_altitudes": "91.159 91.179 3-1-5",
    "altimeter_settings": "91.121",
    "lights": "91.209",
    "safety_belts": "91.107 91.105",
    "pilot_in_command": "91.3",
    "clearances": "91.123 91.173",
    "communications": "91.185",
}
_SECTIONS = {section: domain for domain, sections in _DOMAINS.items() for section in sections.split()}
_WORDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "weather_minimums",
        re.compile(
            (
                r"\b(?:weather minimums?|(?:flight |ground )?visibility (?:of|is|must|at least)|clear of "
                r"clouds|distance from clouds|cloud clearance)\b"
            ),
            re.I,
        ),
    ),
    ("right_of_way", re.compile(r"\bright[- ]of[- ]way\b|\bgive way\b|\bconverging\b|\bovertak", re.I)),
    (
        "airspace",
        re.compile(
            (
                r"\bclass [a-g]\b(?:[^.]{0,40}\bairspace)|\b(?:restricted|prohibited|controlled) (?:area"
                r"|airspace)|\bTFR\b|\btemporary flight restriction"
            ),
            re.I,
        ),
    ),
    ("endorsements", re.compile(r"\bendorse", re.I)),
    (
        "currency",
        re.compile(
            (
                r"\b(?:flight review|recent flight experience|preceding \d+ (?:days|calendar months|months)"
                r"|takeoffs? and (?:three )?landings?)\b"
            ),
            re.I,
        ),
    ),
    (
        "inspections",
        re.compile(r"\b(?:inspections?|inspected|airworthiness directive|return(?:ed)? to service)\b", re.I),
    ),
    ("documents", re.compile(r"\b(?:certificate|registration|logbook|medical|identification)\b", re.I)),
    ("fuel", re.compile(r"\bfuel\b", re.I)),
    (
        "communications",
        re.compile(r"\b(?:radio|frequency|communications?|unicom|ctaf|self-announce)\b", re.I),
    ),
    ("traffic_pattern", re.compile(r"\b(?:traffic pattern|runway|downwind|final approach)\b", re.I)),
)
P0 = frozenset(("weather_minimums", "airspace", "right_of_way"))
P1 = frozenset(("endorsements", "currency", "documents", "inspections"))


def domain_of(statement: str, material: Material) -> str:
    """The claim's domain; "general" where nothing tells."""
    if material.section in _SECTIONS:
        return _SECTIONS[material.section]
    return next((domain for domain, pattern in _WORDS if pattern.search(statement)), "general")


def priority_of(domain: str) -> str:
    """P0, P1 or P2."""
    return "P0" if domain in P0 else "P1" if domain in P1 else "P2"
