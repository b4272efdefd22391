"""Turn graded answers, the item bank, and `../shared/data/grading` into the rows that the offline assessor is fitted
to.

A row is a question, an answer, and key points with a finding for each (None: not known, not fitted to). Two Tasks of
the private bank are held out completely, so that accuracy can be reported for Tasks never seen in fitting. `python -m
tools.training.graded_answers ROWS` writes them, one JSON object a line; with a number after it, those of a short fit to
as many of the latest answers. The same inputs give the same rows.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from desk.demo.content import ITEMS as DEMO
from exams.bank.files import ITEMS as BANK
from exams.bank.files import read_items
from exams.bank.lint import expected_with
from exams.domain.values import Met
from knowledge.text.opposites import opposite_pairs
from knowledge.text.sentences import sentences_in
from knowledge.text.slots import fill_slots
from knowledge.text.synonyms import idea_set
from knowledge.text.tokens import content_words

HERE: Final = Path(__file__).parent / "graded"
VALIDATION: Final = HERE / "validation"
"""Answers that nothing is fitted to: `choose_bars.py` reads them."""
SHARED: Final = Path(__file__).parents[3] / "shared" / "data" / "grading"
TASKS_KEPT_ASIDE: Final = ("pa.i.e.", "pa.vii.b.")
"""Beginnings of item ids: airspace and power-off stalls, a Task of rules and one of the airplane."""
SEED: Final = 5
LATEST_TIMES: Final = 2
OTHERS_SHARE: Final = 0.07
"""How often a short fit reads the latest answers, and the share of all others."""
DICTATED: Final = 0.15
_PUNCTUATION: Final = re.compile(r"(?<!\d)[.,;:!?]|[.,;:!?](?!\d)")
_PUBLIC: Final[Mapping[str, Met]] = {
    "correct": "met",
    "contradictory": "contradicted",
    "incorrect": "missing",
    "partial": "half",
}


@dataclass(frozen=True, slots=True)
class GradedPoint:
    """A key point as in `exams.offline.features.PointText`, with the judge's finding."""

    text: str
    role: str
    wordings: tuple[str, ...]
    met: Met | None
    against: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """`source` says which kind of row it is, so that kinds can be weighed."""

    source: str
    question: str
    answer: str
    points: tuple[GradedPoint, ...]


@dataclass(frozen=True, slots=True)
class Rubric:
    """An item with its slots filled: what is asked and expected, and which points (places) each mix-up contradicts."""

    stem: str
    ids: tuple[str, ...]
    points: tuple[GradedPoint, ...]
    mixups: tuple[tuple[str, tuple[int, ...]], ...]

    def graded(self, mets: Mapping[str, Met | None]) -> tuple[GradedPoint, ...]:
        return tuple(replace(one, met=mets.get(id_)) for id_, one in zip(self.ids, self.points, strict=True))


@cache
def rubrics() -> dict[str, Rubric]:
    """By item id, without the Tasks that are kept aside."""
    found = {}
    for item in read_items([BANK / "private", BANK / "commercial"]).items:
        if item.id.startswith(TASKS_KEPT_ASIDE):
            continue
        values = {name: given[0] for name, given in item.slots.items()} | (item.cases or [{}])[0]
        expected = expected_with(item, values)
        ids = tuple(one.id for one in expected)
        found[item.id] = Rubric(
            stem=fill_slots(item.stem, values),
            ids=ids,
            points=tuple(
                GradedPoint(
                    text=fill_slots(one.text, values),
                    role=one.role,
                    wordings=tuple(fill_slots(w, values) for w in one.accept),
                    met=None,
                    against=tuple(mixup.text for mixup in item.mixups if one.id in mixup.contradicts),
                )
                for one in expected
            ),
            mixups=tuple(
                (one.text, tuple(ids.index(id_) for id_ in one.contradicts if id_ in ids))
                for one in item.mixups
            ),
        )
    return found


def rows() -> Iterator[Row]:
    """All of them."""
    of_items = list(_answers_to_items())
    of_claims = list(_answers_to_claims())
    yield from of_items
    yield from of_claims
    yield from _dictated([*of_items, *of_claims], Random(SEED))
    yield from _with_an_opposite_word([*of_items, *of_claims], Random(SEED))
    yield from _answers_to_statements()
    yield from _public_answers()
    yield from _composed(Random(SEED))
    yield from _tricks(of_items, Random(SEED))
    yield from _off_topic(of_items, Random(SEED))
    yield from _said_alone(Random(SEED))


