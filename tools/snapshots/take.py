"""The product's results on real material, case by case: `python -m tools.snapshots.take NAME` prints a hash for each.

Database and Redis are the configured ones; `python -m tools.snapshots` starts what is missing.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from uuid import UUID

import django
from django.test.utils import override_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
django.setup()

from django.contrib.auth import get_user_model  # noqa: E402 - models need Django set up

from benchmarks.offline_assessor import cases_of_claims, cases_of_items, rows_of  # noqa: E402
from benchmarks.scratch import no_cache, scratch_database  # noqa: E402
from curation.extraction import extract_from  # noqa: E402
from curation.offline.extractor import extract_drafts  # noqa: E402
from curation.values import Material  # noqa: E402
from desk.demo.load import load_demo  # noqa: E402
from desk.evaluation.beir import Folder, judged_questions, read_folder  # noqa: E402
from desk.evaluation.labeled_files import read_rows  # noqa: E402
from desk.evaluation.retrieval import rankings_of  # noqa: E402
from desk.evaluation.routing import route_queries  # noqa: E402
from desk.evaluation.rule_queries import RuleQuery  # noqa: E402
from desk.evaluation.scratch import scratch_library  # noqa: E402
from exams.domain.exam_request import order_from  # noqa: E402
from exams.examiner.assessor import OfflineJudge  # noqa: E402
from exams.exchange import session  # noqa: E402
from exams.models import Frame, Turn  # noqa: E402
from exams.offline.classifier import Classifier  # noqa: E402
from knowledge.ingestion.chunking.chunker import ChunkDraft, chunk_pages  # noqa: E402
from knowledge.ingestion.document_model import Description  # noqa: E402
from knowledge.ingestion.source_files import parsed_source, read_source  # noqa: E402
from llm.local.minilm import load_tokenizer  # noqa: E402
from llm.offline import OfflineChatModel  # noqa: E402
from llm.registry import embedding_model  # noqa: E402
from rules.query.router import QueryRouter  # noqa: E402

ROOT: Final = Path(__file__).resolve().parents[2]
DATA: Final = ROOT.parent / "shared" / "data"
OURS: Final = ROOT / "tests" / "data"
SUFFIXES: Final = (".md", ".pdf")
PARTS_OF_CFR: Final = ("14cfr_part061.md", "14cfr_part091.md")
FIRST: Final = 10
CLAIM_ANSWERS: Final = 120
ANSWERS: Final = ("all", "first", "I do not know.", "It depends on the airplane, I guess.")
"""The scripted student's answers, in turn: everything expected, the first point only, and two non-answers."""
ORALS: Final[Mapping[str, Mapping[str, Any]]] = {
    "short": {"questions": 5},
    "longer": {"questions": 20},
    "one Area": {"questions": 8, "areas": ["I"]},
}
_UUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)")

Cases = Iterator[tuple[str, Any]]


def chunks() -> Cases:
    """The chunks of every file of the FAA's, with their pages and headings."""
    model = embedding_model()
    for path in sorted(one for one in (DATA / "faa").rglob("*") if one.suffix in SUFFIXES):
        drafts = chunks_of(path, model.count_tokens)
        yield str(path.relative_to(DATA)), [[one.heading, one.page_start, one.text] for one in drafts]


def chunks_of(path: Path, count_tokens: Callable[[str], int]) -> tuple[ChunkDraft, ...]:
    source = read_source(path, lambda done, of: None)
    return chunk_pages(parsed_source(source, path.name, Description()), count_tokens=count_tokens)


def claims() -> Cases:
    """What the offline extractor finds in each passage of two parts of 14 CFR."""
    chat = OfflineChatModel({"extractor": extract_drafts})
    model = embedding_model()
    for name in PARTS_OF_CFR:
        for number, one in enumerate(chunks_of(DATA / "faa" / "cfr" / name, model.count_tokens)):
            material = Material(text=one.text, heading=one.heading, section=one.section, doc_type="cfr")
            found = extract_from(material, chat).claims
            yield f"{name} {number}", [[claim.statement, claim.quotes, claim.key_facts] for claim in found]


