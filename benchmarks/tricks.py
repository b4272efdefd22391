"""How often the offline assessor calls a trick answer satisfactory, over half of the item bank.

`python -m benchmarks.tricks` prints one JSON document. Every second item of the private bank gets each trick once. None
of these wordings is among those that the assessor was fitted to (`tools/training/graded_answers.py`).

`tests/data/wordings_around_statements.json` was written apart from `exams/offline`: families of words around a right
statement that do not assert it, and honest wordings, which do. ADR 14 has the first measurement, before anything was
changed because of it. Of the items whose plain answer is satisfactory, each honest wording has to be
accepted as well.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.offline_assessor import decided, expectation_of, mixups_of, private_items
from exams.bank.lint import expected_with
from exams.bank.schema import ItemText
from exams.domain.values import Exchange
from exams.examiner.assessor import Material, OfflineJudge
from exams.offline.classifier import Classifier
from knowledge.text.slots import fill_slots
from llm.local.minilm import load_tokenizer

EVERY: Final = 2
SEED: Final = 11
FIXED: Final = (
    "The pilot in command is responsible for the safety of the flight and has to check the weather, the fuel, the "
    "weight and balance, the performance and the papers. It is at least 3 statute miles, 500 feet below, 1,000 "
    "feet above and 2,000 feet horizontally, 90 days, 24 calendar months, 8 hours, 30 minutes by day and 45 at "
    "night, 12,500 feet and 14,000 feet, 250 knots below 10,000 feet, 91.103, 61.57 and 91.205. The hazard is "
    "loss of control, which is likely and severe, so I would mitigate the risk with personal minimums, the "
    "checklist, PAVE and IMSAFE, a diversion or a delay, and tell ATC. The airspeed, the angle of attack, the "
    "load factor and the density altitude matter, the certificate, the medical and the logbook have to be on "
    "board, and the airworthiness and registration certificates, the operating handbook and the inspections "
    "within the time that is prescribed."
)
_TERM_LETTERS: Final = 4
_PAGE_ITEMS: Final = 30
_SMALL_TALK: Final = 12
_NUMBER: Final = re.compile(r"\b\d[\d,]*\b(?!\.\d)(?<!\.\d)")
WORDINGS: Final = Path(__file__).parents[1] / "tests" / "data" / "wordings_around_statements.json"
APART_EVERY: Final = 4
"""Of the items that are asked, those that get the wordings written apart."""
HONEST_EACH: Final = 4


def tricks(item: ItemText, bank: Sequence[ItemText], random: Random) -> dict[str, str]:
    """By family, for one item with the first values of its slots."""
    texts = texts_of(item)
    right = " ".join(texts)
    terms = [word.strip(".,;") for word in right.split() if len(word) >= _TERM_LETTERS]
    random.shuffle(terms)
    page = [text for other in (*random.sample(list(bank), _PAGE_ITEMS), item) for text in texts_of(other)]
    random.shuffle(page)
    low = [f"{text[:1].lower()}{text[1:].rstrip('.')}" for text in texts]
    task = task_of(item)
    elsewhere = random.choice([other for other in bank if task_of(other) != task])
    altered = _NUMBER.sub(lambda found: str(int(found[0].replace(",", "")) * 2 + 1), right)
    found = {
        "terms shuffled": " ".join(terms),
        "terms in a list": ", ".join(sorted(terms)),
        "one fixed text": FIXED,
        "right, then: This is false": f"{right} This is false.",
        "It is not true that": f"It is not true that {right[:1].lower()}{right[1:]}",
        "I do not know whether": f"I do not know whether {right[:1].lower()}{right[1:]}",
        "pages pasted": " ".join(page),
        "asked back": " ".join(f"Would you say that {one}?" for one in low) + " I am asking you.",
        "somebody's, and rejected": " ".join(f"A friend of mine claims that {one}." for one in low)
        + " He has it wrong, as usual.",
        "if it were so": f"If the book said that {', and that '.join(low)}, I would follow it, but it says nothing of"
        " the kind.",
        "another question's answer": " ".join(texts_of(elsewhere)),
        "terms with small talk": "Well, it is all about "
        + ", then of course ".join(terms[:_SMALL_TALK])
        + ", you know how that goes, and I have done it many times.",
    }
    if item.mixups:
        found["both alternatives"] = f"Either {right.rstrip('.')}, or {item.mixups[0].text}"
    if altered != right:
        found["every number altered"] = altered
    return found


def task_of(item: ItemText) -> str:
    """ "pa.i.a" of "pa.i.a.k1.three-in-ninety"."""
    return ".".join(item.id.split(".")[:3])


def texts_of(item: ItemText) -> list[str]:
    return [fill_slots(one.text, values_of(item)) for one in expected_with(item, values_of(item))]


def values_of(item: ItemText) -> Mapping[str, Any]:
    return {name: given[0] for name, given in item.slots.items()} | (item.cases or [{}])[0]


def measure(first: int = 0, last: int | None = None) -> dict[str, Any]:
    """Answers and satisfactory ones by family, of these items of the sample."""
    classifier = Classifier(load_tokenizer())
    judge = OfflineJudge(lambda: classifier)
    bank = [item for item in private_items().values() if item.points]
    wordings = json.loads(WORDINGS.read_text("utf-8"))
    honest = cycle(wordings["honest"])
    tried: dict[str, Counter[str]] = defaultdict(Counter)
    passed: dict[str, Counter[str]] = defaultdict(Counter)

    def count(group: str, name: str, item: ItemText, answer: str) -> None:
        tried[group][name] += 1
        passed[group][name] += is_accepted(judge, item, answer)

    items = bank[::EVERY][first:last]
    for place, item in enumerate(items):
        for name, answer in tricks(item, bank, Random(f"{SEED} {item.id}")).items():
            count("known", name, item, answer)
        if place % APART_EVERY:
            continue
        for name, templates in wordings["tricks"].items():
            template = templates[place // APART_EVERY % len(templates)]
            count("apart", name, item, worded(template, item))
        if is_accepted(judge, item, " ".join(texts_of(item))):
            for template in islice(honest, HONEST_EACH):
                count("honest", "all", item, worded(template, item))

    def shares(group: str) -> dict[str, float]:
        return {name: round(passed[group][name] / tried[group][name], 4) for name in tried[group]}

    def share(group: str) -> float:
        return round(passed[group].total() / tried[group].total(), 4)

    return {
        "items": len(items),
        "answers": tried["known"].total() + tried["apart"].total(),
        "satisfactory": shares("known"),
        "satisfactory, written apart": shares("apart"),
        "families known to the judge": share("known"),
        "families written apart": share("apart"),
        "honest wordings": tried["honest"].total(),
        "honest wordings accepted": share("honest"),
    }


def is_accepted(judge: OfflineJudge, item: ItemText, answer: str) -> bool:
    """Whether the answer to the item, with the first values of its slots, is satisfactory."""
    values = values_of(item)
    expected = tuple(expectation_of(one, values) for one in expected_with(item, values))
    exchange = Exchange(asked=fill_slots(item.stem, values), said=answer)
    reply = judge(Material(exchanges=(exchange,), expectations=expected, mixups=mixups_of(item)))
    return decided(expected, [one.met for one in reply.points]) == "satisfactory"


def worded(template: str, item: ItemText) -> str:
    """The template around each point of the item, or around words of all of them."""
    texts, random = texts_of(item), Random(item.id)
    terms = [word.strip(".,;") for word in " ".join(texts).split() if len(word) >= _TERM_LETTERS]
    random.shuffle(terms)
    if "{terms}" in template:
        return template.format(terms=", ".join(terms[:_SMALL_TALK]))
    return " ".join(template.format(S=text, s=f"{text[:1].lower()}{text[1:].rstrip('.')}") for text in texts)


def main() -> None:
    json.dump(measure(), sys.stdout, indent=2)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
