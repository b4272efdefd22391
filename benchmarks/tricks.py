"""How often the offline assessor calls a trick answer satisfactory, over a sample of the item bank.

`python -m benchmarks.tricks` prints one JSON document. Every fourth item of the private bank gets each trick once. None
of these wordings is among those that the assessor was fitted to (`tools/training/graded_answers.py`).
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
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

EVERY: Final = 4
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


def tricks(item: ItemText, bank: Sequence[ItemText], random: Random) -> dict[str, str]:
    """By name, for one item with the first values of its slots."""
    texts = texts_of(item)
    right = " ".join(texts)
    terms = [word.strip(".,;") for word in right.split() if len(word) >= _TERM_LETTERS]
    random.shuffle(terms)
    page = [text for other in (*random.sample(list(bank), _PAGE_ITEMS), item) for text in texts_of(other)]
    random.shuffle(page)
    found = {
        "terms shuffled": " ".join(terms),
        "terms in a list": ", ".join(sorted(terms)),
        "one fixed text": FIXED,
        "right, then: This is false": f"{right} This is false.",
        "It is not true that": f"It is not true that {right[:1].lower()}{right[1:]}",
        "I do not know whether": f"I do not know whether {right[:1].lower()}{right[1:]}",
        "pages pasted": " ".join(page),
    }
    if item.mixups:
        found["both alternatives"] = f"Either {right.rstrip('.')}, or {item.mixups[0].text}"
    return found


def texts_of(item: ItemText) -> list[str]:
    return [fill_slots(one.text, values_of(item)) for one in expected_with(item, values_of(item))]


def values_of(item: ItemText) -> Mapping[str, Any]:
    return {name: given[0] for name, given in item.slots.items()} | (item.cases or [{}])[0]


def measure() -> dict[str, Any]:
    """Answers and satisfactory ones by trick."""
    classifier = Classifier(load_tokenizer())
    judge = OfflineJudge(lambda: classifier)
    bank = [item for item in private_items().values() if item.points]
    random = Random(SEED)
    tried: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    for item in bank[::EVERY]:
        values = values_of(item)
        expected = tuple(expectation_of(one, values) for one in expected_with(item, values))
        for name, answer in tricks(item, bank, random).items():
            exchange = Exchange(asked=fill_slots(item.stem, values), said=answer)
            reply = judge(Material(exchanges=(exchange,), expectations=expected, mixups=mixups_of(item)))
            tried[name] += 1
            passed[name] += decided(expected, [one.met for one in reply.points]) == "satisfactory"
    shares = {name: round(passed[name] / count, 3) for name, count in tried.items()}
    return {
        "items": len(bank[::EVERY]),
        "satisfactory": shares,
        "all": round(passed.total() / tried.total(), 3),
    }


def main() -> None:
    json.dump(measure(), sys.stdout, indent=2)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
