"""How often the entailment check is right, beside rules on words and facts and the plain cosine of the vectors.

`python -m benchmarks.entailment` prints one JSON document. The pairs of `tests/data/entailment_pairs.jsonl` were
written by hand and nothing was fitted to them; "unseen" are those on documents of which no statement was used for
fitting. "Altered sentences" are made of the sentences of their passages (`tools/training/altered_statements`), half of
them still true. The cosine counts from the threshold that is best for it on the very pairs it is measured on.
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import mul
from pathlib import Path
from random import Random
from statistics import fmean, median
from tempfile import TemporaryDirectory
from typing import Any, Final

from knowledge.grounding.entailment import check_entailment
from knowledge.grounding.fact_check import compare_facts
from knowledge.text.sentences import sentences_in
from knowledge.text.tokens import content_words, share_covered
from llm.local.encoder import LocalEmbeddingModel
from tools.training.altered_statements import altered_statements, true_statements
from tools.training.faa_passages import passages_in, with_passages

FAA: Final = Path(__file__).parents[2] / "shared" / "data" / "faa"
PAIRS: Final = Path(__file__).parents[1] / "tests" / "data" / "entailment_pairs.jsonl"
COVERED: Final = 0.6
"""Share of a statement's words that the passage must hold, for the rules on words and facts."""
SEED: Final = 7
WORDS_LEAST: Final = 8


@dataclass(frozen=True, slots=True)
class Judged:
    claim: str
    passage: str
    supported: bool
    kind: str


def read_pairs() -> dict[bool, list[Judged]]:
    """By whether other statements on their documents were used for fitting. The passages are the FAA's files'."""
    rows = [json.loads(line) for line in PAIRS.read_text("utf-8").splitlines()]
    pairs: dict[bool, list[Judged]] = {True: [], False: []}
    for row in with_passages(rows, passages_in(FAA, dict.fromkeys(row["document"] for row in rows))):
        pairs[row["seen"]].append(
            Judged(row["claim"], row["passage"], row["label"] == "supported", row["kind"])
        )
    return pairs


def altered_pairs(passages: Sequence[str]) -> list[Judged]:
    """One true and one altered statement of each whole sentence of the passages."""
    random = Random(SEED)
    made = []
    for passage in passages:
        for sentence in sentences_in(passage):
            if len(sentence.text.split()) < WORDS_LEAST or not sentence.text.endswith("."):
                continue
            kind, said = random.choice(true_statements(sentence.text, random))
            made.append(Judged(said, passage, True, kind))
            for kind, said in altered_statements(sentence.text, random)[:1]:
                made.append(Judged(said, passage, False, kind))
    return made


def measure() -> dict[str, Any]:
    by_seen = read_pairs()
    unseen = by_seen[False]
    sets = {
        "free text, unseen documents": unseen,
        "free text, seen documents": by_seen[True],
        "altered sentences, unseen documents": altered_pairs(
            list(dict.fromkeys(one.passage for one in unseen))
        ),
    }
    seconds: list[float] = []

    def check(one: Judged) -> bool:
        started = time.process_time()
        found = check_entailment(one.claim, one.passage).supported
        seconds.append(time.process_time() - started)
        return found

    result: dict[str, Any] = {}
    for name, pairs in sets.items():
        found = [check(one) for one in pairs]
        result[name] = {
            "pairs": len(pairs),
            "check": _figures(pairs, found),
            "words and facts": _figures(pairs, [_words_and_facts(one) for one in pairs]),
            "cosine, best threshold": _best_of_cosines(pairs),
            "check right, by kind": _by_kind(pairs, found),
        }
    return result | {"ms of processor a pair, median": round(1000 * median(seconds), 1)}


def _words_and_facts(pair: Judged) -> bool:
    facts = compare_facts(pair.claim, pair.passage)
    share = share_covered(content_words(pair.claim), content_words(pair.passage))
    return facts.agree and not facts.extra and share >= COVERED


def _best_of_cosines(pairs: Sequence[Judged]) -> dict[str, float]:
    texts = list(dict.fromkeys(text for one in pairs for text in (one.claim, one.passage)))
    with TemporaryDirectory() as folder:
        vectors = dict(zip(texts, LocalEmbeddingModel(Path(folder)).embed_passages(texts), strict=True))
    near = [sum(map(mul, vectors[one.claim], vectors[one.passage])) for one in pairs]
    return max(
        (_figures(pairs, [one >= bar for one in near]) for bar in sorted(set(near))),
        key=lambda figures: figures["balanced accuracy"],
    )


def _figures(pairs: Sequence[Judged], found: Sequence[bool]) -> dict[str, float]:
    accepted = fmean(said for one, said in zip(pairs, found, strict=True) if one.supported)
    caught = fmean(not said for one, said in zip(pairs, found, strict=True) if not one.supported)
    return {
        "balanced accuracy": round((accepted + caught) / 2, 3),
        "supported ones accepted": round(accepted, 3),
        "others caught": round(caught, 3),
    }


def _by_kind(pairs: Sequence[Judged], found: Sequence[bool]) -> Mapping[str, str]:
    right: dict[str, list[bool]] = defaultdict(list)
    for one, said in zip(pairs, found, strict=True):
        right[f"{one.kind}, {'supported' if one.supported else 'not'}"].append(said == one.supported)
    return {kind: f"{sum(some)} of {len(some)}" for kind, some in sorted(right.items())}


def main() -> None:
    json.dump(measure(), sys.stdout, indent=2)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
