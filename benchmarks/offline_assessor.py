"""How often the offline assessor is right on answers that people judged, and how long it takes.

`python -m benchmarks.offline_assessor` prints one JSON document. Nothing was fitted to any of these answers: the
classifier learned from `tools/training/graded`. Answers to items were written from the stems alone and judged point
by point by three other readers. Short ones have 5 to 25 words and were judged as a whole, by their writer. "Right but
for one detail" are pairs: a right answer, and the same with a few words changed so that one key point is false.
"Bluffed" ones are fluent and wrong in what matters, one in ten is right. Those in orals are first answers of played
students, most of them honest; with these two in view the limits of key words were chosen. Those in later orals were
given and judged after that, by the students themselves. The demo's accepted wordings
count, as in an exam. A right answer is accepted if it is satisfactory, and a wrong one passes if it is.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from desk.demo.content import ITEMS
from exams import conf
from exams.bank.files import ITEMS as BANK
from exams.bank.files import parse_items
from exams.bank.lint import expected_with
from exams.bank.schema import ItemText, PointText
from exams.bank.selection import MixUpKnown
from exams.domain.values import Exchange, Expectation, Met, Point
from exams.domain.verdicts import decide_verdict
from exams.examiner.assessor import Material, OfflineJudge
from exams.offline.classifier import Classifier
from knowledge.text.slots import SlotValue, fill_slots
from knowledge.text.tokens import content_words
from llm.local.minilm import load_tokenizer
from tools.training.graded_answers import TASKS_KEPT_ASIDE

DATA = Path(__file__).parents[1] / "tests" / "data"
_VERDICTS = {"right": "satisfactory", "partial": "partial", "wrong": "unsatisfactory"}
WRONG = ("wrong_number", "negated", "number", "opposite")

Row = Mapping[str, Any]
Case = tuple[Material, Sequence[Met]]
"""What is judged, and the findings that are right, in the order of its expectations."""


def measure() -> dict[str, Any]:
    """Shares and counts for each set."""
    classifier = Classifier(load_tokenizer())
    judge = OfflineJudge(lambda: classifier)
    demo = rows_of("answers_demo.jsonl")
    of_items = rows_of("answers_to_items.jsonl")
    return {
        "demo, dev": _figures(judge, [row for row in demo if row["split"] == "dev"]),
        "demo, test": _figures(judge, [row for row in demo if row["split"] == "test"]),
        "held out": _figures(judge, rows_of("answers_holdout.jsonl")),
        "held out, second": _figures(judge, rows_of("answers_unseen.jsonl")),
        "items": _figures_of_points(judge, cases_of_items(of_items)),
        "items, Tasks fitted to": _figures_of_points(judge, cases_of_items(of_items, unseen=False)),
        "items, Tasks unseen": _figures_of_points(judge, cases_of_items(of_items, unseen=True)),
        "items, right but for one detail": _figures_of_points(
            judge, cases_of_items(rows_of("answer_pairs_items.jsonl"))
        ),
        "items, short answers": _figures_of_verdicts(judge, rows_of("short_answers.jsonl")),
        "items, bluffed": _figures_of_points(judge, cases_of_items(rows_of("bluffed_answers.jsonl"))),
        "items, in orals": _figures_of_points(judge, cases_of_orals(rows_of("answers_in_orals.jsonl"))),
        "items, in later orals": _figures_of_points(
            judge, cases_of_orals(rows_of("answers_in_later_orals.jsonl"))
        ),
        "claims without items": _figures_of_points(
            judge, cases_of_claims(rows_of("answers_to_claims.jsonl"))
        ),
        "claims, right but for one detail": _figures_of_points(
            judge, cases_of_claims(rows_of("answer_pairs_claims.jsonl"))
        ),
    }


@cache
def private_items() -> dict[str, ItemText]:
    """The private pilot's items by id."""
    return {one.id: one for one in parse_items([BANK / "private"]).items}


