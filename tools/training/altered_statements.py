"""Reword a sentence so that it says the same, or alter it so that its source no longer supports it.

Both are done by words: `entailment/rewordings.csv` has phrases that can stand for each other, `entailment/changes.csv`
phrases by what their exchange alters. Numbers, sections, exceptions, and pairs are changed here. Everything depends on
the random generator that is given, so the same generator gives the same statements.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

from knowledge.text.quantities import quantities_in
from knowledge.text.word_tables import read_rows

FOLDER: Final = Path(__file__).parent / "entailment"

_WORDS: Final = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "twelve",
    "fifteen",
    "twenty",
    "thirty",
    "forty",
    "sixty",
    "ninety",
]
_DIGITS: Final = dict(
    zip(
        _WORDS,
        ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "12", "15", "20", "30", "40", "60", "90"],
        strict=True,
    )
)
_NUMBER: Final = re.compile(r"\d[\d,]*(?:\.\d+)?|\b(?:" + "|".join(_WORDS) + r")\b", re.IGNORECASE)
_SECTION: Final = re.compile(r"(?<=§)\s?\d+\.\d+|(?<=[Ss]ection )\d+\.\d+|(?<=[Pp]art )\d{1,3}\b")
_PARAGRAPH: Final = re.compile(r"(?<=paragraph )\(([a-h])\)")
_CONVERTED: Final = (
    # unit as written, another, how many of the other it is
    ("hours?", "minutes", 60), ("minutes", "hours", 1 / 60), ("calendar months", "years", 1 / 12),
    ("months", "years", 1 / 12), ("years", "months", 12), ("days?", "hours", 24), ("hours", "days", 1 / 24),
    ("feet", "meters", 0.3048), ("feet", "yards", 1 / 3), ("inches", "centimeters", 2.54),
    ("statute miles?", "kilometers", 1.609), ("nautical miles?", "kilometers", 1.852), ("NM", "kilometers", 1.852),
    ("knots", "miles per hour", 1.1508), ("pounds", "kilograms", 0.4536), ("gallons", "quarts", 4),
    ("gallons", "liters", 3.785), ("quarts", "pints", 2),
)  # fmt: skip
_EXCEPTION: Final = re.compile(
    r",? (?:unless|except (?:that|when|for|as)|provided that|if|when|until)\b(?:[^.;]|\.(?=\d)){8,}(?=\.$)|"
    r"^(?:Unless|Except|If|When)\b[^.;,]{8,}, "
)
_DETAIL: Final = re.compile(
    r" \([^()]{3,60}\)|, (?:which|including|such as|especially)\b[^.,;]{5,80}(?=[.,;])|"
    r"^(?:However|In addition|Therefore|For example|As a result|Additionally|Also|Consequently|Generally), "
)
_LISTED: Final = re.compile(r", (?!and\b|or\b|but\b|which\b|who\b)([a-z][^,.;]{2,40})(?=, )")
_FRAMES: Final = ("{}, ", "According to {}, ", "Under {}, ", "By {}, ")
_UNLESS: Final = re.compile(r"^(?:No (?:person|pilot|one) may|You may not) (.+?),? unless (.{8,})\.$")
_IF: Final = re.compile(r"^(If|When) ([^,;]{8,90}), ([^.;]{8,})\.$")


Phrases = dict[str, list[tuple[re.Pattern[str], str]]]
"""By their first word in lower case: the phrases that begin with it, and what can stand for each."""


@cache
def _changes() -> dict[str, Phrases]:
    changes: dict[str, Phrases] = defaultdict(lambda: defaultdict(list))
    for row in read_rows(FOLDER / "changes.csv"):
        changes[row["class"]][_first_word(row["from"])].append((_whole(row["from"]), row["to"]))
    return changes


@cache
def _alike() -> Phrases:
    alike: Phrases = defaultdict(list)
    for row in read_rows(FOLDER / "rewordings.csv"):
        alike[_first_word(row["one"])].append((_whole(row["one"]), row["other"]))
    return alike


def _first_word(phrase: str) -> str:
    return re.split(r"[^\w°]", phrase.lower())[0]


def _whole(phrase: str) -> re.Pattern[str]:
    flags = re.NOFLAG if phrase[:1].isupper() or phrase != phrase.lower() else re.IGNORECASE
    return re.compile(rf"(?<![\w-]){re.escape(phrase)}(?![\w-])", flags)


def _put(text: str, at: tuple[int, int], new: str) -> str:
    """With the words at a place replaced, a capital at the beginning kept, and no double spaces."""
    if at[0] == 0 and new:
        new = new[0].upper() + new[1:]
    return re.sub(r" {2,}", " ", text[: at[0]] + new + text[at[1] :]).replace(" ,", ",")


def _exchange(text: str, phrases: Phrases, random: Random) -> str | None:
    words = sorted(set(re.split(r"[^\w°]", text.lower())) & set(phrases))
    able = [one for word in words for one in phrases[word]]
    found = [(match.span(), new) for phrase, new in able for match in phrase.finditer(text)]
    if not found:
        return None
    # The longest phrase at a place stands for what it says: "may not" is no "may".
    longest = [
        one for one in found
        if not any(o[0][0] <= one[0][0] and one[0][1] <= o[0][1] and o[0] != one[0] for o in found)
    ]  # fmt: skip
    return _put(text, *random.choice(longest))


def reworded(text: str, random: Random, most: int = 4) -> str:
    """The same in other words: up to `most` phrases exchanged, numbers written otherwise now and then."""
    for _ in range(random.randint(1, most)):
        text = _exchange(text, _alike(), random) or text
    if random.random() < 0.3:
        text = re.sub(
            r"\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|thirty|ninety)\b",
            lambda match: _DIGITS[match[0]],
            text,
        )
    return text


# --- True statements --------------------------------------------------------------------------------------------


def true_statements(text: str, random: Random) -> list[tuple[str, str]]:
    """What a sentence supports, each with its kind: itself, parts of it, conversions, and other forms."""
    made = [("same", text), ("reworded", reworded(text, random))]
    made += [("true part", part) for part in (_without(_DETAIL, text, random), _less_of_a_list(text, random))]
    if converted := _converted(text, random):
        made += [("unit conversion", converted)] * 2
    if found := _UNLESS.match(text):
        done, needed = found.group(1), found[2].rstrip(".")
        made += [
            ("unless", random.choice((
                f"A person may {done} only if {needed}.", f"You may {done} only if {needed}.",
                f"It is forbidden to {done} unless {needed}.", f"Unless {needed}, nobody may {done.rstrip('.')}.",
            )))
        ] * 2  # fmt: skip
    if found := _IF.match(text):
        word, case, then = found.groups()
        made.append(("turned", f"{then[0].upper()}{then[1:]} {word.lower()} {case}."))
    made += [("true part", one) for one in _halves(text)]
    return [(kind, one) for kind, one in made if one]


def _without(pattern: re.Pattern[str], text: str, random: Random) -> str:
    found = list(pattern.finditer(text))
    if not found:
        return ""
    one = random.choice(found)
    rest = text[: one.start()] + text[one.end() :]
    return rest[:1].upper() + rest[1:]


def _less_of_a_list(text: str, random: Random) -> str:
    """One part of an enumeration left out, where all of them hold."""
    return _without(_LISTED, text, random) if re.search(r", and ", text) and " or " not in text else ""


def _halves(text: str) -> Iterator[str]:
    """Both halves of two clauses that stand beside each other."""
    found = re.match(
        r"^([A-Z][^;]{25,}?)(?:; |, and )((?:the|it|they|this|these|a|an|pilots|each) [^;]{20,})$", text
    )
    if found and not re.match(r"(?:if|when|unless|no |except)", text, re.IGNORECASE):
        first, second = found.groups()
        yield f"{first.rstrip('.')}."
        if not re.match(r"it|they|this|these", second):
            yield second[0].upper() + second[1:]


def _converted(text: str, random: Random, factor: float = 1.0) -> str:
    """An amount in another unit; wrong by `factor`. "" where nothing can be converted into a plain figure."""
    able = []
    for unit, other, rate in _CONVERTED:
        for match in re.finditer(rf"(?<![\d.,§-])(\d[\d,]*(?:\.\d+)?) {unit}\b", text):
            amount = float(match[1].replace(",", "")) * rate * factor
            whole = round(amount, 0 if amount >= 20 else 1)
            if whole >= 0.5 and abs(whole - amount) <= 0.02 * amount:
                able.append(
                    (match.span(), f"{whole:,.0f} {other}" if whole == int(whole) else f"{whole:,} {other}")
                )
    if not able:
        return ""
    at, new = random.choice(able)
    return _put(text, at, re.sub(r"^1 (\w+?)s\b", r"1 \1", new))


# --- Altered statements -----------------------------------------------------------------------------------------


def altered_statements(text: str, random: Random) -> list[tuple[str, str]]:
    """One altered statement for each class of alteration that the sentence allows, in random order."""
    made = [(name, _exchange(text, able, random)) for name, able in _changes().items()]
    made += [(name, alter(text, random)) for name, alter in _ALTERATIONS.items()]
    random.shuffle(made)
    return [(name, one) for name, one in made if one and one != text]


def _other_number(text: str, random: Random) -> str | None:
    spans = [quantity.span for quantity in quantities_in(text)]
    found = [
        match for match in _NUMBER.finditer(text)
        if any(start <= match.start() < end for start, end in spans)
        and not re.search(r"(?:§|[Pp]art|[Ss]ection|[Ff]igure|\(|[\d.-])\s?$", text[: match.start()])
    ]  # fmt: skip
    if not found:
        return None
    one = random.choice(found)
    return _put(text, one.span(), _number_beside(one[0], random))


def _number_beside(number: str, random: Random) -> str:
    if number.lower() in _DIGITS:
        return random.choice([word for word in _WORDS if word != number.lower()])
    value = float(number.replace(",", ""))
    step = 10 ** max(0, len(number.split(".")[0].replace(",", "")) - 1)
    others = (
        value * 2,
        value / 2,
        value + step,
        value + 2 * step,
        value - step,
        value * 3,
        value * 1.5,
        value * 10,
    )
    able = [one for one in others if one > 0 and one != value and (one == int(one)) == (value == int(value))]
    one = random.choice(able or [value + 1])
    return f"{one:,.0f}" if one == int(one) and ("," in number or one >= 10000) else f"{one:g}"


def _wrongly_converted(text: str, random: Random) -> str:
    return _converted(text, random, factor=random.choice((0.5, 2.0, 3.0, 10.0)))


def _other_section(text: str, random: Random) -> str | None:
    found = [*_SECTION.finditer(text)]
    if found:
        one = random.choice(found)
        part, _, number = one[0].strip().partition(".")
        if number:
            new = (
                f"{part}.{int(number) + random.choice((-4, -2, 2, 4, 6, 10, 20))}"
                if random.random() < 0.7
                else ""
            )
            new = new or f"{random.choice(('43', '61', '67', '71', '91', '93', '135'))}.{number}"
        else:
            new = random.choice(
                [one for one in ("39", "43", "61", "71", "91", "93", "103", "121", "135") if one != part]
            )
        return _put(text, one.span(), new)
    found = [*_PARAGRAPH.finditer(text)]
    return _put(text, found[0].span(), random.choice(["(b)", "(c)", "(d)", "(e)", "(f)"])) if found else None


def _exception_left_out(text: str, random: Random) -> str:
    return _without(_EXCEPTION, text, random)


def _swapped_pair(text: str, random: Random) -> str | None:
    """Two amounts or two names exchanged for each other."""
    amounts = [one.span for one in quantities_in(text) if one.span[1] - one.span[0] < 30]
    names = [
        match.span() for match in re.finditer(r"\b(?:Class [A-G]|[A-Z]{2,5}|[A-Z][a-z]+ [A-Z][a-z]+)\b", text)
    ]
    for spans in random.sample((amounts, names), 2):
        pairs = [
            (one, other) for place, one in enumerate(spans) for other in spans[place + 1 :]
            if one[1] < other[0] and text[slice(*one)].lower() != text[slice(*other)].lower()
        ]  # fmt: skip
        if pairs:
            one, other = random.choice(pairs)
            later = _put(text, other, text[slice(*one)])
            return _put(later, one, text[slice(*other)])
    found = re.match(r"^(.{5,60}?) (and|than|from|by|to|causes|cause|before|after) ([^,.;]{5,60})\.$", text)
    if found and found[2] not in ("and",) and random.random() < 0.5:
        first, word, second = found.groups()
        return f"{second[0].upper()}{second[1:]} {word} {first[0].lower()}{first[1:]}."
    return None


def _turned_unless(text: str, random: Random) -> str | None:
    if found := _UNLESS.match(text):
        done, needed = found.group(1), found[2].rstrip(".")
        return random.choice((
            f"A person may {done} even if not {needed}.", f"No person may {done} if {needed}.",
            f"A person may {done} unless {needed}.", f"You may {done}, whether or not {needed}.",
        ))  # fmt: skip
    if found := _IF.match(text):
        _, case, then = found.groups()
        return random.choice((
            f"Unless {case}, {then}.", f"Even if {case}, it is not so that {then}.",
            f"{then[0].upper()}{then[1:]}, even when not {case}.",
        ))  # fmt: skip
    return None


_ALTERATIONS: Final[dict[str, Callable[[str, Random], str | None]]] = {
    "number": _other_number,
    "wrong conversion": _wrongly_converted,
    "section": _other_section,
    "exception left out": _exception_left_out,
    "swapped pair": _swapped_pair,
    "unless turned": _turned_unless,
}


def with_section(text: str, section: str, random: Random) -> str:
    """The statement with its section named before it."""
    frame = random.choice(_FRAMES).format(
        random.choice((f"§ {section}", f"14 CFR {section}", f"section {section}"))
    )
    rest = text if re.match(r"[A-Z]{2}|[A-Z] ?\d", text) else text[0].lower() + text[1:]
    return frame[0].upper() + frame[1:] + rest
