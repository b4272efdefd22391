"""What each arm of the search finds for the item bank's questions: the passages that hold the quotes of their points.

`python -m benchmarks.stems` prints one JSON document. It reads the library that is configured and changes nothing in
it; that library needs the item bank with its anchors (`benchmarks.items` lists the commands that load the FAA's files).
A question is an item's stem with its first givens; right is each passage with a quote of one of its clean points, word
for word. The halves are Tasks in turn, those of all certificates that ask the same together: `PA.I.A` and `CA.I.A` are
one. The search is changed by looking at the first half alone. Plain ways are those of `benchmarks.plain_ways`. The
product's arms are compared with the plain way that is best on the half, by a bootstrap that draws whole Tasks.
"""

import json
import os
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import django
from django.test.utils import override_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
django.setup()

from benchmarks.plain_ways import plain_rankings  # noqa: E402 - models need Django set up
from benchmarks.scratch import no_cache  # noqa: E402
from desk.evaluation.measures import interval_of_differences, ndcg, recall  # noqa: E402
from knowledge.models import AnchorState, ChunkEmbedding, ConceptChunkEvidence, Item  # noqa: E402
from knowledge.models.graph import EvidenceType  # noqa: E402
from knowledge.retrieval.search import search  # noqa: E402
from knowledge.retrieval.searchable import Scope, searchable_chunks  # noqa: E402
from knowledge.retrieval.values import Arm, SearchRequest  # noqa: E402
from knowledge.text.slots import fill_slots, fillings_of  # noqa: E402
from knowledge.text.tokens import plain_words  # noqa: E402
from llm.interfaces import EmbeddingModel  # noqa: E402
from llm.registry import embedding_model  # noqa: E402

ARMS: tuple[Arm, ...] = ("hybrid", "hybrid+rerank")
HALVES = ("first half", "second half")
K = 10


@dataclass(frozen=True, slots=True)
class Stem:
    """An item's question, its Task without the certificate, and the grade of each passage that holds a quote."""

    text: str
    task: str
    right: Mapping[str, int]


def measure() -> dict[str, Any]:
    model = embedding_model()
    scope = Scope(tenant=None, model=model.name)
    stored = ChunkEmbedding.objects.filter(
        chunk__in=searchable_chunks(scope), model=model.name, state="current"
    )
    rows = list(stored.select_related("chunk").order_by("chunk__document_id", "chunk__index"))
    stems = read_stems({str(row.chunk_id): plain_words(row.chunk.text) for row in rows})
    if not stems:
        raise SystemExit(
            "The library that is configured has no item with an anchor (see benchmarks/items.py)."
        )
    texts = [stem.text for stem in stems]
    plain = plain_rankings(texts, rows, [str(row.chunk_id) for row in rows], model)
    with override_settings(CACHES=no_cache()):
        arms: dict[str, list[list[str]]] = {
            arm: [find_passages(text, arm, model) for text in texts] for arm in ARMS
        }
    halves = halves_by_task([stem.task for stem in stems])
    return {
        "what": "nDCG@10 and recall@5 of item stems, for the product's search arms and for plain methods",
        "passages": len(rows),
        "right passages of a question": round(fmean(len(stem.right) for stem in stems), 2),
        **{half: figures_of(stems, places, plain, arms) for half, places in halves.items()},
    }


def read_stems(passages: Mapping[str, str]) -> list[Stem]:
    """The shared bank's items in force that have a clean point; `passages` are plain words by id."""
    anchored = ConceptChunkEvidence.objects.filter(
        concept__key_points__anchor=AnchorState.CLEAN, evidence_type=EvidenceType.PRIMARY
    )
    quotes: defaultdict[Any, set[str]] = defaultdict(set)
    for key, quote in anchored.values_list("concept__key_points__item_id", "quote"):
        quotes[key].add(plain_words(quote))
    stems = []
    for item in Item.objects.filter(tenant=None, withdrawn=False, pk__in=list(quotes)).order_by(
        "task", "key"
    ):
        right = {
            name: 1 for name, text in passages.items() if any(quote in text for quote in quotes[item.pk])
        }
        text = fill_slots(item.stem, next(fillings_of(item.slots, item.cases)))
        if right:
            stems.append(Stem(text, item.task.partition(".")[2], right))
    return stems


def find_passages(text: str, arm: Arm, model: EmbeddingModel) -> list[str]:
    response = search(SearchRequest(query=text, k=K, threshold=0.0, arm=arm, recorded=False), model)
    return [str(found.chunk_id) for found in response.results]


def halves_by_task(tasks: Sequence[str]) -> dict[str, list[int]]:
    """The places of each half: every other Task, in the order of their names."""
    place = {task: at for at, task in enumerate(sorted(set(tasks)))}
    return {
        half: [at for at, task in enumerate(tasks) if place[task] % 2 == n] for n, half in enumerate(HALVES)
    }


def figures_of(
    stems: Sequence[Stem],
    places: Sequence[int],
    plain: Mapping[str, Sequence[Sequence[str]]],
    arms: Mapping[str, Sequence[Sequence[str]]],
) -> dict[str, Any]:
    """Of the stems at these places."""
    gains = {
        way: [ndcg(ranked[at], stems[at].right, K) for at in places]
        for way, ranked in {**plain, **arms}.items()
    }
    told: dict[str, Any] = {"questions": len(places)}
    for way, ranked in {**plain, **arms}.items():
        recalled = fmean(recall(ranked[at], stems[at].right, 5) for at in places)
        told[way] = {"ndcg@10": round(fmean(gains[way]), 4), "recall@5": round(recalled, 4)}
    best = max(plain, key=lambda way: fmean(gains[way]))
    for arm in arms:
        by_task: defaultdict[str, list[float]] = defaultdict(list)
        for at, ours, theirs in zip(places, gains[arm], gains[best], strict=True):
            by_task[stems[at].task].append(ours - theirs)
        found = interval_of_differences(list(by_task.values()))
        bounds = {"mean": found.mean, "lower": found.lower, "upper": found.upper}
        told[f"{arm} beside {best}"] = {name: round(value or 0.0, 4) for name, value in bounds.items()}
    return told


def main() -> None:
    json.dump(measure(), sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