def rows_of_short_fit(latest: int) -> Iterator[Row]:
    """For a fit of some minutes from the weights in use: the last answers of `items.jsonl` again and again, partial
    ones also with what they lack said after them, accepted wordings alone, and some of all other rows, so that nothing
    is forgotten."""
    random = Random(SEED)
    of_items = list(_answers_to_items())
    for row in of_items[-latest:]:
        yield from [row] * LATEST_TIMES
        lacking = [place for place, one in enumerate(row.points) if one.met == "missing" and one.wordings]
        if lacking and any(one.met == "met" for one in row.points):
            place = random.choice(lacking)
            said = random.choice(row.points[place].wordings)
            points = [_without(one, said, "met") if at == place else one for at, one in enumerate(row.points)]
            yield Row("composed", row.question, f"{row.answer.rstrip('.')}. {said}", tuple(points))
    yield from _said_alone(random)
    yield from (row for row in rows() if random.random() < OTHERS_SHARE)


def _said_alone(random: Random) -> Iterator[Row]:
    """One accepted wording an item and nothing else, as a follow-up is answered: the other points are missing. Without
    these a short answer is taken for a whole one."""
    for rubric in rubrics().values():
        able = [place for place, one in enumerate(rubric.points) if one.wordings]
        if able and len(rubric.points) > 1:
            place = random.choice(able)
            said = random.choice(rubric.points[place].wordings)
            points = (
                _without(one, said, "met") if at == place else replace(one, met="missing")
                for at, one in enumerate(rubric.points)
            )
            yield Row("composed", rubric.stem, said, tuple(points))


def _without(point: GradedPoint, said: str, met: Met) -> GradedPoint:
    """The point with a finding, without the wording that is said."""
    return replace(point, wordings=tuple(one for one in point.wordings if one != said), met=met)


def written_rows() -> Iterator[Row]:
    """Those that people wrote."""
    yield from _answers_to_items()
    yield from _answers_to_claims()
    yield from _answers_to_statements()
    yield from _public_answers()


def lines_of(file: Path) -> Iterator[Any]:
    """The rows of a file of JSON lines, none where it is absent."""
    if file.is_file():
        yield from map(json.loads, filter(None, file.read_text("utf-8").splitlines()))


def _answers_to_items() -> Iterator[Row]:
    """A key point that the item has since got was not judged."""
    for line in lines_of(HERE / "items.jsonl"):
        rubric = rubrics().get(line["item"])
        if rubric and set(rubric.ids) & set(line["mets"]):
            yield Row("items", rubric.stem, line["answer"], rubric.graded(line["mets"]))


def _answers_to_claims() -> Iterator[Row]:
    for line in lines_of(HERE / "claims.jsonl"):
        for one in line["answers"]:
            point = GradedPoint(line["statement"], "rule", (), one["met"])
            yield Row("claims", line["question"], one["answer"], (point,))


def _answers_to_statements() -> Iterator[Row]:
    """Of the demo's claims and others, with the wordings that the demo's items accept."""
    statements = json.loads((HERE / "statements.json").read_text("utf-8"))
    for file in sorted(HERE.glob("*.jsonl")):
        for line in lines_of(file) if file.name not in ("items.jsonl", "claims.jsonl") else ():
            points = tuple(
                GradedPoint(statements[key]["text"], statements[key]["kind"], _accepted(statements[key]["text"]), met)
                for key, met in zip(line["keys"], line["met"], strict=True)
            )  # fmt: skip
            yield Row("statements", line["question"], line["answer"], points)


@cache
def _demo_points() -> tuple[tuple[frozenset[str], tuple[str, ...]], ...]:
    points = [point for item in read_items([DEMO]).items for point in item.points]
    return tuple((frozenset(content_words(one.text)), tuple(one.accept)) for one in points)


@cache
def _accepted(statement: str) -> tuple[str, ...]:
    words = frozenset(content_words(statement))
    return tuple(one for said, accept in _demo_points() if said == words for one in accept)