def cases_of_items(rows: Iterable[Row], *, unseen: bool | None = None) -> Iterator[Case]:
    """The answers to items whose points are still what was judged: all, or those of Tasks unseen in fitting, or not."""
    for row in rows:
        item = private_items().get(row["item"])
        if item is None or unseen not in (None, item.id.startswith(TASKS_KEPT_ASIDE)):
            continue
        material = material_of(item, row["answer"])
        if all(row["mets"].get(one.key) for one in material.expectations):
            yield material, [row["mets"][one.key] for one in material.expectations]


def cases_of_orals(rows: Iterable[Row]) -> Iterator[Case]:
    """First answers in orals: to the question as it was asked, with the points that were expected there."""
    items = {one.id: one for one in parse_items([BANK / "private", BANK / "commercial"]).items}
    for row in rows:
        points = (
            [one for one in items[row["item"]].points if one.id in row["mets"]]
            if row["item"] in items
            else []
        )
        if len(points) == len(row["mets"]):
            material = Material(
                exchanges=(Exchange(asked=row["asked"], said=row["answer"]),),
                expectations=tuple(expectation_of(one, {}) for one in points),
                mixups=mixups_of(items[row["item"]]),
            )
            yield material, [row["mets"][one.id] for one in points]


def material_of(item: ItemText, answer: str) -> Material:
    """What is judged if this is said to the item's first question, with the first values of its slots."""
    values = {name: given[0] for name, given in item.slots.items()} | (item.cases or [{}])[0]
    return Material(
        exchanges=(Exchange(asked=fill_slots(item.stem, values), said=answer),),
        expectations=tuple(expectation_of(one, values) for one in expected_with(item, values)),
        mixups=mixups_of(item),
    )


def cases_of_claims(rows: Iterable[Row]) -> Iterator[Case]:
    """The answers to claims that no item covers: the statement alone is expected, as `manage.py grade` does."""
    for row in rows:
        expected = (Expectation(key="claim", text=row["statement"]),)
        for one in row["answers"]:
            asked = Exchange(asked=row["question"], said=one["answer"])
            yield Material(exchanges=(asked,), expectations=expected), [one["met"]]


def _figures_of_points(judge: OfflineJudge, cases: Iterable[Case]) -> dict[str, Any]:
    """Of answers of which each point was judged."""
    verdicts: Counter[tuple[str, str]] = Counter()
    seconds, optional = [], list[tuple[bool, bool]]()
    for case in cases:
        started = time.perf_counter()
        material, mets = case
        found = judge(material).points
        seconds.append(time.perf_counter() - started)
        verdicts[
            decided(material.expectations, mets), decided(material.expectations, [one.met for one in found])
        ] += 1
        optional += [
            (one.conveyed >= conf.SURELY_SAID, met == "met")
            for expected, one, met in zip(material.expectations, found, mets, strict=True)
            if expected.importance != "must" and one.met == "met"
        ]
    ordered = sorted(seconds)
    return {
        "answers": len(ordered),
        **shares_of(verdicts),
        **{f"points not required, {name}": share for name, share in shares_of_optional(optional).items()},
        "ms an answer, p95": round(1000 * ordered[int(0.95 * len(ordered))]),
    }


def shares_of_optional(called_met: Sequence[tuple[bool, bool]]) -> dict[str, str]:
    """Of points that are called met: with how many people agree, and of those that the student is told about, which are
    the surely met ones (first of each pair; the second is whether people agree)."""
    told = [agreed for sure, agreed in called_met if sure]
    every = [agreed for _, agreed in called_met]
    return {"met": f"{sum(every)} of {len(every)} right", "told": f"{sum(told)} of {len(told)} right"}


def _figures_of_verdicts(judge: OfflineJudge, rows: Iterable[Row]) -> dict[str, Any]:
    """Of answers that were judged as a whole."""
    verdicts: Counter[tuple[str, str]] = Counter()
    for row in rows:
        if item := private_items().get(row["item"]):
            material = material_of(item, row["answer"])
            found = [one.met for one in judge(material).points]
            verdicts[_VERDICTS[row["label"]], decided(material.expectations, found)] += 1
    return {"answers": verdicts.total(), **shares_of(verdicts)}


def verdicts_of(judge: OfflineJudge, case: Case) -> tuple[str, str]:
    """The verdict that is right, and the judge's."""
    material, mets = case
    found = [one.met for one in judge(material).points]
    return decided(material.expectations, mets), decided(material.expectations, found)


