"""How much a reviewer reads before deciding on a claim, in words, and how many decisions a minute that allows.

`python -m benchmarks.reading` prints one JSON document. It draws the safety-critical claims (P0) of 14 CFR Part 91 that
bind somebody in a private pilot's oral, without a model, and counts the words that the claim's page shows: the
statement, and the key facts that are not folded because the statement or another fact says them already. Adults read
238 words of nonfiction a minute silently (Brysbaert, 2019, a mean of 190 studies); pressing a key and finding the next
statement is counted as 2 s. The time to think is not counted.
"""

from __future__ import annotations

import json
import os
import sys
from statistics import mean
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
django.setup()

from curation.views.claims import facts_shown  # noqa: E402 (after django.setup)
from tests.doubles.regulation_claims import claims_of_part, sha  # noqa: E402

WORDS_A_MINUTE = 238
KEY_SECONDS = 2.0
CLAIMS = 100


def measure() -> dict[str, Any]:
    found = (claim for _, claim in claims_of_part(91))
    read = [one for one in found if one.priority == "P0" and "private" in one.key_facts.get("orals", ())]
    read = sorted(read, key=lambda one: sha(f"reading: {one.statement}"))[:CLAIMS]
    statements, shown, folded = [], [], []
    for claim in read:
        facts = facts_shown(claim.statement, claim.key_facts)
        statements.append(len(claim.statement.split()))
        shown.append(_words_of(facts["facts"]))
        folded.append(_words_of(facts["repeated"]))
    pairs = list(zip(statements, shown, strict=True))
    return {
        "claims": len(read),
        "words of the statement": round(mean(statements), 1),
        "words of key facts shown": round(mean(shown), 1),
        "words of key facts folded": round(mean(folded), 1),
        "decisions a minute, statement alone": _a_minute(statements),
        "decisions a minute, with the facts shown": _a_minute([one + other for one, other in pairs]),
        "decisions a minute, with all facts": _a_minute(
            [sum(words) for words in zip(statements, shown, folded, strict=True)]
        ),
    }


def _words_of(facts: list[tuple[str, list[str]]]) -> int:
    """With each fact's label as one word: its place tells which it is."""
    return sum(1 + sum(len(one.split()) for one in values) for _, values in facts)


def _a_minute(words: list[int]) -> float:
    return round(60 / (60 * mean(words) / WORDS_A_MINUTE + KEY_SECONDS), 1)


if __name__ == "__main__":
    json.dump(measure(), sys.stdout, indent=1)