def _public_answers() -> Iterator[Row]:
    for file in ("semeval_train_3way.jsonl", "handbook_answers.jsonl"):
        for line in lines_of(SHARED / file):
            reference = [line["reference"]] if isinstance(line["reference"], str) else line["reference"]
            point = GradedPoint(reference[0], "explain", tuple(reference[1:]), _PUBLIC[line["label"]])
            yield Row("public", line["question"], line["answer"], (point,))


def _dictated(written: Sequence[Row], random: Random) -> Iterator[Row]:
    """Some of the answers once more, as somebody dictates them: lower case, no punctuation but in figures."""
    for row in written:
        if random.random() < DICTATED:
            yield replace(row, answer=_PUNCTUATION.sub("", row.answer).lower())


OPPOSED: Final = 0.6
"""How often an answer that allows it is taken once more with one word replaced by its opposite."""
_WORD: Final = re.compile(r"[a-z]+")


def _with_an_opposite_word(written: Sequence[Row], random: Random) -> Iterator[Row]:
    """Answers with one word of a met point replaced by its opposite: fluent, right in everything else, and wrong. In
    about one in five, the point does not depend on the word."""
    other = {ours: theirs for one in opposite_pairs() for ours, theirs in (one, one[::-1])}
    for row in written:
        words = _WORD.findall(row.answer.lower())
        able = [one for one in other if words.count(one) == 1 and other[one] not in words]
        random.shuffle(able)
        for word in able:
            bearing = [at for at, one in enumerate(row.points) if word in _WORD.findall(one.text.lower())]
            if len(bearing) != 1 or row.points[bearing[0]].met != "met":
                continue
            if word in _WORD.findall(_nearest_sentence(row.points[bearing[0]].text, row.answer).lower()):
                if random.random() < OPPOSED:
                    answer = re.sub(rf"\b{word}\b", other[word], row.answer, flags=re.IGNORECASE)
                    points = list(row.points)
                    points[bearing[0]] = replace(points[bearing[0]], met="contradicted")
                    yield Row("opposite word", row.question, answer, tuple(points))
                break


def _nearest_sentence(text: str, answer: str) -> str:
    """The sentence that shares most ideas with a text, "" where none shares two."""
    wanted = idea_set(text)
    shared = [(len(idea_set(one.text) & wanted), one.text) for one in sentences_in(answer)]
    most, sentence = max(shared, default=(0, ""), key=lambda one: one[0])
    return sentence if most > 1 else ""


# --- Rows made from the bank itself ---------------------------------------------------------------------------

_OPENINGS: Final = ("", "", "so, ", "okay, ", "well ", "um, ", "I'd say ", "from memory, ")
_JOINTS: Final = (". ", ", and ", " and ", "; ", ", then ", ". also ", ". Oh and ", " plus ")
_TAKEN_BACK: Final = (
    "None of that is so.", "That's all wrong.", "At least that is what people say, but it's false.",
    "No, the opposite is true.", "But that isn't true.", "I made that up, it's not correct.",
)  # fmt: skip
_DENYING: Final = (
    "It's wrong to say that ", "It isn't the case that ", "I don't believe that ", "People claim, wrongly, that ",
)  # fmt: skip
_UNSURE: Final = ("Could be that ", "Maybe ", "I couldn't say if ", "No idea if it's true that ")
_UNSURE_ENDS: Final = (", or maybe not.", " or the other way round.", ", or it isn't; one of the two.")
_EMPTY: Final = ("It's about ", "That has to do with ", "The regs cover ", "You have to think of ")
_QUOTING: Final = ("According to the regs, ", "As the handbook says, ", "Per 14 CFR, ", "The FAA says ")
_EITHER: Final = (
    "It's either {} or {}.", "{}. Or {}, one of the two.", "Could be {}. Could be {}.", "{} or else {}, whichever.",
    "One of these: {}; {}.", "I'd say {}. Or maybe {}, I can't say which.",
)  # fmt: skip
TRICKS: Final = 4
COMPOSED: Final = 3
"""Composed answers an item: some of its points in accepted wordings, the others left out."""


def _joined(parts: Sequence[str], random: Random) -> str:
    said = random.choice(_OPENINGS)
    for place, part in enumerate(parts):
        part = part.strip().rstrip(".")
        part = part if random.random() < 0.6 else part[:1].lower() + part[1:]
        said += (random.choice(_JOINTS) if place else "") + part
    return said + random.choice((".", "", ", that's it"))


