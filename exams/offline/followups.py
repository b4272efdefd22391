"""A judged answer becomes a probe in the student's own words, or a hint at where to look. Neither tells the fact.

A probe repeats two to eight words of the answer and asks at what is missing or wrong without naming it.
Where there is no answer to speak of, it makes the question smaller. Pure: any text at all may be the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Final

from exams import conf
from exams.offline.asking import HintMaterial, ProbeMaterial
from exams.offline.missing import Kind, kind_missing
from exams.offline.wording import alike, idea_set
from exams.question_rules import figures_in
from knowledge.grounding.facts import content_words

_LEADS: Final[tuple[str, ...]] = (
    "You said “{quote}”.",
    "“{quote}”, you said.",
    "I heard “{quote}”.",
    "Let us stay with “{quote}” for a moment.",
    "You mentioned “{quote}”.",
    "Your words were “{quote}”.",
)
_ASKS: Final[Mapping[Kind, tuple[str, ...]]] = {
    "hazard": (
        "What is the danger in this situation, as you see it?",
        "Before we go on: what is it that could hurt you here?",
        "What is the threat behind that?",
    ),
    "assess": (
        "How likely is that on this flight, and how bad would it be?",
        "What would make it more serious, and what less?",
        "How much weight do you give it here, and why?",
    ),
    "mitigate": (
        "What would you actually do about it?",
        "How do you keep it from happening, before the flight and during it?",
        "What steps of yours follow from that?",
    ),
    "figure": (
        "What figure goes with that?",
        "How much is that, in numbers?",
        "Put a number to it, with its unit. What is it?",
    ),
    "figures": (
        "Which further figures belong to the rule?",
        "What other number has to be met besides?",
        "How do you complete that, figure by figure?",
    ),
    "figure_said": (
        "Where does that figure come from, and to what does it apply?",
        "How do you arrive at that number?",
        "Think about that figure once more, with its unit. What is the rule?",
    ),
    "hour": (
        "How does the time of day come into it?",
        "What does the hour of the flight change about that?",
    ),
    "exception": (
        "When would it be otherwise?",
        "In which case does that not hold?",
        "What would change that?",
    ),
    "reason": (
        "Why is that so?",
        "What is the reason behind it?",
    ),
    "list": (
        "What else belongs to it?",
        "Which items are still missing from your list?",
        "What more would you add?",
    ),
    "action": (
        "What has to be done, and by whom?",
        "How would that look in practice, step by step?",
        "What follows from that for the pilot?",
    ),
    "claim": (
        "How do you come to that, and what would the rule look like in full?",
        "What makes you say so?",
        "Take me back over that. How does the rule run?",
    ),
    "rest": (
        "What else is there to say about it?",
        "How would you complete that?",
        "What more does a pilot need to know about it?",
    ),
}
_BACK: Final[tuple[str, ...]] = (
    "How does that bear on what I asked?",
    "How does that answer my question?",
    "Bring that back to my question: what is your answer?",
)
"""Asked where no word of an answer is one of the question's: whoever asked for more of it would lead away from it. It
may still be to the point, in other words, so that nothing is said against it."""
_NARROWED: Final[Mapping[Kind, tuple[str, ...]]] = {
    "hazard": ("Put yourself in that seat for a moment. What would make you uneasy first?",),
    "assess": ("Leave the remedy aside. What would make this worse on one day than on another?",),
    "mitigate": ("Take only the first minute. What would you do then?",),
    "figure": (
        "Let us make it smaller: there is a number in this rule. What is your best recollection of it?",
        "Forget the wording of the rule. Which figure comes to mind, and what does it measure?",
    ),
    "hour": ("Begin with daylight alone. What do you know about that case?",),
    "list": (
        "Begin with one item. Which comes to mind first?",
        "Let us take it piece by piece. What is the first thing on the list?",
    ),
    "exception": ("Start with the ordinary case and leave exceptions aside. What holds then?",),
    "reason": ("Begin with what you would see or feel in the cockpit. What is it?",),
    "rest": (
        "Let us take a smaller piece. What would you do first in that situation?",
        "Begin with whatever part of this you do remember. What is it?",
        "Think of the last time this came up in your training. What did you do?",
    ),
}
_NAMES: Final[Mapping[Kind, str]] = {
    "hazard": "the danger itself",
    "assess": "how likely and how severe it is",
    "mitigate": "what you do about it",
    "figure": "a figure",
    "figures": "another figure",
    "figure_said": "the figure",
    "hour": "the time of day",
    "exception": "an exception",
    "reason": "the reason",
    "list": "further items of a list",
    "action": "what has to be done",
    "claim": "the rule as a whole",
    "rest": "a part of the rule",
}
_HINTS: Final[tuple[str, ...]] = (
    "Picture the page on {where}. What you still need is {name}: how does it read there?",
    "Think of {where}. Still open is {name}. What do you recall of it?",
    "You would find this under {where}. It is {name} that I am after: what is it?",
    "Go back in your mind to {where}, and look there for {name}. What do you see?",
)
_HINTS_WITHOUT_PLACE: Final[tuple[str, ...]] = (
    "What you still need is {name}. Where would you look it up, and what would you find there?",
    "Still open is {name}. What do you recall of it?",
)
_NO_ANSWER: Final = re.compile(
    r"\b(?:i )?(?:really |honestly )?(?:do ?n[o']?t|don.t|dunno|do not|cannot|can.?t|no) (?:know|idea|clue|"
    r"remember|recall|say|think of)\b|"
    r"\b(?:not sure|no idea|dunno|idk|skip|pass|next|beats me|nothing|no clue)\b",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(
    r"[.;:!?\n]+(?=\s|$)|,\s|\s+(?=(?:and|but|because|so|unless|if|when|then)\s)", re.IGNORECASE
)
_CLEAN: Final = re.compile(r"[A-Za-z0-9À-ÖØ-öø-ÿ$%°½¼¾]+(?:['’.,/+-][A-Za-z0-9À-ÖØ-öø-ÿ%°]+)*")
_LONGEST_WORD: Final = 24
_WEAK_WORDS: Final = frozenset(
    """and but or so then the a an of to in on at for with is are that if when because i you it um uh well
    like""".split()  # noqa: SIM905  # a list of words reads as one
)
_FEW_WORDS: Final = 8
_SEVERAL: Final = 4


def probe_texts(material: ProbeMaterial) -> Iterator[str]:
    """Probes, the most specific first; the last one holds nothing of the answer."""
    number = _lot(material.seed, material.weakest.key)
    kind = kind_missing(material.weakest, material.answer, material.question)
    if is_no_answer(material.answer):
        yield from _turned(_NARROWED.get(_base(kind), _NARROWED["rest"]), number)
        yield from _NARROWED["rest"]
        return
    quote = quote_from(material.answer, material.weakest.statement, material.weakest.said)
    asks = _turned(_BACK if is_beside_the_point(material) else _ASKS[kind], number)
    if quote:
        for lead in _turned(_LEADS, number // 5):
            yield from (f"{lead.format(quote=quote)} {ask}" for ask in asks)
    yield from asks
    yield from _turned(_NARROWED["rest"], number)


def hint_texts(material: HintMaterial) -> Iterator[str]:
    """Hints with the place first, then without it."""
    number = _lot(material.seed, material.missing.key)
    name = _NAMES[kind_missing(material.missing, material.missing.said, material.question)]
    for place in _places(material):
        yield from (form.format(where=place, name=name) for form in _turned(_HINTS, number))
    yield from (form.format(name=name) for form in _turned(_HINTS_WITHOUT_PLACE, number))


def is_no_answer(answer: str) -> bool:
    """Nothing said, or said that nothing is known; "I don't know, maybe three miles" is an answer."""
    words = _CLEAN.findall(answer)
    if not words:
        return True
    return len(words) <= _FEW_WORDS and bool(_NO_ANSWER.search(answer)) and not figures_in(answer)


def is_beside_the_point(material: ProbeMaterial) -> bool:
    """Several ideas, and none of them one of the question's or of what it is after: short answers, figures, and what
    worries somebody may mean more than they say."""
    weakest, said = material.weakest, idea_set(material.answer)
    if weakest.kind not in ("rule", "explain") or weakest.met != "missing" or figures_in(material.answer):
        return False
    wanted = idea_set(" ".join((material.question, weakest.statement, *material.statements)))
    return len(said) >= _SEVERAL and not any(alike(one, other) for one in said for other in wanted)


def quote_from(answer: str, statement: str, said: str = "") -> str:
    """Two to eight words of the answer in a row, verbatim but for white space: those nearest to the statement."""
    clauses = [
        *(_runs(said) if said.strip() and _one_line(said) in _one_line(answer) else ()),
        *_runs(answer),
    ]
    if not clauses:
        return ""
    wanted = set(content_words(statement))
    best = max(clauses, key=lambda run: (len(run) > 1, _nearness(run, wanted)))
    return " ".join(_window(best, wanted))


def _runs(text: str) -> list[list[str]]:
    """Words in a row that can be quoted as they stand, none across the end of a clause."""
    runs: list[list[str]] = []
    for clause in _CLAUSE.split(text):
        run: list[str] = []
        for token in (clause or "").split():
            bare = token.strip(".,;:!?…")
            if _CLEAN.fullmatch(bare) and len(bare) <= _LONGEST_WORD and bare.isprintable():
                run.append(bare)
            elif run:
                runs.append(run)
                run = []
        runs.append(run)
    return [run for run in runs if run]


def _nearness(run: Sequence[str], wanted: set[str]) -> int:
    text = " ".join(run)
    return 2 * len(figures_in(text)) + len(wanted & set(content_words(text)))


def _window(run: Sequence[str], wanted: set[str]) -> list[str]:
    """The best stretch of at most eight words, without weak words at its ends."""
    most = conf.QUOTED_WORDS_MOST
    starts = range(max(1, len(run) - most + 1))
    start = max(starts, key=lambda at: (_nearness(run[at : at + most], wanted), -at))
    chosen = list(run[start : start + most])
    while len(chosen) > conf.QUOTED_WORDS_LEAST and chosen[-1].lower() in _WEAK_WORDS:
        chosen.pop()
    while len(chosen) > conf.QUOTED_WORDS_LEAST and chosen[0].lower() in _WEAK_WORDS:
        chosen.pop(0)
    return chosen


def _places(material: HintMaterial) -> tuple[str, ...]:
    """How the place is called, the most telling first: “heading” in the document, its label, the document."""
    heading = " ".join(material.heading.split())[:90].strip(" .:")
    named = f"“{heading}”" if heading else ""
    document = material.document.strip()
    both = f"{named} in {document}" if named and document else ""
    return tuple(dict.fromkeys(place for place in (both, named, material.label.strip(), document) if place))


def _base(kind: Kind) -> Kind:
    return {"figures": "figure", "figure_said": "figure"}.get(kind, kind)  # type: ignore[return-value]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _lot(seed: str, key: str) -> int:
    return int(sha256(f"{seed}/{key}".encode()).hexdigest()[:8], 16)


def _turned(items: Sequence[str], number: int) -> tuple[str, ...]:
    start = number % len(items) if items else 0
    return (*items[start:], *items[:start])
