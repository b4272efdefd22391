"""Evaluate each arm of the product's own search on the golden questions, over the current library.

The documents that the questions are about must have been ingested; a file is recognized by its content. Figures are by
kind of question, with a paired bootstrap of the hybrid arm against the better of its two legs.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

import pymupdf

from knowledge.models import Chunk, Document
from knowledge.retrieval.search import search
from knowledge.retrieval.values import ARMS, Arm, SearchRequest
from llm.interfaces import EmbeddingModel
from llm.registry import embedding_model

from .golden import Judged, Piece, Place, Question, is_fooled, passages_holding, read_questions, words_of
from .labeled_files import BadFile, Tick, ignore_progress, ticked
from .measures import hit, interval_of_differences, median_and_p95, ndcg, recall, reciprocal_rank

LEGS: tuple[Arm, ...] = ("lexical", "vector")
DEEP = 50  # passages asked for
EVERYTHING = "all"

Rankings = Mapping[str, Sequence[Sequence[str]]]


def evaluate_golden(
    questions: Path, documents: Path | None, k: int = 10, tick: Tick = ignore_progress
) -> dict[str, Any]:
    """The shape of `manage.py evaluate golden --json`. Without the folder of `documents` the files are those that the
    shared library keeps, by their names. Raises BadFile."""
    model = embedding_model()
    judged = judge_places(read_questions(questions), documents)
    rankings, times = rankings_of(judged, model, tick)
    return {
        "questions": len(judged),
        "model": model.name,
        "corpus": corpus_hash(documents) if documents else None,
        "k": k,
        "places in no passage": sum(one.unplaced for one in judged),
        "can be fooled": sum(bool(one.tempting) for one in judged),
        "arms": {arm: by_kind(ranked, judged, k) for arm, ranked in rankings.items()},
        "hybrid beside the better leg": beside_better_leg(rankings, judged, k),
        "times": {
            arm: dict(zip(("p50_ms", "p95_ms"), median_and_p95(some), strict=True))
            for arm, some in times.items()
        },
    }


# --- what is right ---


def judge_places(questions: Sequence[Question], documents: Path | None) -> list[Judged]:
    """Each question with the library's passages that contain its places. Raises BadFile."""
    places = [place for one in questions for place in (*one.passages, *one.distractors)]
    files = {place.file: Source(documents, place.file) for place in places}
    held = {place: files[place.file].passages_at(place) for place in places}
    judged = []
    for question in questions:
        right: dict[str, int] = {}
        for place in question.passages:
            for name in held[place]:
                right[name] = max(place.grade, right.get(name, 0))
        tempting = {name for place in question.distractors for name in held[place]} - right.keys()
        unplaced = sum(not held[place] for place in question.passages)
        judged.append(Judged(question, right, frozenset(tempting), unplaced))
    return judged


class Source:
    """A document's file: its lines by page, and the passages that the library made of it."""

    def __init__(self, documents: Path | None, name: str) -> None:
        self._path = documents / name if documents else _kept_file(name)
        try:
            content = self._path.read_bytes()
        except OSError as error:
            raise BadFile(f"{self._path}: {error}") from error
        self._lines: dict[int | None, Sequence[str]] = {None: content.decode("utf-8", "replace").split("\n")}
        if self._path.suffix == ".pdf":
            with pymupdf.open(self._path) as pages:
                self._lines = {
                    number: [line for line in page.get_text("text").splitlines() if line.strip()]
                    for number, page in enumerate(pages, 1)
                }
        digest = hashlib.sha256(content).hexdigest()
        current = Document.objects.filter(content_hash=digest, tenant=None, superseded_by=None)
        chunks = Chunk.objects.filter(document__in=current.filter(status="published"))
        rows = chunks.values_list("id", "heading", "text", "page_start", "page_end")
        self._pieces = [
            Piece(str(id_), tuple(words_of(f"{head} {text}")), *pages) for id_, head, text, *pages in rows
        ]
        if not self._pieces:
            raise BadFile(f"{self._path} is not in the library: ingest {documents or 'it'} first")

    def passages_at(self, place: Place) -> frozenset[str]:
        lines = self._lines.get(place.page, ())
        first, last = place.lines
        if last > len(lines):
            raise BadFile(f"{self._path}: line {last} is asked for, there are {len(lines)}")
        return passages_holding(" ".join(lines[first - 1 : last]), place.page, self._pieces)


