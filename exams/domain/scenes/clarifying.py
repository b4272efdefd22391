"""Answers a student who asks about the flight instead of answering. Asking is free (EXAM.md).

The reply uses only the flight's facts, and reveals nothing that the question asks for and no card shows. This module
knows no exam.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Final

from exams.domain.feedback import vary
from exams.domain.question_checks import figures_in, leaks_number, shares_words
from exams.domain.scenes.scene import Fact
from knowledge.text.sentences import sentences_in
from knowledge.text.synonyms import idea_set
from knowledge.text.tokens import content_words
from knowledge.text.word_tables import read_phrases

NOT_GIVEN: Final = (
    "You decide; say what you assume.",
    "That's open; tell me what you assume.",
    "Nothing is set there; say what you go by.",
    "I have no more on that; say what you take it to be.",
)
AS_ASKED: Final = "Take it as the question says, and where it says nothing, say what you assume."
YOURS_TO_SAY: Final = "That is for you to tell me."
STANDS: Final = "The question stands:"
NOT_GIVEN_BESIDE: Final = (
    "That I couldn't say.",
    "I couldn't tell you offhand.",
    "That one I don't know.",
    "I don't have that one for you.",
    "I couldn't tell you.",
    "That one I'd have to look up myself.",
)
"""Said of the flight as of a story told in a question, after a final answer as before a follow-up."""
LOOKED_UP: Final = {
    "by asking there": "You'd have to call and ask.",
    "in the records": "Its maintenance records would say.",
    "in a briefing": "A briefing would tell you.",
    "in the handbook": "The airplane's handbook would say.",
    "on the chart": "Your chart would show it.",
    "in the chart supplement": "The Chart Supplement would have it.",
}
"""Where a pilot would find what nobody was given, by what is asked about."""
LEFT_UNANSWERED: Final = (
    "That one I'll leave with you.",
    "That's one to look up after the oral.",
    "Let's not get into that one now.",
    "Put that one on your list to look up.",
    "I'll pass on that one for now.",
)
"""Answers a question at the end of an answer that no fact and no other reply answers: nobody passes over it."""
AS_YOU_LIKE: Final = ("I leave that to you.", "However you would do it.", "That's up to you.")
QUESTIONS_MOST: Final = 2
"""Questions in an answer that may be for the examiner."""
_CARD_SENTENCES: Final = 3
"""Sentences from which a fact is a whole card, too long to be read aloud to who asks for one thing on it."""
_REPEATED: Final = 0.6
"""Share of its ideas that a question has from the examiner's own, from which it repeats that."""
WORDS_MOST: Final = 25
"""Words of a request; a longer one is an answer that is put as a question."""
STEM_LEAST: Final = 4
"""Letters up to which a fact's word is no beginning of another."""
FACTS_MOST: Final = 3
"""Facts in one reply: as many as a trip has passengers."""

FindAnswer = Callable[[str], str]
"""What the flight's prepared answers say to a question, by its meaning; "" where none fits."""


def find_nothing(asked: str) -> str:
    """For a talk without a flight."""
    return ""


_PHRASES: Final = read_phrases(Path(__file__).with_name("phrases.csv"))


def reply_to_request(
    said: str,
    facts: Sequence[Fact],
    expected: Iterable[str],
    find: FindAnswer = find_nothing,
    *,
    turn: int = 0,
) -> str:
    """What to say to a student who asks about the situation; empty where the words are no such request.

    `facts` are the flight's, the latest first, none outside a mock oral; `expected` is what the question wants to hear,
    which the reply never says, unless it is a fact that lies beside the talk. `turn` varies the wording.
    """
    asked = [sentence.text.strip().lower().replace("’", "'") for sentence in sentences_in(said)]
    asked = [one for one in asked if not _PHRASES["courtesy"].fullmatch(one.rstrip(" .,!?"))]
    if not asked or not all(map(_is_request, asked)):
        return ""
    known = " ".join(_facts_about(" ".join(asked), facts))
    told = known or " ".join(dict.fromkeys(filter(None, map(find, asked))))
    leaks = not known and any(shares_words(told, one) or leaks_number(told, one) for one in expected)
    if leaks or any(map(_PHRASES["asks for the answer"].search, asked)):
        return f"{YOURS_TO_SAY} {STANDS}"
    if not told and not all(map(_PHRASES["asks for a given"].match, asked)):
        return ""
    if not told and all(map(_PHRASES["asks what a thing is"].search, asked)):
        return f"{YOURS_TO_SAY} {STANDS}"
    return f"{told or (vary(NOT_GIVEN, turn) if facts else AS_ASKED)} {STANDS}"


