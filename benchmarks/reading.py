"""How much a reviewer reads before deciding on a claim, in words, and how many decisions a minute that allows.

`python -m benchmarks.reading` prints one JSON document. It extracts the claims of 14 CFR Parts 61 and 91 without a
model, takes the first ones that the queue hands to a reviewer for the private pilot (P0, in the order of the text), and
counts the words that the page of each shows: the statement, words of the quote that it leaves out, and the key facts
that are not folded because the statement, another fact, or the evidence says them already. A lead-in with which the
claim before began too is marked as read, so the last figure does not count it. Adults read 238 words of nonfiction a
minute silently (Brysbaert, 2019, a mean of 190 studies); pressing a key and finding the next statement is counted as
2 s. The time to think is not counted.
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

from curation.reading.wording import compare_wording, marked_runs  # noqa: E402 (after django.setup)
from curation.views.claims import facts_shown  # noqa: E402
from tests.doubles.regulation_claims import claims_of_part  # noqa: E402

WORDS_A_MINUTE = 238
KEY_SECONDS = 2.0
CLAIMS = 100
PARTS = (61, 91)
NAMES = (
    "the statement",
    "the quote that it leaves out",
    "key facts shown",
    "key facts folded",
    "lead-ins read before",
)


def measure() -> dict[str, Any]:
    found = [one for part in PARTS for one in claims_of_part(part)]
    read = [
        one for one in found if one[1].priority == "P0" and "private" in one[1].key_facts.get("orals", ())
    ]
    words: dict[str, list[int]] = {name: [] for name in NAMES}
    before = ""
    for material, claim in read[:CLAIMS]:
        facts = facts_shown(claim.statement, claim.key_facts, [material.edition_date])
        wording = compare_wording(claim.statement, claim.key_facts["quotes"])
        runs = marked_runs(claim.statement, wording, claim.key_facts, before)
        before = claim.statement
        counts = (
            len(claim.statement.split()),
            sum(len(one.words.split()) for one in runs if one.kind == "dropped"),
            _words_of(facts["facts"]),
            _words_of(facts["repeated"]),
            -sum(len(one.words.split()) for one in runs if one.read),
        )
        for name, count in zip(NAMES, counts, strict=True):
            words[name].append(count)
    statement, left_out, shown, folded, again = words.values()
    return {
        "claims": len(statement),
        **{f"words of {name}": abs(round(mean(counts), 1)) for name, counts in words.items()},
        "decisions a minute, statement alone": _a_minute(statement),
        "decisions a minute, with all facts": _a_minute(statement, left_out, shown, folded),
        "decisions a minute, with the facts shown": _a_minute(statement, left_out, shown),
        "decisions a minute, with each lead-in read once": _a_minute(statement, left_out, shown, again),
    }


def _words_of(facts: list[tuple[str, list[str]]]) -> int:
    """With each fact's label as one word: its place tells which it is."""
    return sum(1 + sum(len(one.split()) for one in values) for _, values in facts)


def _a_minute(*words: list[int]) -> float:
    return round(60 / (60 * sum(mean(one) for one in words) / WORDS_A_MINUTE + KEY_SECONDS), 1)


if __name__ == "__main__":
    json.dump(measure(), sys.stdout, indent=1)