def searches() -> Cases:
    """The ten texts that the search puts first for each question of the labelled sets."""
    stories = judged_questions(OURS / "stories")
    model = embedding_model()
    for name in ("cfr_aim", "cranfield"):
        read = read_folder(DATA / "retrieval" / name)
        asked = Folder(read.texts, (*read.questions, *(stories if name == "cfr_aim" else ())))
        with scratch_library(asked.texts, model) as (tenant, names):
            found = rankings_of(asked.questions, tenant, names, model, arms=["hybrid"])["hybrid"]
        for number, one in enumerate(found):
            yield f"{name} {number}", one.names[:FIRST]


def verdicts() -> Cases:
    """What the offline assessor says to each point of the labelled answers."""
    classifier = Classifier(load_tokenizer())
    judge = OfflineJudge(lambda: classifier)
    of_items = cases_of_items(rows_of("answers_to_items.jsonl"))
    of_claims = islice(cases_of_claims(rows_of("answers_to_claims.jsonl")), CLAIM_ANSWERS)
    for name, cases in (("item", of_items), ("claim", of_claims)):
        for number, (material, _) in enumerate(cases):
            found = judge(material)
            yield (
                f"{name} {number}",
                [found.unsafe, found.mixups, *([one.met, one.said, one.why] for one in found.points)],
            )


def routes() -> Cases:
    """The router's decision for each question about European rules, and the countries it recognizes."""
    for file in ("queries.jsonl", "development.jsonl"):
        queries = read_rows(OURS / "rules" / file, RuleQuery)
        for number, one in enumerate(route_queries(queries, QueryRouter())):
            yield f"{file} {number}", [one.path, sorted(one.countries), one.stage]


def orals() -> Cases:
    """Every frame of three orals on the demo: questions, verdicts, follow-ups, sources, progress, the end."""
    load_demo()
    student = get_user_model().objects.create_user("snapshot")
    for place, (name, order) in enumerate(ORALS.items()):
        exam = session.create_exam(student, None, order_from(order), exam_id=UUID(int=place + 1))
        work = session.open_connection(exam.pk, student.pk).work
        answers = 0
        while work:
            function, key = work
            function(key)
            exam.refresh_from_db()
            turn = Turn.objects.filter(exam=exam).order_by("-number").first()
            if turn is None or exam.status not in ("active", "planned"):
                break
            text = said_to(turn, ANSWERS[answers % len(ANSWERS)])
            work = session.take_answer(exam.pk, exam.epoch, f"a{answers}", text).work
            answers += 1
        for frame in Frame.objects.filter(exam=exam):
            yield f"{name} {frame.seq} {frame.type}", without_ids(frame.payload)


def said_to(turn: Turn, answer: str) -> str:
    expected = [one["text"] for one in turn.expectations]
    return {"all": " ".join(expected), "first": expected[0] if expected else "Yes."}.get(answer, answer)


def without_ids(payload: Any) -> str:
    """JSON with ids and times replaced by numbers, in order of first occurrence."""
    seen: dict[str, str] = {}

    def numbered(found: re.Match[str]) -> str:
        return seen.setdefault(found[0], f"#{len(seen)}")

    return _TIME.sub("#time", _UUID.sub(numbered, json.dumps(payload, sort_keys=True)))


SNAPSHOTS: Final[Mapping[str, Callable[[], Cases]]] = {
    one.__name__: one for one in (chunks, claims, routes, verdicts, searches, orals)
}


def taken(name: str) -> dict[str, str]:
    """By case, a hash of what came of it."""
    with (
        TemporaryDirectory() as media,
        scratch_database(),
        override_settings(CACHES=no_cache(), MEDIA_ROOT=media),
    ):
        return {case: _hash(found) for case, found in SNAPSHOTS[name]()}


def _hash(found: Any) -> str:
    return hashlib.sha256(json.dumps(found, default=str, sort_keys=True).encode()).hexdigest()[:12]


if __name__ == "__main__":
    json.dump(taken(sys.argv[1]), sys.stdout)
