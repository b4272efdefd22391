"""A message and what was said before it become the question that is looked for. Pure.

"And in Germany?" asks what was asked before; "what about customs?" asks something new. Names of places are not looked
for: they choose columns, and a question about France is the same one as about Germany. But that a journey goes from
one country to another is part of what is asked: it stays, without their names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rules import conf
from rules.countries import KNOWN_COUNTRIES, mentions_in
from rules.countries.mentions import Mention
from rules.query.route_endpoints import ends_of_journeys
from rules.query.synonyms import matters_in


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# Words of which a follow-up is made. What is left when they are gone is what it asks for.
_FILLER = _words(
    """
    a about actually add again all also am an and another any anything apply applies are as at be been both but can
    compare compared comparison could countries country did differ difference different differs do does else exactly
    fly flying for from go going had has have hello help hey hi how i if in instead into is it its just know let like
    list look looking me more much my need next no not now of ok okay on one ones only or other our out over please
    question questions quick rather right rule rules said same say says see should so some still tell thank thanks that
    the their them then there these they thing things this those time to today together tomorrow too towards trip true
    two us versus vs want was we week well were what when where which who why will with within without would year yes
    you your skip drop forget except leave excluding mean meant remove show side sides table stricter strict strictest
    hand answer answers aviation general overview everything regulation regulations law laws pilot pilots summary
    summarise summarize information info former latter first second last three four five both again every everywhere
    anywhere elsewhere each
    """
)
_WORD = re.compile(r"[a-z0-9][a-z0-9'’/+-]*", re.IGNORECASE)
_LEADING = re.compile(
    r"(?:\b(?:in|into|from|to|at|of|for|within|over|through|across|between|about|via)\s+)?(?:\b(?:the|a|an)\s+)?$",
    re.IGNORECASE,
)
CROSSING = "across an international border"
"""What a journey between two countries is called in the question that is looked for, where a border decides it."""
BESIDE = "between countries"
"""The same where something else is asked, which a border does not decide: words that lead to no rule by themselves."""
# How the dictionary calls what a border decides.
_OF_BORDERS = ("flight plan", "Schengen", "boundary")
_TRAILING = re.compile(r"^['’]s\b")
_LONELY = re.compile(r"\s['’]s\b|\(\s*\)")
_BEFORE_SIGN = re.compile(r"\s+(?=[,.;:?!])")


class BadQuestion(ValueError):
    """What cannot be asked, and what to do about it."""


class UnknownCountry(LookupError):
    """No country has this code or this name."""


def country_named(spelt: str) -> str:
    """The ISO 3166 alpha-2 code of a country by its code or by what it is called. Raises UnknownCountry."""
    code = spelt.strip().upper()
    code = conf.USUAL_CODES.get(code, code)
    if code in KNOWN_COUNTRIES:
        return code
    places = mentions_in(spelt[: conf.QUERY_LONGEST])
    if len(places) == 1 and len(places[0].countries) == 1 and _is_all_of(places[0], spelt):
        return places[0].countries[0]
    raise UnknownCountry(
        f"there is no country {spelt.strip()[:40]!r}: give a code of ISO 3166, such as FR or GB"
    )


def _is_all_of(place: Mention, spelt: str) -> bool:
    """Whether nothing else stands there: "not France" is no name of France."""
    beside = spelt[: place.start] + " " + spelt[place.end :]
    return set(re.findall(r"[^\W_]+", beside.lower())) <= {"the"}


def checked_question(text: str) -> str:
    """The message without what is no text. Raises BadQuestion."""
    said = "".join(letter if letter.isprintable() or letter.isspace() else " " for letter in text).strip()
    if not said:
        raise BadQuestion("say what you want to know, such as: is a flight plan required in France?")
    if len(said) > conf.QUERY_LONGEST:
        most, length = f"{conf.QUERY_LONGEST:,}", f"{len(said):,}"
        raise BadQuestion(
            f"a question may have {most} characters, this has {length}: ask for one thing at a time"
        )
    return said


def question_asked(message: str, history: Sequence[str] = ()) -> str:
    """What is to be looked for, without places: the message itself if it asks for something, else the last one that
    did, with what this one adds. `history` are the user's earlier messages, oldest first."""
    remembered = [text[: conf.QUERY_LONGEST] for text in history[-conf.TOPIC_MESSAGES :]]
    own = _stripped(message)
    if asks(own):
        return _on_the_way(without_places(message), own, [*remembered, message])
    for earlier in reversed(remembered):
        bare = _stripped(earlier)
        if asks(bare):
            asked = " ".join(filter(None, (without_places(earlier), _added(own))))
            return _on_the_way(asked, bare, [earlier, message])
    return without_places(message)


def _on_the_way(asked: str, bare: str, messages: Sequence[str]) -> str:
    """What is asked on the journey that was named last, in whichever message that was."""
    crossing = _crossing_for(bare)
    placed = next((text for text in reversed(messages) if mentions_in(text)), "")
    return f"{asked} {crossing}" if crossing not in asked and crosses_a_border(placed) else asked


def without_places(text: str) -> str:
    """The text without the names of places and the small words that lead to them; a journey between two countries is
    still one."""
    bare = _stripped(text)
    return _stripped(text, _crossing_for(bare)) if crosses_a_border(text) else bare


def crosses_a_border(text: str) -> bool:
    """Whether a text speaks of a journey from one country to another: "from the UK to France", "EGKB to LFAT"."""
    return bool(ends_of_journeys(text, mentions_in(text)))


def _crossing_for(bare: str) -> str:
    matters = " ".join(matter.formal for matter in matters_in(bare))
    decided = any(words in matters for words in _OF_BORDERS)
    return CROSSING if decided or not asks(bare) else BESIDE


def _stripped(text: str, crossing: str = "") -> str:
    places = mentions_in(text)
    ends = ends_of_journeys(text, places) if crossing else frozenset()
    parts, start = [], 0
    for at, place in enumerate(places):
        if place.start >= start:
            parts.append(_LEADING.sub("", text[start : place.start]))
            parts.append(crossing if at in ends else "")
            start = place.end
    rest = " ".join([*parts, _TRAILING.sub("", text[start:]) if parts else text[start:]])
    return _BEFORE_SIGN.sub("", " ".join(_LONELY.sub(" ", rest).split())).strip(" ,:;-→>=")


def asks(text: str) -> bool:
    """Whether a text names something that could be looked for."""
    return bool(_telling(text)) or any(True for _ in matters_in(text))


def _telling(text: str) -> list[str]:
    """Words that are no filler. One alone, unless it is long, may be a name that was not recognised."""
    words = [word for word in _WORD.findall(text.lower()) if word not in _FILLER and len(word) > 1]
    return words if len(words) > 1 or any(len(word) > conf.TELLING_WORD for word in words) else []


def _added(text: str) -> str:
    return " ".join(word for word in _WORD.findall(text) if word.lower() not in _FILLER)
