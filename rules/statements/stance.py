"""What position an answer takes: yes or no, required or not, permitted or forbidden. Pure.

People answered in their own words, often in one. The question decides what a bare "no" means: not required, or not
permitted. An unclear position is left open, never guessed.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, Literal

from knowledge.text.modality import modality_of
from knowledge.text.phrases import read_phrase_lists
from knowledge.text.sentences import sentences_in
from knowledge.text.tokens import content_words
from rules import conf

Standing = Literal["missing", "unknown", "elsewhere", "not applicable", "stated"]
"""What stands in the place of an answer: nothing; "no experience"; "see AIP"; "n/a"; or a statement."""

Position = Literal[
    "yes",
    "no",
    "required",
    "not required",
    "recommended",
    "discouraged",
    "permitted",
    "forbidden",
    "depends",
    "open",
]
Asked = Literal["requirement", "permission", "yes or no", "open"]

_ANY: Final = re.IGNORECASE
_WORDS: Final = read_phrase_lists(Path(__file__).with_name("words.yaml"))

_USUALLY: Final = (
    r"(?:(?:emphatically|absolutely|definitely|usually|generally|in general|mostly|normally),?\s)?"
)
_YES_OR_NO: Final = re.compile(
    rf"\W*{_USUALLY}(?:(?P<yes>yes|yep|affirm(?:ative)?|of course|correct)\b"
    r"|(?P<no>no|nope|none|never|not)\b(?!\s(?:experience|idea|info|only)))",
    _ANY,
)
_REST_OF_UNKNOWN: Final = 60
"""As many characters may follow "I do not know"; a longer text says more than that."""
_THING_WORDS: Final = 4
"""What is denied stands in the first words behind "no": "no separate FIS", "no particular rules"."""
_BOTH: Final = re.compile(
    r"\A\W*(?:yes\s?/\s?no|no\s?/\s?yes|mixed|depends?|it depends|varies|sometimes|some yes"
    r"|only (?:if|when|in|for|with))\b"
    r"|\byes\b.*(?<![.\w])not?\b(?=\W*\Z|\s?[,.;]|\sif\b)|(?<![.\w])not?\b(?=\s?[,;]|\sif\b).*\byes\b"
    r"|\A\W*(?:no|not)\b.*\bbut\b.*\b(?:most|many|some|often|frequently|sometimes)\b"
    r"|\bonly\s(?:required|needed|mandatory|necessary|compulsory)\s(?:if|when|for|in|before|after)\b"
    r"|\b(?:required|needed|mandatory|necessary|compulsory)\sonly\b",
    _ANY,
)
"""Yes for some and no for others, in one sentence."""


def standing_of(text: str) -> Standing:
    """Whether the text is an answer, a pointer, "n/a", or says nothing."""
    if not _has_letters(text):
        return "missing"
    if _is_unknown(text) or _starts(text, "unsure"):
        return "unknown"
    if _WORDS["elsewhere"].is_all_of(_strip_signs(text)):
        return "elsewhere"
    return "not applicable" if _starts(text, "not applicable") else "stated"


def _is_unknown(text: str) -> bool:
    """Whether a text says that its author does not know, and hardly anything else."""
    said = _strip_signs(text)
    found = _WORDS["unknown"].find_start(said)
    if found is None:
        return False
    rest = said[found.end() :]
    return len(rest) <= _REST_OF_UNKNOWN and not re.search(r"[.;]|\bbut\b", rest, _ANY)


def _strip_signs(text: str) -> str:
    """The text without what is no letter and no number at its ends."""
    return re.sub(r"\A\W+|\W+\Z", "", text)


def says_nothing(text: str) -> bool:
    """Whether a text is not an answer: "no experience", "see AIP". "N/a" is one: the rule does not apply."""
    return len(text) <= conf.SILENT_LONGEST and standing_of(text) in ("missing", "unknown", "elsewhere")


def _has_letters(text: str) -> bool:
    return any(letter.isalnum() for letter in text)


def asked_by(question: str) -> Asked:
    """What a bare yes or no means as an answer to this question."""
    said = question.lower()
    polar = re.search(r"(?:^|,\s*|\?\s*)(?:is|are|do|does|can|may|must|should|has|have|will)\b", said)
    if re.search(r"\bsufficient\b|\babided\b", said):
        return "yes or no" if polar else "open"
    if re.search(r"\brequirements\b|\b(?:required|needed|mandatory|necessary|have to|need to)\b", said):
        return "requirement"
    if polar and re.search(r"\b(?:permitted|allowed)\b", said):
        return "permission"
    return "yes or no" if polar else "open"


_AFFIRMED: Final[dict[Asked, Position]] = {
    "requirement": "required",
    "permission": "permitted",
    "yes or no": "yes",
    "open": "yes",
}
_DENIED: Final[dict[Asked, Position]] = {
    "requirement": "not required",
    "permission": "forbidden",
    "yes or no": "no",
    "open": "no",
}


def position_of(text: str, question: str = "") -> Position:
    """The position of an answer: that of its first sentence, unless a later one says the contrary in one word ("No, see
    above. Yes")."""
    lead = lead_of(text)
    asked = asked_by(question)
    # Two people may have answered in one cell, one yes, one no, each in a sentence of its own.
    first, *rest = [sentence.text for sentence in sentences_in(text)] or [""]
    short = [one for one in rest if len(one.split()) <= 2]
    yes, no = (any(_answers(one, answer) for one in short) for answer in ("yes", "no"))
    if _BOTH.search(lead) or (yes and _answers(first, "no")) or (no and _answers(first, "yes")):
        return "depends"
    *before, last = re.sub(r"\W+\Z", "", lead).split() or [""]
    ends_so = last.lower() == "yes" and 1 <= len(before) <= 4
    # "IFR and VFR yes", but not "VFR in Class G: yes"
    if _answers(lead, "yes") or (ends_so and re.fullmatch(r"[\w,&/ -]+", " ".join(before))):
        return _AFFIRMED[asked]
    if asked in ("requirement", "permission") and re.match(r"\W*(?:if|when)\b", lead, _ANY):
        return "depends"
    return _position_in_words(lead, asked, question)


def _answers(text: str, answer: Literal["yes", "no"]) -> bool:
    found = _YES_OR_NO.match(text)
    return found is not None and found[answer] is not None


def _position_in_words(lead: str, asked: Asked, question: str) -> Position:
    if _says(lead, "not required") or (asked == "requirement" and modality_of(lead) == "not_required"):
        return "not required"
    if _says(lead, "not forbidden"):
        return "permitted"
    commands = _starts(lead, "forbidden at start") and not _starts(lead, "do not know")
    named = re.sub(r"\bprohibited/", " ", lead, flags=_ANY)  # "Prohibited/Restricted/Danger Areas"
    if commands or _WORDS["forbidden"].is_in(named):
        return "forbidden"
    if no := _YES_OR_NO.match(lead):
        return _DENIED[asked] if _denies_question(lead, no, asked, question) else "open"
    cannot = _WORDS["cannot"].find(lead)
    before = lead[: cannot.start()] if cannot else ""
    first = cannot and before[-1:] in ("", " ") and len(before.split()) <= 3  # one of the first four words
    if asked in ("yes or no", "permission") and first:
        return _DENIED[asked]
    return _position_on_duty(lead, asked)


def _starts(lead: str, phrases: str) -> bool:
    return _WORDS[phrases].begins(_strip_signs(lead))


def _says(lead: str, phrases: str) -> bool:
    return _WORDS[phrases].is_in(lead) or _starts(lead, f"{phrases} at start")


def _denies_question(lead: str, no: re.Match[str], asked: Asked, question: str) -> bool:
    """Whether a no is one to the question: "no separate radar" says only that there is none of that."""
    thing = re.match(r"\s((\w+)[^,.;:!?()–—]*)", lead[no.end() :])
    if thing is None or thing[2].lower() in _WORDS["no thing"]:
        return True
    if no["no"].lower() in ("not", "never"):
        return asked != "open" or not re.match(r"\w+ed\b", thing[1])
    denied = content_words(" ".join(thing[1].split()[:_THING_WORDS]))
    circumstance = _WORDS["asks"].find(question)  # what stands before it: "In Class E, what is required?"
    itself = question[circumstance.start() :] if circumstance else question
    return asked != "open" and not set(denied).isdisjoint(content_words(itself))


def _position_on_duty(lead: str, asked: Asked) -> Position:
    """What is said first, where an answer permits and advises in one sentence."""
    starts: dict[Position, int] = {}
    if found := _WORDS["discouraged"].find(lead):
        starts["discouraged"] = found.start()
    if _starts(lead, "discouraged at start"):
        starts["discouraged"] = 0
    if not _WORDS["obliged"].is_in(lead) and (found := _WORDS["advised"].find(lead)):
        starts["recommended"] = found.start()
    if asked in ("requirement", "permission") or (asked == "open" and _WORDS["permission"].is_in(lead)):
        if found := _WORDS["required"].find(lead):
            starts["required"] = found.start()
        if re.match(r"\W*(?:\w+ ){0,2}clearances?\W*\Z", lead, _ANY):
            starts["required"] = 0
    plain = _WORDS["not permitted"].remove(lead)
    if found := _WORDS["permitted"].find(plain):
        starts["permitted"] = found.start() + len(lead) - len(plain)
    return min(starts, key=lambda position: starts[position], default="open")


def lead_of(text: str) -> str:
    """The first sentence that says something, without its asides; it is the answer."""
    bare = re.sub(r"\([^()]*\)|\[[^\[\]]*\]", " ", text)
    sentences = [sentence.text for sentence in sentences_in(bare)]
    telling = (one for one in sentences if _has_letters(one) and not _is_unknown(one))
    return " ".join(next(telling, text).split())


_TWO_ASKED: Final = re.compile(
    r"\b(?:permitted|allowed|required|needed|mandatory|necessary|accepted|available)\s(?:and|or)\s"
    r"|[?,]\s.*[?,]\s(?:whether\s.*|if so,\s)?(?:is|are|do|does|can)\b|\?\s*\w",
    _ANY,
)


def says_plainly(text: str, question: str) -> bool:
    """Whether the name of its position may replace an answer: it says only that, or it is a yes or no without a limit
    to one yes-or-no question. All others are quoted."""
    position = position_of(text, question)
    plain = _WORDS.get(f"plain {position}")
    if plain and plain.is_all_of(" ".join(text.split()).strip(" .!")):
        return True
    bare = re.match(r"\W*(?:yes|no|nope|none)\b(?=\W*\Z|[.,;!])", text, _ANY)
    if bare is None or position in ("depends", "open") or _WORDS["limits"].is_in(text[bare.end() :]):
        return False
    asked = asked_by(question)
    whether = re.search(r"(?:^|,\s*)(?:is|are|do|does|can|may|must|should|has|have|will)\b", question, _ANY)
    # "No" to "is it generally required?" or to "is it permitted and practical?" is less than "not required".
    general = asked != "yes or no" and _WORDS["in general"].is_in(question)
    return bool(whether) and asked != "open" and not general and not _TWO_ASKED.search(question)


def condition_of(text: str) -> str:
    """The first limit that the first sentence puts on its position, with its subject: "unless TMZ", "IFR only by
    telephone"; "" if there is none."""
    sentences = sentences_in(text)
    first = sentences[0].text if sentences else text
    found = _WORDS["condition"].find(first)
    if not found:
        return ""
    limited = re.split(r"[,;:.!?()\[\]–—]\s*|\bbut\b|\n", first[: found.start()])[-1]
    limit = re.split(r"[;()\[\]\n]", first[found.end() :])[0]
    whole = f"{limited}{found[0]}{limit}"
    return re.sub(rf"\A\W*{_USUALLY}(?:yes|no|not|none)\b", "", whole, flags=_ANY).strip(" ,:.!")


_OPPOSED: Final[dict[frozenset[Position], float]] = {
    frozenset(("required", "forbidden")): 0.9,
    frozenset(("not required", "forbidden")): 0.8,
    frozenset(("recommended", "forbidden")): 0.8,
    frozenset(("recommended", "no")): 0.4,
    frozenset(("recommended", "not required")): 0.4,
    frozenset(("required", "recommended")): 0.5,
    frozenset(("required", "permitted")): 0.4,
    frozenset(("recommended", "permitted")): 0.3,
    frozenset(("recommended", "yes")): 0.3,
    frozenset(("discouraged", "recommended")): 0.9,
    frozenset(("discouraged", "required")): 0.5,
    frozenset(("discouraged", "permitted")): 0.4,
    frozenset(("discouraged", "forbidden")): 0.4,
    frozenset(("discouraged", "not required")): 0.4,
}
_SIDES: Final[dict[Position, int]] = {
    "yes": 1,
    "required": 1,
    "permitted": 1,
    "no": -1,
    "not required": -1,
    "forbidden": -1,
}
OPPOSITE: Final = 0.9
"""Of yes against no; the rest to 1 is left to what else differs, so that two such questions can still be ranked."""
HALF_OPPOSED: Final = 0.4
"""Of "it depends" against a plain position."""


def opposition(one: Position, other: Position) -> float:
    """How far two positions are apart, in [0, 1]; 0 if one of them is open."""
    if one == other or "open" in (one, other):
        return 0.0
    if "depends" in (one, other):
        return HALF_OPPOSED
    pair: frozenset[Position] = frozenset((one, other))
    if pair in _OPPOSED:
        return _OPPOSED[pair]
    return OPPOSITE if _SIDES.get(one, 0) * _SIDES.get(other, 0) < 0 else 0.0