def reply_beside(
    said: str,
    facts: Sequence[Fact],
    expected: Iterable[str],
    *,
    question: str = "",
    turn: int = 0,
    find: FindAnswer = find_nothing,
) -> str:
    """What to say to a student who asks the examiner something inside an answer; "" where nothing is asked, or what the
    question wants to hear.

    Pilots ask themselves, and answer. What says "you" is meant for the examiner; anything else only at the end of the
    answer. `turn` varies the wording.
    """
    sentences = [_plain(one.text) for one in sentences_in(_PHRASES["aside"].sub(". By the way, ", said))]
    questions = [_as_question(one) for one in sentences]
    asked = _questions_among(questions)
    if not asked:
        return ""
    last = _PHRASES["leads in"].sub("", asked[-1])
    known = " ".join(_facts_about(last, facts))
    told = known or find(last)
    expected = tuple(expected)
    leaks = not known and any(shares_words(told or last, one) or leaks_number(told, one) for one in expected)
    if leaks or _repeats(last, question, 1 if told and not known else _REPEATED):
        return ""
    if told:
        return told
    if _PHRASES["asks what is wanted"].match(last):
        return vary(AS_YOU_LIKE, turn)
    if _PHRASES["asks for a name"].match(last):
        return vary(LEFT_UNANSWERED, turn)
    if _PHRASES["asks for the verdict"].match(last) or _PHRASES["asks about the talk"].match(last):
        return ""
    wants_to_know = bool(facts and _PHRASES["asks to know"].match(last))
    if wants_to_know or _PHRASES["asks you for a given"].match(last) or _is_about_flight(last, facts):
        not_given = f"{vary(NOT_GIVEN_BESIDE, turn)} {_place_to_look(last, expected)}"
        return not_given.strip() if facts else AS_ASKED
    at_end = len(sentences) > 1 and questions[-1] == asked[-1]
    own = _PHRASES["asks oneself"].match(last) or _PHRASES["asks what a thing is"].match(last)
    return vary(LEFT_UNANSWERED, turn) if at_end and not own else ""


def _place_to_look(asked: str, expected: Iterable[str]) -> str:
    """Where a pilot would look for what is asked; "" where the question wants to hear that place."""
    place = next((said for about, said in LOOKED_UP.items() if _PHRASES[about].search(asked)), "")
    return "" if any(idea_set(place) & idea_set(one) for one in expected) else place


def without_questions(said: str) -> str:
    """The answer without what it asks the examiner about the flight ("Would I have a chart aboard?"), which states
    nothing; all of it where nothing else is said."""
    told = _PHRASES["aside"].sub(". By the way, ", said)
    sentences = [one.text for one in sentences_in(told)]
    questions = [_as_question(_plain(one)) for one in sentences]
    asked = [one for one in _questions_among(questions) if _asks_to_know(one)]
    # One after another they are what pilots ask themselves.
    asked = [one for one in asked if not any(questions[: questions.index(one)][-1:])]
    left = [one for one, question in zip(sentences, questions, strict=True) if question not in asked]
    return " ".join(left) if asked and any(map(idea_set, left)) else said


def _plain(sentence: str) -> str:
    return sentence.strip().lower().replace("’", "'")


def _as_question(sentence: str) -> str:
    """A question with its mark, which speech recognition often leaves out; "" for a statement."""
    if sentence.endswith("?"):
        return sentence
    return f"{sentence.rstrip('.!')}?" if _PHRASES["asks unmarked"].match(sentence) else ""


def _questions_among(questions: Sequence[str]) -> list[str]:
    """Of the sentences of an answer, in which statements are "", the questions that are put to the examiner; none of
    somebody's who goes through a list of them."""
    if sum(map(bool, questions)) > QUESTIONS_MOST:
        return []
    return [one for at, one in enumerate(questions) if one and _is_addressed(one, questions[at + 1 :])]


def _asks_to_know(asked: str) -> bool:
    """Whether it asks how things are, and does not put an act as a question ("Could I ask for a deviation?")."""
    asked = _PHRASES["leads in"].sub("", asked)
    meanings = ("asks of the world", "asks for a given", "asks you for a given", "asks to know")
    return not _PHRASES["asks oneself"].match(asked) and any(_PHRASES[one].match(asked) for one in meanings)


def _is_about_flight(asked: str, facts: Sequence[Fact]) -> bool:
    """Whether it asks of something there ("the highway", "Fort Laird"), and not of anything like it ("a lunch")."""
    names = [word for fact in facts for group in fact.about for word in group if word.title() in fact.say]
    there = _PHRASES["there"].search(asked) or any(
        re.search(rf"\b{re.escape(one)}\b", asked) for one in names
    )
    return bool(facts and there and _PHRASES["asks of the world"].match(asked))