def _kept_file(name: str) -> Path:
    """The shared library's own copy of a document's file, the latest published one of that name. Raises BadFile."""
    kept = Document.objects.filter(tenant=None, status="published", source_name=Path(name).name).exclude(
        file=""
    )
    found = kept.order_by("-created_at").first()
    if found is None:
        raise BadFile(f"{name} is not in the library: upload it first")
    return Path(found.file.path)


def corpus_hash(documents: Path) -> str:
    """One hash of the names and contents of all files below a folder."""
    told = hashlib.sha256()
    for path in sorted(path for path in documents.rglob("*") if path.is_file()):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        told.update(f"{path.relative_to(documents).as_posix()} {content}\n".encode())
    return told.hexdigest()


# --- what is found ---


def rankings_of(
    judged: Sequence[Judged], model: EmbeddingModel, tick: Tick = ignore_progress
) -> tuple[dict[str, list[list[str]]], dict[str, list[float]]]:
    """For each arm, its results for each question, and the milliseconds it took. The arms take turns."""
    rankings: defaultdict[str, list[list[str]]] = defaultdict(list)
    times: defaultdict[str, list[float]] = defaultdict(list)
    for one in ticked(judged, tick):
        for arm in ARMS:
            response = search(request_for(one.question, arm), model)
            rankings[arm].append([str(found.chunk_id) for found in response.results])
            times[arm].append(response.latency_ms)
    return dict(rankings), dict(times)


def request_for(question: Question, arm: Arm) -> SearchRequest:
    """A student's answer goes with the examiner's question, as in an exam."""
    plain = SearchRequest(k=DEEP, threshold=0.0, arm=arm, recorded=False)
    if question.answer:
        return replace(plain, question=question.question, answer=question.answer)
    return replace(plain, query=question.question)


# --- figures ---


def by_kind(ranked: Sequence[Sequence[str]], judged: Sequence[Judged], k: int = 10) -> dict[str, Any]:
    """The figures of one arm, for all questions and for each kind."""
    told: dict[str, Any] = {}
    for kind, places in _kinds_of(judged).items():
        some = [(ranked[at], judged[at]) for at in places]
        gains = {
            f"ndcg@{k}": [ndcg(names, one.right, k) for names, one in some],
            f"recall@{k}": [recall(names, one.right, k) for names, one in some],
            f"mrr@{k}": [reciprocal_rank(names, one.right, k) for names, one in some],
            "hit@5": [hit(names, one.right) for names, one in some],
        }
        means = {name: round(mean(values), 4) for name, values in gains.items()}
        told[kind] = {**means, "fooled": sum(is_fooled(names, one, k) for names, one in some)}
    return told


def beside_better_leg(
    rankings: Rankings,
    judged: Sequence[Judged],
    k: int = 10,
    legs: Iterable[str] = LEGS,
) -> dict[str, Any]:
    """For each kind, the leg that is better on the whole kind, and our mean difference from it with its bounds."""
    gains = {
        way: [ndcg(ranked, one.right, k) for ranked, one in zip(rankings[way], judged, strict=True)]
        for way in ("hybrid", *legs)
    }
    told = {}
    for kind, places in _kinds_of(judged).items():
        of_kind = {way: [values[at] for at in places] for way, values in gains.items()}
        better = max((way for way in of_kind if way != "hybrid"), key=lambda way: mean(of_kind[way]))
        pairs = zip(of_kind["hybrid"], of_kind[better], strict=True)
        found = interval_of_differences([[one - other] for one, other in pairs])
        bounds = {"mean": found.mean, "lower": found.lower, "upper": found.upper}
        told[kind] = {"leg": better, **{name: round(value or 0.0, 4) for name, value in bounds.items()}}
    return told


def _kinds_of(judged: Sequence[Judged]) -> dict[str, list[int]]:
    """The places of all questions, and of those of each kind."""
    kinds: dict[str, list[int]] = {EVERYTHING: list(range(len(judged)))}
    for at, one in enumerate(judged):
        kinds.setdefault(one.question.kind, []).append(at)
    return kinds
