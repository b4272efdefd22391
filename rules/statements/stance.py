"""An answer becomes its position: yes or no, required or not, permitted or forbidden, or none that could be
compared. Pure.

People answered in their own words, often in one. What the question asks for says what a bare "no" means: not
required, or not permitted. What cannot be told is left open, never guessed.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from knowledge.text.modality import modality_of
from knowledge.text.sentences import sentences_in
from knowledge.text.tokens import content_words

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
_LETTER: Final = re.compile(r"[^\W_]")
_UNKNOWN: Final = re.compile(
    r"\W*(?:i\s+)?(?:do(?:n['’]?t|\s+not)\s+know|(?:have\s+)?no\s+(?:such\s+)?(?:experience|info(?:rmation)?|idea)"
    r"|unsure|not\s+sure|unknown)\b(?:(?!\bbut\b)[^.;]){0,60}\W*",
    _ANY,
)
_ELSEWHERE: Final = re.compile(
    r"\W*(?:as above|see above|same as above|(?:see |refer(?: to)? |by |per |check |according to )?(?:the )?aip)"
    r"(?:\s(?:enr|gen|ad)\s[\d.]+)?\W*",
    _ANY,
)
_NOT_APPLICABLE: Final = re.compile(r"\W*(?:n/a|na|n\.a\.|nil|not?\s+(?:really\s+)?applicable)\b", _ANY)
_ASIDE: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")

_USUALLY: Final = (
    r"(?:(?:emphatically|absolutely|definitely|usually|generally|in general|mostly|normally),?\s)?"
)
_YES: Final = re.compile(rf"\W*{_USUALLY}(?:yes|yep|affirm(?:ative)?|of course|correct)\b", _ANY)
_SHORT_YES: Final = re.compile(r"(?:[\w,&/-]+\s){1,4}yes\W*", _ANY)
_NO: Final = re.compile(rf"\W*{_USUALLY}(no|nope|none|never|not)\b(?!\s(?:experience|idea|info|only))", _ANY)
_OF_A_THING: Final = re.compile(
    r"\s(?!(?:in|for|at|on|by|with|when|unless|if|as|except|but|because|since|other)\b)(\w[^,.;:!?()–—]*)",
    _ANY,
)
_THING_WORDS: Final = 4
"""What is denied stands in the first words behind "no": "no separate FIS", "no particular rules"."""
_CANNOT: Final = re.compile(
    r"(?:\S+\s){0,3}(?:can\s?not|can['’]t|(?:does|do|is|are|will)(?:\snot|n['’]t))\b", _ANY
)
_BOTH: Final = re.compile(
    r"\W*(?:yes\s?/\s?no|no\s?/\s?yes|mixed|depends?|it depends|varies|sometimes|some yes"
    r"|only (?:if|when|in|for|with))\b",
    _ANY,
)
_BOTH_SAID: Final = re.compile(
    r"\byes\b.*(?<![.\w])no[t]?\b(?=\W*\Z|\s?[,.;]|\sif\b)|(?<![.\w])no[t]?\b(?=\s?[,;]|\sif\b).*\byes\b"
    r"|\A\W*(?:no|not)\b.*\bbut\b.*\b(?:most|many|some|often|frequently|sometimes)\b"
    r"|\bonly\s(?:required|needed|mandatory|necessary|compulsory)\s(?:if|when|for|in|before|after)\b"
    r"|\b(?:required|needed|mandatory|necessary|compulsory)\sonly\b",
    _ANY,
)
"""Yes for some and no for others, in one sentence."""
_DISCOURAGED: Final = re.compile(
    r"\b(?:rec+om+end\w*|racomand\w*|advis(?:able|ed)|encouraged)\s(?:not\s|to\s(?:be\s)?avoid|against\b)"
    r"|\bnot (?:rec+om+ended|advisable|advised|encouraged)\b|\bdiscouraged\b|\bshould(?:\snot|n['’]t|\sbe avoided)\b"
    r"|\A\W*(?:to be )?avoid(?:ed|ing)?\b",
    _ANY,
)
_ADVISED: Final = re.compile(
    r"\b(?:rec+om+end\w*|racomand\w*|advis(?:able|ed)|encouraged|prefer+ed|should)\b", _ANY
)
_NOT_REQUIRED: Final = re.compile(
    r"\bnot (?:required|needed|mandatory|necessary|compulsory)\b"
    r"|\A\W*no (?:\w+ ){0,3}(?:(?:is|are) )?(?:required|needed|necessary)\b",
    _ANY,
)
_NOT_FORBIDDEN: Final = re.compile(
    r"\bnot (?:prohibited|forbidden|banned)\b|\A\W*no (?:prohibt?ition|ban)\b", _ANY
)
_FORBIDDEN: Final = re.compile(
    r"\bno entry\b|\b(?:do not|don['’]t|never) enter\b|\bnot (?:permitted|allowed|permissable|premissable)\b"
    r"|\b(?<!not )prohibited\b(?!/)|\b(?<!not )forbidden\b|\b(?<!not )banned\b|\bcriminal act\b"
    r"|\A\W*don['’]t\b(?!\sknow)",
    _ANY,
)
_PERMITTED: Final = re.compile(r"\b(?<!not )(?:permitted|allowed|can be entered)\b", _ANY)
_REQUIRED: Final = re.compile(
    r"\b(?:required|requires|mandatory|compulsory|obligatory|must|needed|necessary|needs?)\b"
    r"|\A\W*(?:\w+ ){0,2}clearances?\W*\Z",
    _ANY,
)
_LEAVE: Final = re.compile(r"\b(?:clearance|permission|approval|authori[sz]ation|ppr)s?\b", _ANY)
_CONDITION: Final = re.compile(
    r"\b(?:only\s+(?:if|when|in|for|after|with|via|by)|unless|except(?:ion)?|as\s+long\s+as|provided\s+that|but\s+only"
    r"|if|when|other\s+than)\b[^;()\[\]\n]*",
    _ANY,
)


def standing_of(text: str) -> Standing:
    """What kind of thing stands in the place of the answer."""
    if not _LETTER.search(text):
        return "missing"
    if _UNKNOWN.fullmatch(text) or re.match(r"\W*\[?(?:unsure)\b", text, _ANY):
        return "unknown"
    if _ELSEWHERE.fullmatch(text):
        return "elsewhere"
    return "not applicable" if _NOT_APPLICABLE.match(text) else "stated"


def asked_by(question: str) -> Asked:
    """What a bare yes or no would mean as an answer to this question."""
    said = question.lower()
    polar = re.search(r"(?:^|,\s*|\?\s*)(?:is|are|do|does|can|may|must|should|has|have|will)\b", said)
    if re.search(r"\bsufficient\b|\babided\b", said):
        return "yes or no" if polar else "open"
    if re.search(r"\brequirements\b|\b(?:required|needed|mandatory|necessary|have to|need to)\b", said):
        return "requirement"
    if polar and re.search(r"\b(?:permitted|allowed)\b", said):
        return "permission"
    return "yes or no" if polar else "open"


_ASKS: Final = re.compile(
    r"\b(?:what|how|who|which|when|where|is|are|do|does|can|may|must|should|has|have|will)\b", _ANY
)
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
    """The position of an answer that states something: of its first sentence, unless a later one says the contrary
    in one word ("No, see above. Yes")."""
    lead = lead_of(text)
    asked = asked_by(question)
    if _BOTH.match(lead) or _BOTH_SAID.search(lead) or _says_both(text):
        return "depends"
    if _YES.match(lead) or _SHORT_YES.fullmatch(lead):
        return _AFFIRMED[asked]
    if asked in ("requirement", "permission") and re.match(r"\W*(?:if|when)\b", lead, _ANY):
        return "depends"
    return _in_words(lead, asked, question)


def _in_words(lead: str, asked: Asked, question: str) -> Position:
    if _NOT_REQUIRED.search(lead) or (asked == "requirement" and modality_of(lead) == "not_required"):
        return "not required"
    if _NOT_FORBIDDEN.search(lead):
        return "permitted"
    if _FORBIDDEN.search(lead):
        return "forbidden"
    if _NO.match(lead):
        return _DENIED[asked] if _denies(lead, asked, question) else "open"
    if asked in ("yes or no", "permission") and _CANNOT.match(lead):
        return _DENIED[asked]
    return _of_duty(lead, asked)


def _denies(lead: str, asked: Asked, question: str) -> bool:
    """Whether a no is one to the question: "no separate radar" says only that there is none of that."""
    no = _NO.match(lead)
    thing = _OF_A_THING.match(lead, no.end()) if no else None
    if no is None or thing is None:
        return no is not None
    if no[1].lower() in ("not", "never"):
        return asked != "open" or not re.match(r"\w+ed\b", thing[1])
    denied = content_words(" ".join(thing[1].split()[:_THING_WORDS]))
    return asked != "open" and not set(denied).isdisjoint(content_words(_asked_itself(question)))


def _asked_itself(question: str) -> str:
    """The question without the circumstances before it: "In Class E, what is required?"."""
    found = list(_ASKS.finditer(question))
    return question[found[0].start() :] if found else question


def _of_duty(lead: str, asked: Asked) -> Position:
    """What is said first, where an answer permits and advises in one sentence."""
    said: list[tuple[re.Pattern[str], Position]] = [(_DISCOURAGED, "discouraged")]
    if not re.search(r"\b(?:must|mandatory|required)\b", lead, _ANY):
        said.append((_ADVISED, "recommended"))
    if asked in ("requirement", "permission") or (asked == "open" and _LEAVE.search(lead)):
        said.append((_REQUIRED, "required"))
    said.append((_PERMITTED, "permitted"))
    found = [(match.start(), position) for words, position in said if (match := words.search(lead))]
    return min(found, key=lambda one: one[0])[1] if found else "open"


def lead_of(text: str) -> str:
    """The first sentence that says something, without its asides: what is said first is the answer."""
    sentences = [sentence.text for sentence in sentences_in(_ASIDE.sub(" ", text))]
    telling = (one for one in sentences if _LETTER.search(one) and not _UNKNOWN.fullmatch(one))
    return " ".join(next(telling, text).split())


def _says_both(text: str) -> bool:
    """Two people answered in one cell, one yes, one no, each in a sentence of its own."""
    leads = [sentence.text for sentence in sentences_in(text)]
    short = [lead for lead in leads[1:] if len(lead.split()) <= 2]
    yes, no = any(map(_YES.match, short)), any(map(_NO.match, short))
    return bool(leads) and ((yes and bool(_NO.match(leads[0]))) or (no and bool(_YES.match(leads[0]))))


_HEDGE: Final = re.compile(
    r"\b(?:but|except|exceptions?|only|unless|if|when|whenever|however|although|though|while|whereas|other|otherwise|not"
    r"|usually|usualy|generally|mostly|normally|typically|sometimes|often|frequently|rarely|some|most|many|depends"
    r"|for|provided|required|mandatory|must|need(?:s|ed)?|recommended|should|no|yes|practice|expected)\b",
    _ANY,
)
_PLAIN: Final[dict[Position, re.Pattern[str]]] = {
    "required": re.compile(r"(?:required|mandatory|compulsory|obligatory)", _ANY),
    "not required": re.compile(r"not (?:required|mandatory|compulsory|obligatory|necessary|needed)", _ANY),
    "recommended": re.compile(r"(?:(?:highly|strongly) )?rec+om+ended", _ANY),
    "discouraged": re.compile(r"discouraged|(?:to be )?avoid(?:ed)?", _ANY),
    "permitted": re.compile(r"(?:(?:entering|entry) )?(?:is )?(?:permitted|allowed)", _ANY),
    "forbidden": re.compile(
        r"(?:(?:entering|entry) )?(?:is )?(?:not (?:permitted|allowed)|prohibited|forbidden)"
        r"|do(?:n['’]t| not) enter|no entry",
        _ANY,
    ),
}
"""Answers that are a position and nothing else."""
_TWO_ASKED: Final = re.compile(
    r"\b(?:permitted|allowed|required|needed|mandatory|necessary|accepted|available)\s(?:and|or)\s"
    r"|[?,]\s.*[?,]\s(?:whether\s.*|if so,\s)?(?:is|are|do|does|can)\b|\?\s*\w",
    _ANY,
)
_IN_GENERAL: Final = re.compile(r"\b(?:generally|usually|normally|always|typically)\b", _ANY)


def says_plainly(text: str, question: str) -> bool:
    """Whether an answer may be told by the name of its position: it is that and nothing else, or one yes or no
    without a limit to one question that can be answered so. All others are better quoted."""
    position = position_of(text, question)
    whole = " ".join(text.split()).strip(" .!")
    if position in _PLAIN and _PLAIN[position].fullmatch(whole):
        return True
    bare = re.match(r"\W*(?:yes|no|nope|none)\b(?=\W*\Z|[.,;!])", text, _ANY)
    if bare is None or position in ("depends", "open") or _HEDGE.search(text, bare.end()):
        return False
    asked = asked_by(question)
    whether = re.search(r"(?:^|,\s*)(?:is|are|do|does|can|may|must|should|has|have|will)\b", question, _ANY)
    return bool(whether) and asked != "open" and not _two_or_general(question, asked)


def _two_or_general(question: str, asked: Asked) -> bool:
    """ "No" to "is it generally required?" or to "is it permitted and practical?" is less than "not required"."""
    return bool(_TWO_ASKED.search(question)) or (asked != "yes or no" and bool(_IN_GENERAL.search(question)))


def condition_of(text: str) -> str:
    """The first limit that the first sentence puts to its position, with what it limits: "unless TMZ", "IFR only by
    telephone"; "" where there is none."""
    sentences = sentences_in(text)
    first = sentences[0].text if sentences else text
    found = _CONDITION.search(first)
    if not found:
        return ""
    limited = _CLAUSE_ENDS.split(first[: found.start()])[-1]
    return _BARE_WORD.sub("", f"{limited}{found[0]}").strip(" ,:.!")


_CLAUSE_ENDS: Final = re.compile(r"[,;:.!?()\[\]–—]\s*|\bbut\b|\n")
_BARE_WORD: Final = re.compile(rf"\A\W*{_USUALLY}(?:yes|no|not|none)\b", _ANY)
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
    """How far two positions are apart, in [0, 1]; 0 where one of them is open."""
    if one == other or "open" in (one, other):
        return 0.0
    if "depends" in (one, other):
        return HALF_OPPOSED
    pair: frozenset[Position] = frozenset((one, other))
    if pair in _OPPOSED:
        return _OPPOSED[pair]
    return OPPOSITE if _SIDES.get(one, 0) * _SIDES.get(other, 0) < 0 else 0.0