def _composed(random: Random) -> Iterator[Row]:
    """Accepted wordings put together; a wording that is said is mostly not among those shown beside its point."""
    for rubric in rubrics().values():
        for _ in range(COMPOSED):
            said = [place for place in range(len(rubric.points)) if random.random() < 0.62] or [0]
            contradicted: tuple[int, ...] = ()
            mixup = ""
            if rubric.mixups and random.random() < 0.35:
                mixup, contradicted = random.choice(rubric.mixups)
            points, parts = [], [mixup] if contradicted else []
            for place, point in enumerate(rubric.points):
                if place in contradicted:
                    kept = tuple(one for one in point.against if one != mixup or random.random() < 0.25)
                    points.append(replace(point, against=kept, met="contradicted"))
                elif place in said:
                    wording = random.choice(point.wordings or (point.text,))
                    kept = tuple(one for one in point.wordings if one != wording or random.random() < 0.25)
                    parts.append(wording)
                    points.append(replace(point, wordings=kept, met="met"))
                else:
                    points.append(replace(point, met="missing"))
            random.shuffle(parts)
            if parts:
                yield Row("composed", rubric.stem, _joined(parts, random), tuple(points))


def _tricks(of_items: Sequence[Row], random: Random) -> Iterator[Row]:
    """Some an item: taken back, denied, both ways, words in a heap or around nothing; and a point said as it stands.
    They use the item's own texts and right answers to it."""
    right: dict[str, list[str]] = defaultdict(list)
    for row in of_items:
        if all(one.met == "met" for one in row.points):
            right[row.question].append(row.answer)
    for rubric in rubrics().values():
        for _ in range(TRICKS):
            yield _trick(rubric, right[rubric.stem], random)
        point = random.choice(rubric.points)
        quoted = random.choice(("", random.choice(_QUOTING))) + point.text
        yield Row("said", rubric.stem, quoted, (replace(point, wordings=(), against=(), met="met"),))


def _trick(rubric: Rubric, right: Sequence[str], random: Random) -> Row:
    full = [random.choice((*one.wordings, one.text)) for one in rubric.points]
    whole = random.choice(right) if right and random.random() < 0.5 else _joined(full, random)
    whole = whole.strip().rstrip(".")
    place = random.randrange(len(full))
    one = full[place].rstrip(".")
    terms = [word.strip(".,;") for text in (*full, *right[:1]) for word in text.split() if len(word) > 4]
    random.shuffle(terms)
    empty = random.choice(_EMPTY) + ", ".join(terms[:5]) + random.choice((", safety first.", " and so on."))
    tricks: list[tuple[str, Met, bool]] = [
        (f"{whole}. {random.choice(_TAKEN_BACK)}", "contradicted", True),
        (f"{random.choice(_DENYING)}{one}.", "contradicted", False),
        (random.choice((", ", " ")).join(terms[: random.randrange(8, 60)]), "missing", True),
        (empty, "missing", True),
        (f"{random.choice(_UNSURE)}{one}{random.choice(_UNSURE_ENDS)}", "missing", False),
    ]
    if rubric.mixups:
        both = [whole, random.choice(rubric.mixups)[0].strip().rstrip(".")]
        random.shuffle(both)
        tricks += [(random.choice(_EITHER).format(*both), "missing", True)] * 2
    answer, met, of_all = random.choice(tricks)
    points = rubric.points if of_all else rubric.points[place : place + 1]
    return Row("tricks", rubric.stem, answer, tuple(replace(point, met=met) for point in points))


def _off_topic(of_items: Sequence[Row], random: Random) -> Iterator[Row]:
    """Answers to questions of elsewhere in the bank."""
    for rubric in rubrics().values() if of_items else ():
        other = random.choice(of_items)
        if other.question != rubric.stem:
            points = tuple(replace(point, met="missing") for point in rubric.points)
            yield Row("off topic", rubric.stem, other.answer, points)


def main(target: str, latest: str = "") -> None:
    wanted = rows_of_short_fit(int(latest)) if latest else rows()
    with Path(target).open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(asdict(row)) + "\n" for row in wanted)


if __name__ == "__main__":
    main(*sys.argv[1:])
