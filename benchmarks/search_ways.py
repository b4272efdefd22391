"""The ways of searching that are measured, their questions, and how they are timed."""

import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from django.db import connection

from knowledge.retrieval.candidates import Search, rank_passages, vector_literal
from knowledge.retrieval.query.builder import Asked, build_query
from knowledge.retrieval.searchable import Scope
from knowledge.retrieval.values import Arm, Filters
from llm.interfaces import EmbeddingModel

QUESTIONS = Path(__file__).resolve().parents[1] / "tests" / "data" / "golden" / "questions.jsonl"
STORY = 250  # characters
TURN, ROUNDS = 20, 200
K = 10
ANY = Filters()
BY_TYPE = Filters(doc_types=("cfr", "aim"))


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    vector: list[float]


Way = Callable[[Question], object]


def questions_of(model: EmbeddingModel) -> tuple[list[Question], list[Question]]:
    """Questions of one sentence or two, and stories."""
    asked = [json.loads(line) for line in QUESTIONS.read_text("utf-8").splitlines()]
    texts = [f"{one['question']} {one['answer']}".strip() for one in asked]
    told = [Question(text, list(model.embed_query(text))) for text in texts]
    return [one for one in told if len(one.text) < STORY], [one for one in told if len(one.text) >= STORY]


def ways_of(model: EmbeddingModel) -> dict[str, Way]:
    """By the names under which they stand in the figures."""
    return {
        "bare HNSW": lambda one: bare(one, model),
        "search": lambda one: rank_passages(search_for(one, model)),
        "search, filtered": lambda one: rank_passages(search_for(one, model, filters=BY_TYPE)),
        "vectors alone": lambda one: rank_passages(search_for(one, model, arm="vector")),
        "words alone": lambda one: rank_passages(search_for(one, model, arm="lexical")),
    }


def search_for(
    one: Question,
    model: EmbeddingModel,
    arm: Arm = "hybrid",
    filters: Filters = ANY,
    scope: Scope | None = None,
) -> Search:
    query = build_query(Asked(text=one.text))
    return Search(
        scope=scope or Scope(tenant=None, model=model.name),
        vector=one.vector,
        terms=query.terms,
        numbers=(),
        filters=filters,
        arm=arm,
        k=K,
        floor=0.0,
        shares=query.shares,
        company=query.asks_one,
    )


def bare(one: Question, model: EmbeddingModel) -> object:
    """Nothing but the query; its working list is that of the session."""
    dimensions = len(one.vector)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT chunk_id FROM knowledge_chunkembedding WHERE model = %s AND state = 'current'"
            f" ORDER BY vector::vector({dimensions}) <=> %s::vector({dimensions}) LIMIT 50",
            [model.name, vector_literal(one.vector)],
        )
        return cursor.fetchall()


def working_list(length: int) -> None:
    """Of this session."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('hnsw.ef_search', %s, false)", [str(length)])


def timed(
    questions: Sequence[Question], ways: dict[str, Way], rounds: int = ROUNDS, warm: int = TURN
) -> dict[str, list[float]]:
    """Ways take turns, so that a busy machine slows all of them alike; what the `warm` first questions took is not
    counted."""
    taken: dict[str, list[float]] = {way: [] for way in ways}
    for begun in range(0, rounds + warm, TURN):
        for way, run in ways.items():
            for at in range(begun, min(begun + TURN, rounds + warm)):
                started = time.perf_counter()
                run(questions[at % len(questions)])
                taken[way].append((time.perf_counter() - started) * 1000)
    return {way: times[warm:] for way, times in taken.items()}


@dataclass(frozen=True, slots=True)
class Processor:
    """What this process and the server's for it take of the processor. Waiting for other programs does not count; that
    the machine is slower just then does."""

    server: Path

    @classmethod
    def of_this_connection(cls) -> "Processor":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            return cls(Path(f"/proc/{cursor.fetchone()[0]}/stat"))

    def milliseconds(self) -> float | None:
        """So far. None where the server is on another machine."""
        if not self.server.exists():
            return None
        user, system = self.server.read_text().rpartition(")")[2].split()[11:13]
        return (time.process_time() + (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")) * 1000


def percentiles(times: Sequence[float]) -> dict[str, float]:
    cuts = quantiles(times, n=20)
    return {"p50": round(median(times), 2), "p95": round(cuts[18], 2)}


def ratio(times: Sequence[float], to: Sequence[float]) -> float:
    return round(median(times) / median(to), 2)
