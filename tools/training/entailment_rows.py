"""Write the rows that the entailment model is fitted to: a passage, a statement, and whether the one supports the
other.

`python -m tools.training.entailment_rows PASSAGES ROWS` reads what `faa_passages` wrote, the item bank, the graded
answers, and `entailment/pairs.jsonl`. Documents in `KEPT_ASIDE` give no row, and neither do items and answers that rest
on them, so that accuracy can be reported for documents never seen. The same inputs give the same rows.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from exams.bank.files import ITEMS as BANK
from exams.bank.files import read_items
from exams.bank.lint import expected_with
from knowledge.text.sentences import sentences_in
from knowledge.text.slots import fill_slots
from knowledge.text.tokens import content_words
from tools.training.altered_statements import (
    FOLDER,
    altered_statements,
    reworded,
    true_statements,
    with_section,
)
from tools.training.faa_passages import with_passages
from tools.training.graded_answers import Row as Graded
from tools.training.graded_answers import lines_of, written_rows

LABELS: Final = ("supported", "contradicted", "not there")
KEPT_ASIDE: Final = (
    "phak/phak_ch10", "phak/phak_ch15", "cfr/14cfr_part043", "cfr/14cfr_part067", "cfr/14cfr_part068",
    "aim/03 ", "aim/09 ", "pdf/ac_90-66c",
)  # fmt: skip
SOURCES_KEPT_ASIDE: Final = re.compile(r"PHAK ch\. (?:10|15)|14 CFR (?:43|67|68)|AIM [39]-|AC 90-66")
SEED: Final = 21
SHORTEST, LONGEST = 6, 48
"""Words of a sentence that statements are made of."""
ALTERED: Final = 3
TAKEN: Final = {
    "aim/": 0.3,
    "cfr/14cfr_part091": 0.4,
    "cfr/14cfr_part061": 0.3,
    "pcg/": 0.5,
    "pdf/FAA-H": 0.3,
}
"""Share of a document's sentences that statements are made of; of others, all."""
RARE: Final = {
    "unless turned",
    "swapped pair",
    "day or night",
    "exception",
    "exception left out",
    "who",
    "class",
}
_LEAD: Final = re.compile(r"^(.{12,220}?)(?:—|:)$")
_ITEM: Final = re.compile(r"^\((?:\d{1,2}|[a-z]{1,4}|[A-Z])\) (.+?)(?:; and|; or|;|,|\.)?$")


@dataclass(frozen=True, slots=True)
class Pair:
    """`kind` says how the statement was made, `source` of what."""

    passage: str
    statement: str
    label: str
    kind: str
    source: str


# --- From the FAA's documents -------------------------------------------------------------------------------------


