"""The golden questions become figures of each arm of the product's own search over the library as it stands.

The documents that the questions are about must have been ingested; a file is known by its content. Figures are told by
kind of question, with a paired bootstrap of the hybrid arm against the better of its two legs.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean, quantiles
from typing import Any

import pymupdf

from knowledge.models import Chunk, Document
from knowledge.retrieval.search import search
from knowledge.retrieval.values import ARMS, Arm, SearchRequest
from llm.interfaces import EmbeddingModel
from llm.registry import embedding_model

from .golden import BadQuestions, Judged, Piece, Place, Question, holding, is_fooled, read_questions, words_of
from .measures import hit, ndcg, paired_bootstrap, recall, reciprocal_rank
from .scratch import Tick

LEGS: tuple[Arm, ...] = ("lexical", "vector")
DEEP = 50  # passages asked for
EVERYTHING = "all"

Rankings = Mapping[str, Sequence[Sequence[str]]]


def _silent(done: int, of: int) -> None:
    pass


def evaluate_golden(questions: Path, documents: Path, k: int = 10, tick: Tick = _silent) -> dict[str, Any]:
    """What `manage.py evaluate golden --json` tells. Raises BadQuestions."""
    model = embedding_model()
    judged = judge(read_questions(questions), documents)
    rankings, times = rankings_of(judged, model, tick)
    return {
        "questions": len(judged),
        "model": model.name,
        "corpus": corpus_hash(documents),
        "k": k,
        "places in no passage": sum(one.unplaced for one in judged),
        "can be fooled": sum(bool(one.tempting) for one in judged),
        "arms": {arm: by_kind(ranked, judged, k) for arm, ranked in rankings.items()},
        "hybrid beside the better leg": beside_better_leg(rankings, judged, k),
        "times": {arm: _times(some) for arm, some in times.items()},
    }


# --- what is right ------------------------------------------------------------


def judge(questions: Sequence[Question], documents: Path) -> list[Judged]:
    """Each question with the passages of the library that hold its places."""
    places = [place for one in questions for place in (*one.passages, *one.distractors)]
    files = {place.file: Source(documents, place.file) for place in places}
    held = {place: files[place.file].passages(place) for place in places}
    return [_judged(question, held) for question in questions]


def _judged(question: Question, held: Mapping[Place, frozenset[str]]) -> Judged:
    right: dict[str, int] = {}
    for place in question.passages:
        for name in held[place]:
            right[name] = max(place.grade, right.get(name, 0))
    tempting = {name for place in question.distractors for name in held[place]} - right.keys()
    unplaced = sum(not held[place] for place in question.passages)
    return Judged(question, right, frozenset(tempting), unplaced)


class Source:
    """A file of the documents: its lines, and the passages that the library made of it."""

    def __init__(self, documents: Path, name: str) -> None:
        self._path = documents / name
        try:
            content = self._path.read_bytes()
        except OSError as error:
            raise BadQuestions(f"{self._path}: {error}") from error
        self._lines = _lines_of_pdf(self._path) if self._path.suffix == ".pdf" else _lines_of_text(content)
        self._pieces = _pieces(hashlib.sha256(content).hexdigest())
        if not self._pieces:
            raise BadQuestions(f"{self._path} is not in the library: ingest {documents} first")

    def passages(self, place: Place) -> frozenset[str]:
        lines = self._lines.get(place.page, ())
        first, last = place.lines
        if last > len(lines):
            raise BadQuestions(f"{self._path}: line {last} is asked for, there are {len(lines)}")
        return holding(" ".join(lines[first - 1 : last]), place.page, self._pieces)


def _lines_of_text(content: bytes) -> dict[int | None, Sequence[str]]:
    return {None: content.decode("utf-8", "replace").split("\n")}


def _lines_of_pdf(path: Path) -> dict[int | None, Sequence[str]]:
    with pymupdf.open(path) as document:
        return {
            number: [line for line in page.get_text("text").splitlines() if line.strip()]
            for number, page in enumerate(document, 1)
        }


def _pieces(content_hash: str) -> list[Piece]:
    documents = Document.objects.filter(content_hash=content_hash, tenant=None, superseded_by=None)
    chunks = Chunk.objects.filter(document__in=documents.filter(status="published"))
    rows = chunks.values_list("id", "heading", "text", "page_start", "page_end")
    return [Piece(str(id_), tuple(words_of(f"{head} {text}")), *pages) for id_, head, text, *pages in rows]


def corpus_hash(documents: Path) -> str:
    """One hash for the names and the content of all files below a folder."""
    told = hashlib.sha256()
    for path in sorted(path for path in documents.rglob("*") if path.is_file()):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        told.update(f"{path.relative_to(documents).as_posix()} {content}\n".encode())
    return told.hexdigest()


# --- what is found ------------------------------------------------------------


def rankings_of(
    judged: Sequence[Judged], model: EmbeddingModel, tick: Tick = _silent
) -> tuple[dict[str, list[list[str]]], dict[str, list[float]]]:
    """By arm what was found for each question, and the milliseconds that it took. Arms take turns."""
    rankings: defaultdict[str, list[list[str]]] = defaultdict(list)
    times: defaultdict[str, list[float]] = defaultdict(list)
    for done, one in enumerate(judged):
        tick(done, len(judged))
        for arm in ARMS:
            response = search(request_for(one.question, arm), model)
            rankings[arm].append([str(found.chunk_id) for found in response.results])
            times[arm].append(response.latency_ms)
    tick(len(judged), len(judged))
    return dict(rankings), dict(times)


def request_for(question: Question, arm: Arm) -> SearchRequest:
    """What a student answered is given as an answer to the examiner's question, as an exam gives it."""
    plain = SearchRequest(k=DEEP, threshold=0.0, arm=arm, recorded=False)
    if question.answer:
        return replace(plain, question=question.question, answer=question.answer)
    return replace(plain, query=question.question)


