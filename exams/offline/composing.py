"""A briefing becomes a question without any model: a situation that the claim belongs to, asked the way an
examiner would.

Every question is made of a situation and an open ask; it says when the claim holds and never what it
says. Several wordings are tried in an order that the seed shuffles, and the first without a fault is
taken, so that fifty questions do not sound alike and the same exam always hears the same ones. Pure.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from exams import conf
from exams.offline.asking import ClaimMaterial, HintMaterial, OpeningMaterial, PointMaterial, ProbeMaterial
from exams.offline.followups import hint_texts, probe_texts
from exams.offline.questions import ranked
from exams.offline.scenes import RISK_SITUATIONS, SETTINGS, SITUATIONS
from exams.offline.statements import Statement, parse
from exams.question_rules import opener_of
from exams.values import ElementKind, ExpectationKind, Form, Met
from knowledge.grounding.conditions import conditions_in

Faults = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A statement that the student is to find, with the heading that it stands under."""

    key: str
    text: str
    kind: ExpectationKind
    heading: str = ""
    document: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Everything a question is made from. `aim_key` is the target that a follow-up is after, `aim_met` what
    became of it.
    """

    form: Form
    element_kind: ElementKind
    topic: str
    targets: tuple[Target, ...]
    seed: str
    recent: tuple[str, ...] = ()
    said: str = ""
    aim_key: str = ""
    aim_met: Met = "missing"


class NothingToAsk(LookupError):
    """No wording without a fault could be made."""


def compose(wanted: Wanted, faults: Faults) -> str:
    """The first wording without a fault. Raises NothingToAsk."""
    if not wanted.targets:
        raise NothingToAsk("there is nothing to ask about")
    for text in _new_first(wanted):
        for said in (text, *_begun_otherwise(text, wanted)):
            if not faults(said):
                return said
    raise NothingToAsk(f"no wording without a fault for {wanted.targets[0].text[:80]!r}")


def _new_first(wanted: Wanted) -> Iterator[str]:
    """Wordings that this exam has not heard yet, then those that it has."""
    heard = " ".join(wanted.recent)
    wordings = list(dict.fromkeys(_wordings(wanted)))
    yield from (text for text in wordings if text not in heard)
    yield from (text for text in wordings if text in heard)


_BEGINNINGS: Final = (
    "Next case.",
    "Another situation.",
    "A different day.",
    "Now this.",
    "On to something else.",
    "One more case.",
)


def _begun_otherwise(text: str, wanted: Wanted) -> Iterator[str]:
    """The same question with another beginning, for the ear that has just heard one like it."""
    if wanted.recent and opener_of(text) == opener_of(wanted.recent[-1]):
        yield from (f"{beginning} {text}" for beginning in shuffled(_BEGINNINGS, wanted.seed))


def shuffled(items: Sequence[str], seed: str) -> list[str]:
    """The items in an order that depends on the seed alone."""
    number = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8])
    order = list(items)
    random.Random(number).shuffle(order)
    return order


def _wordings(wanted: Wanted) -> Iterator[str]:
    yield from _catalogued(wanted)
    if wanted.form == "probe":
        yield from _probes(wanted)
    elif wanted.form == "hint":
        yield from _hints(wanted)
    elif wanted.element_kind == "risk":
        yield from _risks(wanted)
    else:
        yield from _openings(wanted)


# --- known topics, and follow-ups in the student's words --------------------------------------------------------


def _catalogued(wanted: Wanted) -> Iterator[str]:
    statements = tuple(target.text for target in wanted.targets)
    aim = _aim(wanted)
    point = PointMaterial(
        key=aim.key, statement=aim.text, kind=aim.kind, met=wanted.aim_met, said=wanted.said
    )
    question = wanted.recent[-1] if wanted.recent else ""
    if wanted.form == "probe":
        yield from probe_texts(
            ProbeMaterial(
                question=question, answer=wanted.said, weakest=point, statements=statements, seed=wanted.seed
            )
        )
    elif wanted.form == "hint":
        yield from hint_texts(
            HintMaterial(
                question=question,
                missing=point,
                statements=statements,
                heading=aim.heading,
                label=aim.label,
                document=aim.document,
                seed=wanted.seed,
            )
        )
    else:
        yield from ranked(_opening_material(wanted))


def _opening_material(wanted: Wanted) -> OpeningMaterial:
    claims = tuple(
        ClaimMaterial(key=target.key, statement=target.text, kind=target.kind, heading=target.heading)
        for target in wanted.targets
    )
    return OpeningMaterial(
        claims=claims,
        element_kind=wanted.element_kind,
        element_text=wanted.topic,
        topic=wanted.topic,
        history=wanted.recent,
        seed=wanted.seed,
    )


# --- opening questions ----------------------------------------------------------------------------------------


def _openings(wanted: Wanted) -> Iterator[str]:
    target = wanted.targets[0]
    yield from shuffled(
        [_filled(text, target.text) for text in _fitting(SITUATIONS, target.text)], wanted.seed
    )
    statement = parse(target.text)
    framed = [
        f"{opener} {cue}. {ask}" for opener, cue in _cues(statement) for ask in _asks(statement, target.kind)
    ]
    yield from shuffled(framed, wanted.seed)
    yield from shuffled(_plain(target, wanted.topic), wanted.seed)


def _fitting(table: Sequence[tuple[str, tuple[str, ...]]], statement: str) -> tuple[str, ...]:
    return next((texts for pattern, texts in table if re.search(pattern, statement.lower())), ())


def _filled(text: str, statement: str) -> str:
    """The slots of a situation, filled with circumstances inside the claim's own."""
    found = conditions_in(statement)
    letters = sorted(letter for letter in found.airspace if len(letter) == 1)
    hour = "at night" if "night" in found.times else "in daylight"
    place = f"Class {letters[0]} airspace" if letters else "the airspace you know best"
    return text.format(airspace=place, height=_height(statement), hour=hour)