def read_passages(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def is_kept_aside(passage: dict[str, str]) -> bool:
    return passage["doc"].startswith(KEPT_ASIDE)


def pairs_of_passages(passages: Sequence[dict[str, str]], random: Random) -> Iterator[Pair]:
    by_doc = defaultdict(list)
    for one in passages:
        by_doc[one["doc"]].append(one)
    for told in by_doc.values():
        for place, one in enumerate(told):
            near = told[max(0, place - 2) : place] + told[place + 1 : place + 3]
            others = [s.text for it in near for s in sentences_in(it["text"]) if _is_usable(s.text)]
            yield from _pairs_of_passage(one, others, random)
            if random.random() < 0.5:
                yield from _pairs_of_lists(one["text"], random)


def _is_usable(sentence: str) -> bool:
    words = sentence.split()
    letters = sum(one.isalpha() or one.isspace() for one in sentence)
    return (
        SHORTEST <= len(words) <= LONGEST
        and sentence.endswith(".")
        and sentence[0].isupper()
        and letters > 0.85 * len(sentence)
        and not sentence.startswith(("Figure", "FIG", "NOTE", "TBL", "REFERENCE"))
    )


def _window(sentences: Sequence[str], place: int, random: Random) -> tuple[list[str], int]:
    """Some sentences in a row, and the place of the one."""
    start = max(0, place - random.choice((0, 0, 1, 2, 3, 5)))
    end = place + 1 + random.choice((0, 1, 2, 3, 5))
    return list(sentences[start:end]), place - start


def _pairs_of_passage(passage: dict[str, str], others: Sequence[str], random: Random) -> Iterator[Pair]:
    sentences = [one.text for one in sentences_in(passage["text"])]
    share = next((share for name, share in TAKEN.items() if passage["doc"].startswith(name)), 1.0)
    section = re.search(r"§ ?(\d+\.\d+)", passage["text"][:40])
    for place, sentence in enumerate(sentences):
        if random.random() > share or not _is_usable(sentence):
            continue
        window, at = _window(sentences, place, random)
        yield from _pairs_of_sentence(window, at, others, random)
        if section and random.random() < 0.25:
            whole = " ".join([sentences[0], *window] if place else window)
            number = section[1]
            wrong = (
                f"{number.split('.')[0]}.{int(number.split('.')[1]) + random.choice((-10, -2, 2, 4, 8, 12))}"
            )
            yield Pair(whole, with_section(sentence, number, random), "supported", "section named", "faa")
            yield Pair(whole, with_section(sentence, wrong, random), "contradicted", "section", "faa")


def _pairs_of_sentence(window: list[str], at: int, others: Sequence[str], random: Random) -> Iterator[Pair]:
    sentence, whole = window[at], " ".join(window)
    true = true_statements(sentence, random)
    for kind, said in random.sample(true, min(2, len(true))):
        yield Pair(whole, reworded(said, random) if random.random() < 0.6 else said, "supported", kind, "faa")
    made = altered_statements(sentence, random)
    made.sort(key=lambda one: one[0] not in RARE and random.random() < 0.5)
    for kind, said in made[:ALTERED]:
        told = reworded(said, random) if random.random() < 0.5 else said
        yield Pair(whole, told, "contradicted", kind, "faa")
        if random.random() < 0.35:  # the altered one as the source: no wording gives a label away
            turned = " ".join([*window[:at], said, *window[at + 1 :]])
            yield Pair(turned, sentence, "contradicted", kind, "faa, turned")
            yield Pair(turned, reworded(said, random), "supported", kind, "faa, turned")
    rest = " ".join([*window[:at], *window[at + 1 :]])
    if len(rest) > 60:
        yield Pair(rest, reworded(sentence, random), "not there", "left out", "faa")
    if others:
        other = random.choice(others)
        yield Pair(
            whole, other if random.random() < 0.5 else reworded(other, random), "not there", "near by", "faa"
        )
        if random.random() < 0.25:
            both = f"{sentence.rstrip('.')}, and {other[0].lower()}{other[1:]}"
            yield Pair(whole, both, "not there", "added", "faa")
    if len(window) > 1 and random.random() < 0.2:
        second = window[at - 1] if at else window[1]
        yield Pair(whole, f"{reworded(sentence, random)} {second}", "supported", "two sentences", "faa")
        if made:
            yield Pair(whole, f"{second} {made[0][1]}", "contradicted", "two sentences", "faa")


def _pairs_of_lists(text: str, random: Random) -> Iterator[Pair]:
    """A lead with one of its items, as one sentence: "each pilot must—" "(1) carry a certificate;"."""
    lead, taken = "", ""
    for line in text.split("\n"):
        line = line.strip()
        if found := _LEAD.match(re.sub(r"^\([a-z0-9]{1,3}\) ", "", line)):
            lead, taken = found[1], text[: text.find(line)][-200:] + line
        elif lead and (item := _ITEM.match(line)) and len(item[1].split()) > 2:
            sentence = f"{lead} {item[1][0].lower()}{item[1][1:]}."
            taken = f"{taken}\n{line}"
            if len(sentence.split()) <= LONGEST:
                yield Pair(taken, reworded(sentence, random), "supported", "list", "faa")
                for kind, said in altered_statements(sentence, random)[:2]:
                    yield Pair(taken, said, "contradicted", kind, "faa")
        elif not line.startswith("("):
            lead = ""


# --- From the item bank and graded answers ------------------------------------------------------------------------

_LABEL: Final = {
    "met": "supported",
    "contradicted": "contradicted",
    "half": "not there",
    "missing": "not there",
}


@cache
def _texts_kept_aside() -> frozenset[str]:
    """The stems and points of items that rest on a document that is kept aside."""
    found = set()
    for item in read_items([BANK / "private", BANK / "commercial"]).items:
        values = {name: given[0] for name, given in item.slots.items()} | (item.cases or [{}])[0]
        sources = [one for point in item.points for one in point.source]
        if any(SOURCES_KEPT_ASIDE.search(str(one)) for one in sources):
            found.add(fill_slots(item.stem, values))
            found.update(fill_slots(point.text, values) for point in item.points)
    return frozenset(found)


def pairs_of_items(random: Random) -> Iterator[Pair]:
    """Points with their accepted wordings and mix-ups."""
    items = [*read_items([BANK / "private", BANK / "commercial"]).items]
    told: list[str] = []
    for item in items:
        values = {name: given[0] for name, given in item.slots.items()} | (item.cases or [{}])[0]
        texts = {one.id: fill_slots(one.text, values) for one in expected_with(item, values)}
        if _texts_kept_aside() & set(texts.values()):
            continue
        whole = " ".join(texts.values())
        for point in expected_with(item, values):
            for wording in random.sample(point.accept, min(3, len(point.accept))):
                passage = random.choice((texts[point.id], whole))
                yield Pair(passage, fill_slots(wording, values), "supported", "accepted wording", "bank")
            for kind, said in altered_statements(texts[point.id], random)[:3]:
                yield Pair(whole, said, "contradicted", kind, "bank")
            for kind, said in true_statements(texts[point.id], random)[:2]:
                yield Pair(whole, said, "supported", kind, "bank")
            if told:
                yield Pair(random.choice(told), texts[point.id], "not there", "near by", "bank")
        for mixup in item.mixups:
            if mixup.contradicts:
                yield Pair(f"{whole} {mixup.answer}", mixup.text, "contradicted", "mix-up", "bank")
            yield (
                Pair(whole, mixup.answer, "supported", "mix-up corrected", "bank")
                if mixup.contradicts
                else Pair(mixup.answer, mixup.answer, "supported", "same", "bank")
            )
        told = [*told[-3:], whole]


def pairs_of_answers(passages: Sequence[dict[str, str]], random: Random) -> Iterator[Pair]:
    """Graded answers, in both directions: an answer states a point or not; the points support an answer or not."""
    sentences = _places_of_sentences(passages)
    known = {row for row in sentences if is_kept_aside(sentences[row])}
    for row in written_rows():
        if row.question in _texts_kept_aside() or any(_key(one.text) in known for one in row.points):
            continue
        yield from _pairs_of_answer(row, sentences, random)


def _pairs_of_answer(row: Graded, sentences: dict[str, dict[str, str]], random: Random) -> Iterator[Pair]:
    graded = [one for one in row.points if one.met]
    if not graded or len(row.answer.split()) < 4:
        return
    one = random.choice(graded)
    if random.random() < (0.25 if row.source in ("statements", "public") else 0.5):
        wording = random.choice((one.text, one.text, *one.wordings))
        told = f"{row.question} {row.answer}"
        yield Pair(told, wording, _LABEL[str(one.met)], "answer", row.source)
    mets = {str(point.met) for point in graded}
    if len(graded) < len(row.points) or (row.source == "statements" and random.random() < 0.5):
        return
    label = "contradicted" if "contradicted" in mets else "supported" if mets <= {"met"} else ""
    label = "not there" if mets == {"missing"} and random.random() < 0.3 else label
    if label:
        told = " ".join(point.text for point in random.sample(graded, len(graded)))
        passage = sentences.get(_key(graded[0].text)) if len(graded) == 1 else None
        told = _around(passage["text"], graded[0].text, random) if passage else told
        yield Pair(told, row.answer, label, "answer as statement", row.source)


def _key(text: str) -> str:
    return " ".join(content_words(text)[:7])


def _places_of_sentences(passages: Sequence[dict[str, str]]) -> dict[str, dict[str, str]]:
    return {_key(one.text): passage for passage in passages for one in sentences_in(passage["text"])}


def _around(text: str, sentence: str, random: Random) -> str:
    sentences = [one.text for one in sentences_in(text)]
    place = next((at for at, one in enumerate(sentences) if _key(one) == _key(sentence)), 0)
    window, _ = _window(sentences, place, random)
    return " ".join(window)


def pairs_of_changes(random: Random) -> Iterator[Pair]:
    """A right answer and the same with a few words changed: the sentence that was changed, before and after."""
    for name in ("items", "claims"):
        for before, after, told in _changed_answers(name):
            at = _first_change(before, after)
            for answer, label in ((before, "supported"), (after, "contradicted")):
                sentence = next((one.text for one in sentences_in(answer) if one.end > at), "")
                if len(sentence.split()) > 4:
                    yield Pair(told, sentence, label, "one detail", name)
            yield Pair(after, before, "contradicted", "one detail", name)


def _changed_answers(name: str) -> Iterator[tuple[str, str, str]]:
    """Right answers, changed ones, and what the points say."""
    if name == "claims":
        for line in lines_of(FOLDER.parent / "graded" / "claims.jsonl"):
            for one, other in zip(line["answers"], line["answers"][1:], strict=False):
                if (one["met"], other["met"]) == ("met", "contradicted") and _is_near(
                    one["answer"], other["answer"]
                ):
                    yield one["answer"], other["answer"], line["statement"]
        return
    last: Any = None
    points = _points_by_item()
    for line in lines_of(FOLDER.parent / "graded" / "items.jsonl"):
        if last and last["item"] == line["item"] in points and _is_near(last["answer"], line["answer"]):
            turned = "contradicted" in line["mets"].values() and "contradicted" not in last["mets"].values()
            if turned and "half" not in last["mets"].values():
                yield last["answer"], line["answer"], points[line["item"]]
        last = line


def _points_by_item() -> dict[str, str]:
    found = {}
    for item in read_items([BANK / "private", BANK / "commercial"]).items:
        values = {name: given[0] for name, given in item.slots.items()} | (item.cases or [{}])[0]
        texts = [fill_slots(one.text, values) for one in expected_with(item, values)]
        if not _texts_kept_aside() & set(texts):
            found[item.id] = " ".join(texts)
    return found


def _is_near(one: str, other: str) -> bool:
    return one != other and SequenceMatcher(None, one.split(), other.split(), autojunk=False).ratio() > 0.8


def _first_change(one: str, other: str) -> int:
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def written_pairs(passages: Path) -> Iterator[Pair]:
    """Those that were written by hand, on the FAA's passages or on passages that were written, too."""
    for row in with_passages(lines_of(FOLDER / "pairs.jsonl"), lines_of(passages)):
        yield Pair(row["passage"], row["claim"], row["label"], row["kind"], "written")


def main(passages: str, target: str, *only: str) -> None:
    """Only "aside" writes the rows of the documents that are kept aside: for measuring."""
    random = Random(SEED)
    read = read_passages(Path(passages))
    fitted = [one for one in read if is_kept_aside(one) == bool(only)]
    with Path(target).open("w", encoding="utf-8") as file:
        for made in (
            (pairs_of_passages(fitted, random),)
            if only
            else (
                pairs_of_passages(fitted, random),
                pairs_of_items(random),
                pairs_of_answers(read, random),
                pairs_of_changes(random),
                written_pairs(Path(passages)),
            )
        ):
            file.writelines(
                json.dumps(asdict(one)) + "\n"
                for one in made
                if one.statement.strip() and one.passage.strip()
            )


if __name__ == "__main__":
    main(*sys.argv[1:])
