"""What each arm of the search finds for the project's own questions over the FAA's documents, by kind of question.

`python -m benchmarks.golden` prints one JSON document. `../shared/data/faa` is ingested into a scratch database as
`manage.py ingest` does it, and the questions of tests/data/golden go through the product's own search as `manage.py
evaluate golden` does it. The plain methods of `benchmarks.plain_ways` search the same stored passages and vectors.
"fooled" counts questions for which a labeled distractor ranks above every correct passage. For each kind the hybrid arm
is compared with the better of its own legs, and with plain 0.65 / 0.35, by a paired bootstrap over the questions: mean
difference of nDCG@10, and the bounds of its 95 % interval. "earlier" are the runs stored before, each with its commit
and the hash of its documents.
"""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import django
from django.core.management import call_command
from django.test.utils import override_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
django.setup()

from benchmarks.plain_ways import PLAIN_BLEND, plain_rankings  # noqa: E402 - models need Django set up
from benchmarks.scratch import no_cache, scratch_database  # noqa: E402
from desk.evaluation.golden import Judged, read_questions  # noqa: E402
from desk.evaluation.golden_search import (  # noqa: E402
    beside_better_leg,
    by_kind,
    corpus_hash,
    judge_places,
    rankings_of,
)
from knowledge.models import ChunkEmbedding  # noqa: E402
from llm.interfaces import EmbeddingModel  # noqa: E402
from llm.registry import embedding_model  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
QUESTIONS = ROOT / "tests" / "data" / "golden" / "questions.jsonl"
DOCUMENTS = ROOT.parent / "shared" / "data" / "faa"
STORED = ROOT / "docs" / "benchmarks" / "golden.json"


def measure(questions: Path = QUESTIONS, documents: Path = DOCUMENTS) -> dict[str, Any]:
    with (
        TemporaryDirectory() as media,
        scratch_database(),
        override_settings(CACHES=no_cache(), MEDIA_ROOT=media),
    ):
        call_command("ingest", str(documents), "--status", "published", "--json", stdout=StringIO())
        return measured(questions, documents, embedding_model())


def measured(questions: Path, documents: Path, model: EmbeddingModel) -> dict[str, Any]:
    """The same over the library as it stands."""
    judged = judge_places(read_questions(questions), documents)
    plain = _plain(judged, model)
    arms, _ = rankings_of(judged, model)
    ways = {**plain, **arms}
    return {
        "what": "nDCG@10 and other measures by kind of question, for the product's search arms and for plain methods",
        "corpus": corpus_hash(documents),
        "questions": len(judged),
        "can be fooled": sum(bool(one.tempting) for one in judged),
        "ways": {way: by_kind(ranked, judged) for way, ranked in ways.items()},
        "hybrid beside the better leg": beside_better_leg(ways, judged),
        f"hybrid beside {PLAIN_BLEND}": beside_better_leg(ways, judged, legs=[PLAIN_BLEND]),
    }


def with_earlier(result: Mapping[str, Any], stored: Mapping[str, Any] | None) -> dict[str, Any]:
    """The result with what was stored before it, the oldest first."""
    if stored is None:
        return {**result, "earlier": []}
    before = stored["result"]
    last = {
        "date": stored["date"],
        "commit": stored["commit"],
        "corpus": before["corpus"],
        "ndcg@10": {kind: figures["ndcg@10"] for kind, figures in before["ways"]["hybrid"].items()},
    }
    return {**result, "earlier": [*before["earlier"], last]}


def _plain(judged: Sequence[Judged], model: EmbeddingModel) -> dict[str, list[list[str]]]:
    stored = ChunkEmbedding.objects.filter(
        model=model.name, state="current", chunk__document__status="published"
    )
    rows = list(stored.exclude(chunk__kind__in=("toc", "index")).select_related("chunk").order_by("chunk_id"))
    texts = [f"{one.question.question} {one.question.answer}".strip() for one in judged]
    return plain_rankings(texts, rows, [str(row.chunk_id) for row in rows], model)


def main() -> None:
    stored = json.loads(STORED.read_text("utf-8")) if STORED.exists() else None
    json.dump(with_earlier(measure(), stored), sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