def mixups_of(item: ItemText) -> tuple[MixUpKnown, ...]:
    return tuple(
        MixUpKnown(text=one.text, answer=one.answer, contradicts=tuple(one.contradicts))
        for one in item.mixups
    )


def expectation_of(point: PointText, values: Mapping[str, SlotValue]) -> Expectation:
    return Expectation(
        key=point.id,
        text=fill_slots(point.text, values),
        importance="must" if point.must else "should",
        kind=point.role,
        also=tuple(fill_slots(one, values) for one in point.accept),
        reject=tuple(point.reject),
        keywords=tuple(map(tuple, point.keywords)),
    )


def decided(expected: Sequence[Expectation], mets: Iterable[Met]) -> str:
    points = [
        Point(expectation=one.text, key=one.key, importance=one.importance, met=met, kind=one.kind)
        for one, met in zip(expected, mets, strict=True)
    ]
    return decide_verdict(points).verdict


def shares_of(verdicts: Counter[tuple[str, str]]) -> dict[str, float]:
    def of(wanted: str) -> int:
        return sum(count for (label, _), count in verdicts.items() if label == wanted)

    same = sum(count for (label, found), count in verdicts.items() if label == found)
    return {
        "right ones accepted": round(verdicts["satisfactory", "satisfactory"] / of("satisfactory"), 3),
        "wrong ones passed": round(verdicts["unsatisfactory", "satisfactory"] / of("unsatisfactory"), 3),
        "same verdict": round(same / verdicts.total(), 3),
    }


def _material(row: Row, expected: tuple[Expectation, ...]) -> Material:
    return Material(exchanges=(Exchange(asked=row["question"], said=row["answer"]),), expectations=expected)


@cache
def _points() -> tuple[tuple[frozenset[str], tuple[str, ...]], ...]:
    """The words of the statement of each point of the demo's items, and the wordings it accepts."""
    points = [point for item in parse_items([ITEMS]).items for point in item.points]
    return tuple((frozenset(content_words(point.text)), tuple(point.accept)) for point in points)


@cache
def wordings_for(statement: str) -> tuple[str, ...]:
    """What the demo's items accept for a statement, where a point says all of it."""
    words = frozenset(content_words(statement))
    return tuple(one for said, accept in _points() if said == words for one in accept)


def rows_of(name: str) -> list[Row]:
    return [json.loads(line) for line in (DATA / name).read_text().splitlines() if line.strip()]


def _figures(judge: OfflineJudge, rows: Iterable[Row]) -> dict[str, Any]:
    counts: Counter[str] = Counter()
    seconds = []
    for row in rows:
        started = time.perf_counter()
        verdict = _verdict(judge, row)
        seconds.append(time.perf_counter() - started)
        counts.update(_outcome(row, verdict))
    return {
        "answers": counts["all"],
        "right": round(counts["right"] / counts["all"], 3),
        "paraphrases": counts["paraphrase"],
        "paraphrases failed": counts["paraphrase failed"],
        "wrong number or negation": counts["wrong"],
        "of these passed": counts["wrong passed"],
        "ms an answer, median": round(1000 * sorted(seconds)[len(seconds) // 2]),
    }


def _outcome(row: Row, verdict: str) -> Iterable[str]:
    label = row.get("label") or row["verdict"]
    kind = row.get("category") or row["kind"]
    yield "all"
    if verdict == ("unsatisfactory" if label == "contradicted" else label):
        yield "right"
    if kind == "paraphrase":
        yield from ("paraphrase", "paraphrase failed") if verdict != "satisfactory" else ("paraphrase",)
    if kind in WRONG:
        yield from ("wrong", "wrong passed") if verdict == "satisfactory" else ("wrong",)


def _verdict(judge: OfflineJudge, row: Row) -> str:
    expected = tuple(Expectation(**one, also=wordings_for(one["text"])) for one in row["expectations"])
    reply = judge(_material(row, expected))
    return decided(expected, [one.met for one in reply.points])


def main() -> None:
    json.dump(measure(), sys.stdout, indent=2)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