# --- figures ------------------------------------------------------------------


def by_kind(ranked: Sequence[Sequence[str]], judged: Sequence[Judged], k: int = 10) -> dict[str, Any]:
    pairs = list(zip(ranked, judged, strict=True))
    return {kind: _figures([pairs[at] for at in places], k) for kind, places in _kinds(judged).items()}


def _figures(pairs: Sequence[tuple[Sequence[str], Judged]], k: int) -> dict[str, float | int]:
    def average(measure: Callable[[Sequence[str], Mapping[str, int]], float]) -> float:
        return round(mean(measure(ranked, one.right) for ranked, one in pairs), 4)

    return {
        f"ndcg@{k}": average(lambda ranked, right: ndcg(ranked, right, k)),
        f"recall@{k}": average(lambda ranked, right: recall(ranked, right, k)),
        f"mrr@{k}": average(lambda ranked, right: reciprocal_rank(ranked, right, k)),
        "hit@5": average(hit),
        "fooled": sum(is_fooled(ranked, one, k) for ranked, one in pairs),
    }


def beside_better_leg(
    rankings: Rankings,
    judged: Sequence[Judged],
    k: int = 10,
    ours: str = "hybrid",
    legs: Iterable[str] = LEGS,
) -> dict[str, Any]:
    """By kind the leg that is better on the whole kind, and the mean difference of ours from it with its bounds."""
    gains = {
        way: [ndcg(ranked, one.right, k) for ranked, one in zip(rankings[way], judged, strict=True)]
        for way in (ours, *legs)
    }
    return {kind: _beside(gains, places, ours) for kind, places in _kinds(judged).items()}


def _beside(gains: Mapping[str, Sequence[float]], places: Sequence[int], ours: str) -> dict[str, Any]:
    of_kind = {way: [values[at] for at in places] for way, values in gains.items()}
    better = max((way for way in of_kind if way != ours), key=lambda way: mean(of_kind[way]))
    difference, lower, upper = paired_bootstrap(of_kind[ours], of_kind[better])
    return {
        "leg": better,
        "mean": round(difference, 4),
        "lower": round(lower, 4),
        "upper": round(upper, 4),
    }


def _kinds(judged: Sequence[Judged]) -> dict[str, list[int]]:
    kinds = Counter(one.question.kind for one in judged)
    return {
        EVERYTHING: list(range(len(judged))),
        **{kind: [at for at, one in enumerate(judged) if one.question.kind == kind] for kind in kinds},
    }


def _times(milliseconds: Sequence[float]) -> dict[str, float]:
    cuts = quantiles(milliseconds, n=20) if len(milliseconds) > 1 else list(milliseconds) * 19
    return {"p50_ms": round(cuts[9], 2), "p95_ms": round(cuts[18], 2)}