_INSIDE: Final = {"below": 0.75, "above": 1.15}
"""Shares of a limit that give a height on either side of it and not at it."""


def _height(statement: str) -> str:
    """A height inside the first band that the statement names, never one of its limits."""
    bands = conditions_in(statement).bands
    if not bands:
        return ""
    band = bands[0]
    if band.low is None:
        height, datum = (band.high or 0) * _INSIDE["below"], band.high_datum
    elif band.high is None:
        height, datum = band.low * _INSIDE["above"], band.low_datum
    else:
        height, datum = (band.low + band.high) / 2, band.high_datum
    above = {"agl": "above the ground", "msl": "above sea level"}.get(datum or "", "up")
    return f", {round(height, -2):,.0f} feet {above}"


_OPENERS: Final[dict[str, tuple[str, ...]]] = {
    "aim": (
        "You want to",
        "You intend to",
        "A friend would like to",
        "Tomorrow you mean to",
        "Somebody asks you how to",
    ),
    "case": ("Suppose", "Imagine", "Picture this:", "Let us say", "Say that", "Assume"),
    "place": ("Picture yourself", "Say you are", "Imagine you are"),
    "subject": (
        "Let us talk about",
        "Take",
        "The next subject is",
        "Consider",
        "Turn your mind to",
        "Think of",
    ),
}
_NOBODY: Final = ("you", "no one", "nobody", "no person", "a pilot", "the pilot")
_OPENING_WORD: Final = re.compile(r"^(?:to|in order to|when|if|whenever|once|where)\s+", re.IGNORECASE)


def _cues(statement: Statement) -> list[tuple[str, str]]:
    """Openers with what the claim is about: when it holds, or of whom it speaks."""
    lead, subject = loosened(statement.lead), loosened(statement.subject)
    kind = statement.lead_kind if statement.lead_kind in ("aim", "case") else "place"
    cue = _OPENING_WORD.sub("", lead) if kind != "place" else _lower(lead)
    cues = [(opener, cue) for opener in _OPENERS[kind]] if cue else []
    if subject and subject.lower() not in _NOBODY:
        cues += [(opener, _lower(subject)) for opener in _OPENERS["subject"]]
    return cues


_SWAPS: Final[tuple[tuple[str, str], ...]] = (
    (r"\bpilot in command\b", "PIC"),
    (r"\babove the surface\b", "above the ground"),
    (r"\bat night\b", "after dark"),
    (r"\bair traffic control\b", "ATC"),
    (r"\baircraft\b", "airplane"),
    (r"\bat about the same\b", "at a similar"),
    (r"\bof the same category\b", "of one category"),
    (r"\bmagnetic course\b", "course"),
    (r"\bflight visibility\b", "visibility"),
    (r"\bcarrying passengers\b", "with people aboard"),
)


def loosened(phrase: str) -> str:
    """The phrase with usual words in place of the rule's own, so that a question does not read it aloud."""
    for pattern, other in _SWAPS:
        phrase = re.sub(pattern, other, phrase, flags=re.IGNORECASE)
    return " ".join(phrase.split()).strip(" ,")


def _lower(phrase: str) -> str:
    first = phrase.split(" ", 1)[0]
    return phrase if first.isupper() and len(first) > 1 else phrase[:1].lower() + phrase[1:]


_ASKS: Final[dict[str, tuple[str, ...]]] = {
    "rule": (
        "What does that ask of you?",
        "What do you have to see to?",
        "How do you make sure that it is legal?",
        "What do you need for that?",
        "Which conditions come with it?",
    ),
    "limit": (
        "Where is the limit?",
        "What sets the limit there, and how much is it?",
        "Which figure do you go by?",
    ),
    "recent": ("How recent has it to be, and what exactly?", "What has to lie behind you, and how far back?"),
    "explain": (
        "What happens there, and why?",
        "How does it come about?",
        "What do you know about it, and what follows for you?",
        "How would you explain it to a passenger?",
    ),
    "forbid": (
        "How far does your freedom go there?",
        "What holds you back, and when?",
        "Which limits do you respect there?",
    ),
}
_PERIODS: Final = ("month", "calendar month", "year", "day")


