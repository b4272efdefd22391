"""How often the offline assessor calls a trick answer satisfactory, over half of the item bank.

`python -m benchmarks.tricks` prints one JSON document. Every second item of the private bank gets each trick once. None
of these wordings is among those that the assessor was fitted to (`tools/training/graded_answers.py`). The families of
UNSEEN were written without a look at `exams/offline`; nothing there was changed after they were measured.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
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
UNSEEN: Final = frozenset(
    {
        "asked back",
        "somebody's, and rejected",
        "if it were so",
        "another question's answer",
        "terms with small talk",
    }
)


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
    items = bank[::EVERY][first:last]
    tried: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    for item in items:
        values = values_of(item)
        expected = tuple(expectation_of(one, values) for one in expected_with(item, values))
        for name, answer in tricks(item, bank, Random(f"{SEED} {item.id}")).items():
            exchange = Exchange(asked=fill_slots(item.stem, values), said=answer)
            reply = judge(Material(exchanges=(exchange,), expectations=expected, mixups=mixups_of(item)))
            tried[name] += 1
            passed[name] += decided(expected, [one.met for one in reply.points]) == "satisfactory"
    return summarize(len(items), tried, passed)


def summarize(items: int, tried: Counter[str], passed: Counter[str]) -> dict[str, Any]:
    def share(names: Iterable[str]) -> float:
        chosen = list(names)
        return round(sum(passed[name] for name in chosen) / sum(tried[name] for name in chosen), 4)

    return {
        "items": items,
        "answers": tried.total(),
        "satisfactory": {name: share([name]) for name in tried if name not in UNSEEN},
        "satisfactory, unseen": {name: share([name]) for name in tried if name in UNSEEN},
        "seen families": share(tried.keys() - UNSEEN),
        "unseen families": share(tried.keys() & UNSEEN),
        "all": share(tried),
    }


def main() -> None:
    json.dump(measure(), sys.stdout, indent=2)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