def _is_addressed(sentence: str, rest: Sequence[str]) -> bool:
    """Whether a question is put to the examiner; only others may follow it among the `rest`, in which statements are
    "", unless it says so itself."""
    sentence = _PHRASES["leads in"].sub("", sentence)
    if not _is_request(sentence) or _PHRASES["asks for the answer"].search(sentence):
        return False
    return all(rest) or bool(_PHRASES["speaks to you"].match(sentence))


def _repeats(asked: str, question: str, share: float) -> bool:
    """Whether the words ask what the examiner has just asked. What has a prepared answer may have more of its words."""
    ideas = idea_set(asked)
    return len(ideas) > 1 and len(ideas & idea_set(question)) >= share * len(ideas)


def _is_request(sentence: str) -> bool:
    """Whether it asks and tells nothing. A question with an amount in it ("Is it 90 days?") is an answer; a bare figure
    ("the 172") is a name. Of one that asks for either ("Is there gas, or must I carry it?") its first part counts."""
    first, _, _ = sentence.partition(", or ")
    return (
        sentence.endswith("?")
        and len(sentence.split()) <= WORDS_MOST
        and _PHRASES["asks"].match(sentence) is not None
        and not _PHRASES["is an answer"].search(first)
        and not any(figure.unit for figure in figures_in(sentence))
    )


def _facts_about(asked: str, facts: Sequence[Fact]) -> tuple[str, ...]:
    """The sentences of the facts that the question, or a part of it, names most closely."""
    parts = [asked, *re.split(r"[,;?]|\band\b", asked)]
    return tuple(dict.fromkeys(say for part in parts for say in _closest_facts(part, facts)))[:FACTS_MOST]


def _closest_facts(asked: str, facts: Sequence[Fact]) -> list[str]:
    """The same for one part; of facts about the same only the latest. A part that asks about something else as well
    ("how far back is the last airport") asks for another thing than the fact has."""
    best: dict[tuple[tuple[str, ...], ...], str] = {}
    subjects = set(content_words(" ".join(word for fact in facts for group in fact.about for word in group)))
    for fact in (one for one in facts if one.about):
        if (_is_named(asked, fact) or _is_retold(asked, fact, subjects)) and not _words_beyond(asked, fact):
            best.setdefault(fact.about, fact.say)
    closest = max((len(about) for about in best), default=0)
    return list(
        filter(None, (_told_of(say, about, asked) for about, say in best.items() if len(about) == closest))
    )


def _told_of(say: str, about: Sequence[Sequence[str]], asked: str) -> str:
    """What a fact says to a question; of a whole card ("It is a Cessna … Two radios …") only the sentences that it asks
    for, or the card itself to who asks what there is."""
    sentences = [one.text for one in sentences_in(say)]
    if len(sentences) < _CARD_SENTENCES or _PHRASES["asks for a card"].match(asked):
        return say
    named = {word for group in about for word in group if word in sentences[0].lower()}
    wanted = set(content_words(asked)) - set(content_words(" ".join((*named, "airplane plane aircraft"))))
    told = " ".join(one for one in sentences if wanted & set(content_words(one)))
    by_name_only = wanted and wanted <= set(
        content_words(" ".join(word for group in about for word in group))
    )
    return say if by_name_only and not told else told


def _is_named(asked: str, fact: Fact) -> bool:
    return all(any(_begins(word, asked) for word in group) for group in fact.about)


def _begins(word: str, asked: str) -> bool:
    """Whether some word there begins so; a short word stands alone ("far" is in no "farmland")."""
    ends = "" if len(word) > STEM_LEAST else r"(s|'s)?\b"
    return re.search(rf"\b{re.escape(word)}{ends}", asked) is not None


def _is_retold(asked: str, fact: Fact, subjects: Collection[str]) -> bool:
    """Whether it asks in the fact's own words ("When does the museum close?"); one word is not enough, nor are words
    that name the `subjects` of facts."""
    shared = set(content_words(_PHRASES["asks around"].sub("", asked))) & set(content_words(fact.say))
    return len(shared) > 1 and not shared <= set(subjects)


def _words_beyond(asked: str, fact: Fact) -> list[str]:
    """The words of a question that neither the fact, nor how one asks for a fact, accounts for."""
    own = tuple(
        word for group in fact.about for name in group for word in name.split() if content_words(word)
    )
    told = set(content_words(fact.say))
    elsewhere = _PHRASES["another thing"]
    words = [word.removesuffix("'s") for word in re.findall(r"[a-z']+", asked)]
    words = [word for word in words if content_words(word) or elsewhere.fullmatch(word)]
    return [
        word
        for word in words
        if not (
            word.startswith(own)
            or told.issuperset(content_words(word) or [""])
            or _PHRASES["asks around"].fullmatch(word)
        )
    ]
