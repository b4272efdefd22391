"""What a message asks for, in view of the earlier messages. Pure.

"And in Germany?" repeats the previous question; "what about customs?" asks a new one. Place names are not searched for,
because they select columns. A journey from one country to another stays in the query, without the names.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

from knowledge.text.phrases import read_phrase_lists
from rules import conf
from rules.countries import KNOWN_COUNTRIES, Mention, mentions_in
from rules.query.synonyms import matters_in

CROSSING: Final = "across an international border"
"""What a journey between two countries is called in the question that is looked for, where a border decides it."""
BESIDE: Final = "between countries"
"""The same where something else is asked, which a border does not decide: words that lead to no rule by themselves."""
_DECIDED_BY_BORDERS: Final = ("flight plan", "Schengen", "boundary")  # as the dictionary calls them
_ARROWS: Final = frozenset({"->", "=>", ">", "→", "⇒", "»"})
_WORDS: Final = read_phrase_lists(Path(__file__).with_name("words.yaml"))
_WORD: Final = re.compile(r"[a-z0-9][a-z0-9'’/+-]*", re.IGNORECASE)


class Unanswerable(ValueError):
    """Why a question cannot be answered, and what to do about it; `field` is what is wrong in a request. After
    `wait` seconds, where they are not 0, the same question can be asked."""

    def __init__(self, message: str, field: str = "query", wait: int = 0) -> None:
        super().__init__(message)
        self.field, self.wait = field, wait


class UnknownCountry(Unanswerable):
    """No country has this code or name."""


def country_named(spelt: str) -> str:
    """The ISO 3166 alpha-2 code of a country by its code or by a name. Raises UnknownCountry."""
    code = spelt.strip().upper()
    code = conf.USUAL_CODES.get(code, code)
    if code in KNOWN_COUNTRIES:
        return code
    places = mentions_in(spelt[: conf.QUERY_LONGEST])
    if len(places) == 1 and len(places[0].countries) == 1:
        beside = f"{spelt[: places[0].start]} {spelt[places[0].end :]}"  # "not France" is no name of France
        if set(re.findall(r"[^\W_]+", beside.lower())) <= {"the"}:
            return places[0].countries[0]
    told = f"there is no country {spelt.strip()[:40]!r}: give a code of ISO 3166, such as FR or GB"
    raise UnknownCountry(told, "countries")


def checked_question(text: str) -> str:
    """The message without unprintable characters. Raises Unanswerable."""
    said = "".join(letter if letter.isprintable() or letter.isspace() else " " for letter in text).strip()
    if not said:
        raise Unanswerable("say what you want to know, such as: is a flight plan required in France?")
    if len(said) > conf.QUERY_LONGEST:
        raise Unanswerable(
            f"a question may have {conf.QUERY_LONGEST:,} characters, this has {len(said):,}:"
            " ask for one thing at a time"
        )
    return said


def question_asked(message: str, history: Sequence[str] = ()) -> str:
    """The question to search for, without places.

    The message itself if it asks for something; otherwise the last message of `history` (oldest first) that did, with
    what this one adds.
    """
    remembered = [text[: conf.QUERY_LONGEST] for text in history[-conf.TOPIC_MESSAGES :]]
    own = _strip_places(message)
    if asks_something(own):
        return _with_journey(without_places(message), own, [*remembered, message])
    for earlier in reversed(remembered):
        bare = _strip_places(earlier)
        if asks_something(bare):
            added = " ".join(word for word in _WORD.findall(own) if word.lower() not in _WORDS["filler"])
            asked = " ".join(filter(None, (without_places(earlier), added)))
            return _with_journey(asked, bare, [earlier, message])
    return without_places(message)


def asks_something(text: str) -> bool:
    """Whether a text names something to search for.

    A single word that is not a filler may be an unrecognized name, unless it is long.
    """
    words = [word for word in _WORD.findall(text.lower()) if word not in _WORDS["filler"] and len(word) > 1]
    telling = len(words) > 1 or any(len(word) > conf.TELLING_WORD for word in words)
    return telling or next(matters_in(text), None) is not None


def without_places(text: str) -> str:
    """The text without place names and the small words before them; a journey between two countries stays one."""
    bare = _strip_places(text)
    return _strip_places(text, _crossing_for(bare)) if crosses_a_border(text) else bare


def _strip_places(text: str, crossing: str = "") -> str:
    """Without places; `crossing` stands where a journey ends in another country."""
    places = mentions_in(text)
    ends = _find_journey_ends(text, places) if crossing else set()
    parts, start = [], 0
    for at, place in enumerate(places):
        if place.start >= start:
            before = text[start : place.start]
            lead = _WORDS["leads to a place"].find_end(before)
            parts += [before[: lead.start()] if lead else before, crossing if at in ends else ""]
            start = place.end
    rest = re.sub(r"^['’]s\b", "", text[start:]) if parts else text[start:]
    plain = " ".join(re.sub(r"\s['’]s\b|\(\s*\)", " ", " ".join([*parts, rest])).split())
    return re.sub(r"\s+(?=[,.;:?!])", "", plain).strip(" ,:;-→>=")


# --- journeys ---------------------------------------------------------------------------------------------------


def crosses_a_border(text: str) -> bool:
    """Whether a text speaks of a journey from one country to another: "from the UK to France", "EGKB to LFAT"."""
    return bool(_find_journey_ends(text, mentions_in(text)))


def _with_journey(asked: str, bare: str, messages: Sequence[str]) -> str:
    """What is asked on the journey that was named last, in whichever message that was."""
    crossing = _crossing_for(bare)
    placed = next((text for text in reversed(messages) if mentions_in(text)), "")
    return f"{asked} {crossing}" if crossing not in asked and crosses_a_border(placed) else asked


def _crossing_for(bare: str) -> str:
    matters = " ".join(matter.formal for matter in matters_in(bare))
    decided = any(words in matters for words in _DECIDED_BY_BORDERS)
    return CROSSING if decided or not asks_something(bare) else BESIDE


def _find_journey_ends(text: str, places: Sequence[Mention]) -> set[int]:
    """Which of the text's places are reached from the one before, in another country."""
    return {at for at, (one, other) in enumerate(pairwise(places), 1) if _is_journey(text, one, other)}


def _is_journey(text: str, one: Mention, other: Mention) -> bool:
    """What tells is how the sentence leads from one place to the next. Two places side by side, compared or exchanged,
    are no journey, and neither is one within a country."""
    before, between = text[: one.start], text[one.end : other.start]
    clause = re.split(r"[.;:?!]", before)[-1]
    if set(one.countries) & set(other.countries) or _WORDS["no travel"].is_in(clause):
        return False
    lead = re.sub(r"\([^()]*\)", " ", between)
    if lead.strip(" ,") in _ARROWS:
        return True
    if onward := _WORDS["onward"].find_end(lead):  # "to", "and on into the", "from a French field to a"
        middle = lead[: onward.start()]
        if middle.strip(" ,") in ("", "and"):
            return True
        if _WORDS["starts from"].ends(before) and not re.search(r"[.;:?!,]", between):
            return True
    backward = _WORDS["backward"].find_end(between)
    if backward and not between[: backward.start()].strip():  # "to Germany from France"
        return _WORDS["toward"].ends(before)
    if between.split() in (
        ["and"],
        ["and", "the"],
        ["&"],
        ["&", "the"],
    ):  # "flying between Ireland and the UK"
        return _WORDS["between"].ends(before) and _WORDS["travel"].is_in(clause)
    return one.kind == other.kind == "airport" and between.strip() in ("-", "–", "—")
