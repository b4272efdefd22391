"""What each chunking strategy finds: sections of 14 CFR and the AIM for 123 questions of private pilots.

`python -m benchmarks.chunking` prints one JSON document. It takes the sections of `../shared/data/retrieval/cfr_aim`
that answer the questions, and others drawn with a fixed seed (`all` as the second argument takes every one). They are
read and chunked as the product does, and the local model embeds the chunks with their headings. A section ranks by the
cosine of its best chunk alone, because words, which the product's search adds, would hide the effect of chunk borders.
The number of a semantic strategy is the cosine distance of neighboring sentences beyond which a chunk ends. Questions
about sections of more than 256 tokens, where strategies differ most, are also counted separately.
"""

from __future__ import annotations

import csv
import json
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import mean, quantiles
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knowledge.ingestion.chunking.chunker import ChunkDraft, chunk_pages, cosine_distance
from knowledge.ingestion.chunking.strategies import strategy_named
from knowledge.ingestion.document_model import ParsedDocument
from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.formats.markdown import markdown_document
from knowledge.text.sentences import sentences_in
from llm.local.encoder import LocalEmbeddingModel

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "retrieval" / "cfr_aim"
STRATEGIES = (
    "fixed-800-100",
    "fixed-512-50",
    "semantic-0.35-800",
    "semantic-0.5-800",
    "semantic-0.6-800",
    "semantic-0.7-800",
    "semantic-0.8-800",
)
OTHERS = 150  # sections that no question rests on: enough to be mistaken for the right one, in minutes
SEED = 20260102
LONG = 256  # tokens: one window of the local model
BATCH = 64
Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]
Vectors = NDArray[np.float32]


@dataclass(slots=True)
class Kept:
    """A model whose vectors are kept: the ways of chunking share most of their texts."""

    model: LocalEmbeddingModel
    known: dict[str, Sequence[float]] = field(default_factory=dict)

    def embed(self, texts: Sequence[str]) -> list[Sequence[float]]:
        new = [text for text in dict.fromkeys(texts) if text not in self.known]
        for at in range(0, len(new), BATCH):
            some = new[at : at + BATCH]
            self.known |= dict(zip(some, self.model.embed_passages(some), strict=True))
        return [self.known[text] for text in texts]


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    sections: frozenset[str]


def measure(
    data: Path = DATA,
    cache: Path | None = None,
    strategies: Sequence[str] = STRATEGIES,
    others: int | None = OTHERS,
) -> dict[str, Any]:
    """Hit@5 and MRR@10 by way of chunking; `others` is how many sections are taken that no question rests on, None
    all of them."""
    if cache is None:
        with TemporaryDirectory() as folder:
            return measure(data, Path(folder), strategies, others)
    kept = Kept(LocalEmbeddingModel(cache))
    questions = list(_questions(data))
    sections = _drawn(dict(_sections(data)), {name for one in questions for name in one.sections}, others)
    asked = np.array([kept.model.embed_query(one.text) for one in questions], dtype=np.float32)
    long = {name for name, parsed in sections.items() if _tokens(parsed, kept.model) > LONG}
    return {
        "what": f"{len(questions)} questions, {len(sections)} sections, {len(long)} of them over {LONG} tokens; "
        f"vectors of {kept.model.name} alone",
        "distance of neighbouring sentences": _distances(sections, kept),
        "ways": [_found(name, sections, questions, asked, long, kept) for name in strategies],
    }


def _sections(data: Path) -> Iterator[tuple[str, ParsedDocument]]:
    for line in (data / "corpus.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        try:
            yield row["_id"], markdown_document(f"# {row['title']}\n\n{row['text']}")
        except RefusedFile:
            continue  # a section that is reserved holds no text


def _drawn(
    sections: Mapping[str, ParsedDocument], wanted: set[str], others: int | None
) -> dict[str, ParsedDocument]:
    rest = sorted(sections.keys() - wanted)
    taken = set(rest if others is None else random.Random(SEED).sample(rest, min(others, len(rest))))
    return {name: parsed for name, parsed in sections.items() if name in wanted | taken}


def _questions(data: Path) -> Iterator[Question]:
    wanted: dict[str, set[str]] = {}
    with (data / "qrels" / "test.tsv").open(encoding="utf-8") as rows:
        for row in csv.DictReader(rows, delimiter="\t"):
            if int(row["score"]) > 0:
                wanted.setdefault(row["query-id"], set()).add(row["corpus-id"])
    for line in (data / "queries.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["_id"] in wanted:
            yield Question(row["text"], frozenset(wanted[row["_id"]]))


def _tokens(parsed: ParsedDocument, model: LocalEmbeddingModel) -> int:
    return sum(model.count_tokens(paragraph.text) for paragraph in parsed.paragraphs())


def _distances(sections: Mapping[str, ParsedDocument], kept: Kept) -> dict[str, Any]:
    """How far apart neighbouring sentences of one section are."""
    found: list[float] = []
    for parsed in sections.values():
        texts = [one.text for part in parsed.paragraphs() for one in sentences_in(part.text)]
        found += [cosine_distance(a, b) for a, b in pairwise(kept.embed(texts))]
    cuts = quantiles(found, n=20)
    shares = {f"over {limit}": _share(found, limit) for limit in (0.35, 0.5, 0.6, 0.7, 0.8, 0.9)}
    return {"number": len(found), "p25": round(cuts[4], 2), "p50": round(cuts[9], 2), **shares}


def _share(found: Sequence[float], limit: float) -> float:
    return round(sum(one > limit for one in found) / len(found), 2)


def _found(
    name: str,
    sections: Mapping[str, ParsedDocument],
    questions: Sequence[Question],
    asked: Vectors,
    long: set[str],
    kept: Kept,
) -> dict[str, Any]:
    chunks = [(key, draft) for key, parsed in sections.items() for draft in _chunks(parsed, name, kept)]
    vectors = np.array(kept.embed([_embedded(draft) for _, draft in chunks]), dtype=np.float32)
    ranks = [
        _rank([chunks[at][0] for at in np.argsort(-(vectors @ query), kind="stable")], one.sections)
        for query, one in zip(asked, questions, strict=True)
    ]
    of_long = [rank for rank, one in zip(ranks, questions, strict=True) if one.sections <= long]
    return {
        "name": name,
        "chunks": len(chunks),
        "tokens a chunk": round(mean(draft.tokens for _, draft in chunks)),
        **_scores(ranks),
        "long sections": {"questions": len(of_long), **_scores(of_long)},
    }


def _chunks(parsed: ParsedDocument, name: str, kept: Kept) -> tuple[ChunkDraft, ...]:
    return chunk_pages(
        parsed, strategy=strategy_named(name), count_tokens=kept.model.count_tokens, embed=kept.embed
    )


def _embedded(draft: ChunkDraft) -> str:
    return (
        draft.text
        if not draft.heading or draft.heading in draft.text[:400]
        else f"{draft.heading}\n\n{draft.text}"
    )


def _rank(ordered: Sequence[str], wanted: frozenset[str]) -> int:
    """The place of the first section that was wanted, among different sections; from 1."""
    return next(at for at, name in enumerate(dict.fromkeys(ordered), start=1) if name in wanted)


def _scores(ranks: Sequence[int]) -> dict[str, float]:
    if not ranks:
        return {}
    return {
        "hit@5": round(mean(rank <= 5 for rank in ranks), 3),
        "mrr@10": round(mean(1 / rank if rank <= 10 else 0.0 for rank in ranks), 3),
    }


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    json.dump(measure(cache=folder, others=None if "all" in sys.argv[2:] else OTHERS), sys.stdout, indent=2)
    print()