def _asks(statement: Statement, kind: ExpectationKind) -> tuple[str, ...]:
    if any(one.unit in _PERIODS for one in statement.asked):
        return _ASKS["recent"]
    if kind == "explain" and not statement.asked:
        return _ASKS["explain"]
    if statement.asked:
        return _ASKS["limit"] + _ASKS["rule"][:2]
    return _ASKS["forbid"] if statement.stance == "forbids" else _ASKS["rule"]


def _plain(target: Target, topic: str) -> list[str]:
    """The last resort: the subject by the heading it stands under."""
    subject = _short(target.heading or topic)
    return [
        f"Let us talk about {subject}. What do you go by in practice?",
        f"Tell me what you know about {subject}, and what it means for a flight of yours.",
        f"A new student asks you about {subject}. How do you explain the main point?",
        f"Think of {subject}. What matters most there for a pilot?",
    ]


def _short(topic: str) -> str:
    """The first few words of a heading, without numbers and marks, as they would be spoken."""
    words = re.sub(r"^[\W\d]+|\([^)]*\)|§\s*[\d.]+", " ", topic).split(":")[0].split(",")[0].split()
    return _lower(" ".join(words[: conf.SHARED_RUN - 1]).strip(" .;")) or "this subject"


# --- risks ----------------------------------------------------------------------------------------------------

_RISK_ASKS: Final = (
    "What concerns you, how serious is it here, and what will you do?",
    "What do you worry about, how likely and how bad would it be, and what do you do?",
    "Where is the danger, how do you weigh it today, and how do you deal with it?",
    "How do you see the risk here, how big is it, and what is your plan?",
)


def _risks(wanted: Wanted) -> Iterator[str]:
    hazard = next((one.text for one in wanted.targets if one.kind == "hazard"), wanted.targets[0].text)
    asks = shuffled(_RISK_ASKS, wanted.seed)
    scenes = shuffled(_fitting(RISK_SITUATIONS, hazard), wanted.seed)
    yield from (f"{situation} {ask}" for situation in scenes for ask in asks)
    topic = _short(wanted.topic)
    for setting in shuffled(SETTINGS, wanted.seed):
        yield from (f"{setting} Think of {topic} on that flight. {ask}" for ask in asks)


# --- probes and hints -----------------------------------------------------------------------------------------

_NUDGES: Final[dict[str, tuple[str, ...]]] = {
    "missing": (
        "What else belongs to it?",
        "What else would you look at?",
        "What is still to be said about that?",
    ),
    "half": ("How far does that go?", "What else goes with it?", "What would you add to it?"),
    "contradicted": ("How do you arrive at that?", "What is that based on?", "What makes you say so?"),
    "hazard": ("What exactly is it that could go wrong?", "What lies behind that, in your view?"),
    "assess": (
        "How likely and how bad would that be on this flight?",
        "How do you weigh that on this particular flight?",
    ),
    "mitigate": ("What would you actually do?", "And then, what do you do about it?"),
}
_SILENCE: Final = (
    "Take your time. What comes to mind first about that situation?",
    "Let us stay with it for a moment. Which part of it do you know?",
    "Begin with what you are sure of. What do you know about it?",
)


def _probes(wanted: Wanted) -> Iterator[str]:
    quoted = quoted_words(wanted.said)
    if not quoted:
        yield from shuffled(_SILENCE, wanted.seed)
        return
    for nudge in shuffled(_NUDGES[_nudge_for(wanted)], wanted.seed):
        yield from (f"You said “{quoted}”. {nudge}", f"Your words were “{quoted}”. {nudge}")


def _nudge_for(wanted: Wanted) -> str:
    """A risk is asked on by what is open of the three; anything else by how far the answer got."""
    aim = _aim(wanted)
    if wanted.aim_met != "contradicted" and aim.kind in _NUDGES:
        return aim.kind
    return wanted.aim_met if wanted.aim_met in _NUDGES else "missing"


def _aim(wanted: Wanted) -> Target:
    return next((one for one in wanted.targets if one.key == wanted.aim_key), wanted.targets[0])


def quoted_words(said: str) -> str:
    """A short stretch of the student's own words, verbatim; "" where there is nothing to quote."""
    if not re.search(r"\w", said):
        return ""
    cut = " ".join(said.split()[: conf.QUOTED_WORDS_MOST])
    return re.split(r"(?<=[.;!?])\s", cut)[0].strip(" .,;!?“”\"'")


def _hints(wanted: Wanted) -> Iterator[str]:
    aim = _aim(wanted)
    place, book = aim.heading.strip(" .:") or aim.label, aim.document or "the library"
    yield from shuffled(
        [
            f"In {book} this stands under “{place}”. With that heading in mind, how do you answer?",
            f"Think of the part of {book} headed “{place}”. What does it add to your answer?",
            f"The place to think of is “{place}” in {book}. What comes to mind from there?",
        ],
        wanted.seed,
    )
    yield f"The place to think of is {aim.label or book}. What comes to mind from there?"
