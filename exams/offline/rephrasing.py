"""A sentence that no table knows becomes questions: its subject, its condition and what it demands are asked about.

A rule is taken apart (what leads it in, who, obliged or forbidden or allowed, to do what, unless what); the
part that is the answer is left out, the rest is put in other words and cut where a phrase can end. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from exams.question_rules import leaks_number, shares_words
from knowledge.grounding.facts import quantities_in

_LEAD_IN: Final = re.compile(
    r"^(?:under §\s*[\d.]+ \((?:[^()]|\([^()]*\))*\),\s*|under §\s*[\d.]+[^,]*,\s*|"
    r"except as (?:otherwise )?provided (?:in|by) [^,]*,\s*|"
    r"unless otherwise (?:authorized|required|specified)[^,]*,\s*|notwithstanding [^,]*,\s*|"
    r"as an exception,\s*)+",
    re.IGNORECASE,
)
_BRACKETS: Final = re.compile(r"\s*\((?:[^()]|\([^()]*\))*\)")
_SECTION: Final = re.compile(
    r",?\s*(?:as )?(?:required|specified|described|prescribed|provided for|set forth|designated)?\s*(?:by|"
    r"in|under|of)?\s*"
    r"(?:(?<!§)§++\s*+[\d.]+(?:\(\w+\))*(?:(?:,| and| or)+\s*(?:§\s*[\d.]+)?(?:\(\w+\))+)*|(?:this|"
    r"that) (?:section|part|chapter|paragraph)|"
    r"part \d+(?: of this (?:chapter|title))?)",
    re.IGNORECASE,
)
_CONDITION: Final = re.compile(
    r"^(?P<condition>(?:when|whenever|if|while|during|for|in|at|over|before|after|between|from|where|on|by|to|with|"
    r"as|once|near|anywhere|under|above|below)(?:\s+[^\s,]+(?:,(?=\d{3}\b)\S*)?){2,}?),?\s+"
    r"(?P<main>(?:no|each|every|the|a|an|you|it|all|any|that|there|they|pilots?|vigilance|aircraft|airplanes?)\b.*)$",
    re.IGNORECASE,
)
_FORBIDDEN: Final = re.compile(
    r"^no (?P<who>person|one|pilot in command|pilot|operator|crewmember|"
    r"[a-z -]{1,40}?) (?:of an? [a-z .-]+ )?(?:may|shall|must) (?P<act>.+)$",
    re.IGNORECASE,
)
_NOT_ALLOWED: Final = re.compile(r"^(?P<who>.{2,90}?) (?:may|must|shall|can) not (?P<act>.+)$", re.IGNORECASE)
_ONLY: Final = re.compile(
    r"^(?P<who>.{2,90}?) may (?P<act>.+?) only (?:if|when|under|with|after|until|to) .+$|"
    r"^(?P<who2>.{2,90}?) may only (?P<act2>.+?)(?: (?:if|when|with|under|between|clear)\b.+)?$",
    re.IGNORECASE,
)
_MAY: Final = re.compile(
    r"^(?P<who>.{2,90}?) may (?P<act>.+?)(?:,? (?:if|when|provided|unless|as long as)\b.+)?$", re.IGNORECASE
)
_MUST: Final = re.compile(
    r"^(?P<who>.{2,110}?),? (?:must|shall|is required to|are required to|needs? to|has to|"
    r"should)\b(?P<act>.*)$",
    re.IGNORECASE,
)
_NEEDS: Final = re.compile(r"^(?P<who>.{2,110}?) (?:needs?|requires?) (?P<act>.+)$", re.IGNORECASE)
_REQUIRED: Final = re.compile(r"^(?P<who>.{2,90}?) (?:is|are) required\b(?P<act>.*)$", re.IGNORECASE)
_IS: Final = re.compile(
    r"^(?P<who>(?:an? |the )?[a-z][\w' -]{2,60}?) (?:is|are|means|consists of) (?P<act>(?:an?|the|any|when|"
    r"those)\b.+)$",
    re.IGNORECASE,
)
_DOES: Final = re.compile(
    r"^(?P<who>.{3,80}?) (?P<verb>increases?|decreases?|reduces?|causes?|produces?|creates?|affects?|"
    r"results? in|leads? to|makes?|"
    r"raises?|lowers?|degrades?|impairs?|occurs?|happens?|forms?|develops?|comes?|depends? on) ?(?P<act>.*)$",
    re.IGNORECASE,
)
_UNLESS: Final = re.compile(
    r",?\s+(?:unless|except (?:by|with|when|in|under|as|to|for)|without|until)\b.*$", re.IGNORECASE
)
_OTHER_WORDS: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern, re.IGNORECASE), words)
    for pattern, words in (
        (r",? (?:that|which) has an?\b", " with a"),
        (r",? (?:that|which) (?:is|are) (?=equipped|installed|used|available|required)", " "),
        (r"\b(?:u\.s\.-registered |civil |manned )+(?=aircraft|airplane)", ""),
        (r"\beach person (?:who operates|operating|flying) an (?:aircraft|airplane)\b", "a pilot"),
        (r"\b(?:each|every|the) pilot in command\b", "the PIC"),
        (r"\bpilot in command\b", "PIC"),
        (r"\bpilots? operating\b", "pilot flying"),
        (r"\bact or attempt to act\b", "serve"),
        (r"\boperate an aircraft\b", "fly"),
        (r"\boperating an aircraft\b", "flying"),
        (r"\ban aircraft\b", "an airplane"),
        (r"\baircraft\b", "airplane"),
        (r"\boperate\b", "fly"),
        (r"\boperating\b", "flying"),
        (r"\boperations\b", "flights"),
        (r"\bprior to\b", "before"),
        (r"\bin the vicinity of\b", "near"),
        (r"\bequipped with\b", "fitted with"),
        (r"\btwo-way radio communications?\b", "radio contact"),
        (r"\beach person\b", "a pilot"),
        (r"\beach\b", "every"),
        (r"\bany person\b", "a pilot"),
        (r"\bflight instruction\b", "instruction in the air"),
        (r"\bhis or her\b", "one's"),
        (r"\bspecified\b", "given"),
        (r"\bdesignated\b", "named"),
    )
)
_BREAKS: Final = re.compile(
    r",?\s+(?=(?:unless|except|if|when|while|that|which|who|in|at|under|with|within|for|from|by|on|into|"
    r"contrary|so|without|after|"
    r"before|during|as|other|until|between|over|near|because|where|behind|across|along|through|around)\b)",
    re.IGNORECASE,
)
"""Where a phrase may end and still be one."""
_DATED: Final = re.compile(r"\b(?:1[89]|20)\d\d\b|\bthe following\b|\*|[§:;]", re.IGNORECASE)
_EMPTY_ACTS: Final = frozenset(
    """fly operate takeoff take off land act serve conduct use allow begin a an any the airplane aircraft from at
    airport or in to it""".split()  # noqa: SIM905  # a list of words reads as one
)
"""Words that say nothing of what is special about an act."""
_NOBODY: Final = re.compile(
    r"(?:an?|the|any|all) (?:airplane|aircraft|person|pilot|operator)|it|they|each", re.IGNORECASE
)
"""Subjects that do not say what a question without a scene is about."""
_FINITE: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|had|does|do|occurs?|exists?|may|must|shall|can|should|will|no|not|nor|"
    r"except|unless|notwithstanding|such|"
    r"that|this|those|these|other)\b",
    re.IGNORECASE,
)
_WEAK_END: Final = re.compile(
    r"[\s,;:-]+(?:(?:of|in|on|at|to|for|from|with|within|by|the|an?|and|or|that|which|who|as|under|over|"
    r"into|than|is|are|be|been|has|have|"
    r"its|any|each|every|when|if|while|so|not|no|more|less|least|such|both|other|this|these|their|above|"
    r"below|during|before|after|"
    r"used|being|having|was|were|through|upon|only|between|except|unless|without|up)[\s,;:-]*)+$",
    re.IGNORECASE,
)
_SHORTEST: Final = 2
_LONGEST: Final = 16
_LONGEST_NAME: Final = 7


def questions_from(
    statement: str, *, explains: bool = False, heading: str = "", topic: str = ""
) -> Iterator[str]:
    """Questions about the statement, the most specific first; the caller takes those that keep the rules.

    A part of the statement is only used where it is a whole phrase in itself; else the heading has to do.
    """
    core = _core(statement)
    condition, main = _split(core)
    yield from _about_main(statement, _scene(condition, statement), main, explains)
    yield from _about_heading(heading or topic, statement, explains)


def _core(statement: str) -> str:
    text = _LEAD_IN.sub("", " ".join(statement.split()).rstrip(". "))
    text = _SECTION.sub("", _BRACKETS.sub("", text))
    return " ".join(text.split())


def _split(core: str) -> tuple[str, str]:
    found = _CONDITION.match(core)
    return (found["condition"], found["main"]) if found else ("", core)


def _about_main(statement: str, scene: str, main: str, explains: bool) -> Iterator[str]:
    rules = (_forbidden, _allowed, _demanded, _defined)
    for reading in (_defined, _explained, *rules[:-1]) if explains else rules:
        found = tuple(reading(statement, scene, main))
        yield from found
        if found:
            return


def _forbidden(statement: str, scene: str, main: str) -> Iterator[str]:
    found = _FORBIDDEN.match(main) or _NOT_ALLOWED.match(main)
    act = _act(found["act"], statement) if found else ""
    if not found or not act:
        return
    tail = f" {_lowered(scene)}" if scene else ""
    if _UNLESS.search(found["act"]):
        yield f"What has to be in place before you may {act}{tail}?"
        yield f"You would like to {act}{tail}. What do the rules want to see first?"
    elif quantities_in(found["act"]):
        yield f"What limit do the rules set when you {act}{tail}?"
        yield f"You are about to {act}{tail}. Where is the limit?"
    else:
        yield f"A pilot is tempted to {act}{tail}. How far do the rules let that go?"
        yield f"What do the rules say to a pilot about to {act}{tail}?"


def _allowed(statement: str, scene: str, main: str) -> Iterator[str]:
    only = _ONLY.match(main)
    found = only or _MAY.match(main)
    if not found or re.search(r"\b(?:may|must|shall) not\b|^no\b", main, re.IGNORECASE):
        return
    parts = found.groupdict()
    who = _who(parts.get("who") or parts.get("who2") or "", statement)
    act = _act(parts.get("act") or parts.get("act2") or "", statement)
    conditional = only or re.search(r"\b(?:if|when|provided|unless|as long as)\b", main, re.IGNORECASE)
    if who and act and conditional:
        yield f"Under what conditions may {who} {act}?"
        yield f"When do the rules let {who} {act}?"
    elif who and scene:
        yield f"What do the rules let {who} do {_lowered(scene)}?"


def _demanded(statement: str, scene: str, main: str) -> Iterator[str]:
    found = _MUST.match(main) or _REQUIRED.match(main) or _NEEDS.match(main)
    who = (_who(found["who"], statement) or ("you" if scene else "")) if found else ""
    if not found or not who:
        return
    is_state = bool(re.match(r"\s*(?:be|have been|include|contain|carry|show|stay|meet)\b", found["act"]))
    if scene and is_state:
        yield f"{_sentence(scene)}, what do the rules want to be true of {who}?"
        yield f"What do the rules require of {who} {_lowered(scene)}?"
    elif scene:
        yield f"{_sentence(scene)}, what do the rules require of {who}?"
        yield f"What must {who} do {_lowered(scene)}?"
    elif is_state:
        yield f"What do the rules require when it comes to {who}?"
        yield f"Tell me what is demanded of {who}, and when."


def _defined(statement: str, scene: str, main: str) -> Iterator[str]:
    found = _IS.match(main)
    if found and (who := _who(found["who"], statement)):
        yield f"What do you understand by {who}, and why does it matter to a pilot?"
        yield f"Explain {who} as you would to a passenger."


def _explained(statement: str, scene: str, main: str) -> Iterator[str]:
    does = _DOES.match(main)
    if does and (who := _who(does["who"], statement)):
        yield f"How does {who} bear on a flight, and what follows from that?"
        yield f"Walk me through what {who} does, and why a pilot cares."
    elif scene:
        yield f"{_sentence(scene)}, what happens, and what does it mean for you?"
        yield f"Walk me through what a pilot should know {_lowered(scene)}."


# --- the heading ----------------------------------------------------------------------------------------------

_WANTED: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern, re.IGNORECASE), wanted)
    for pattern, wanted in (
        (
            r"\bpreceding\b|\bwithin \d+ (?:calendar )?(?:days|months|hours)",
            "What has to be done, and how recently?",
        ),
        (r"\brecords?\b|\bentry\b|\blogbook\b", "What has to be on paper, and whose duty is it?"),
        (
            r"\bequipped\b|\binstalled\b|\binstruments?\b|\bequipment\b",
            "What must the airplane have, and when?",
        ),
        (r"\bunless\b|\bexcept\b", "What is forbidden there, and what lifts the ban?"),
        (r"\bno (?:person|pilot|one)\b|\bmay not\b|\bprohibited\b", "What do the rules forbid there?"),
        (r"\bmay\b", "What do the rules allow you there, and under what conditions?"),
        (r"\bmust\b|\bshall\b|\brequired\b", "What do the rules make a pilot do there, and when?"),
    )
)
_AFTER_FIGURES: Final = tuple(wanted for _, wanted in _WANTED[:2])
"""Asks that figures do not override."""
_TAKEN_UP: Final = (
    "Let us turn to {about}.",
    "The next subject is {about}.",
    "Think of the rules on {about}.",
)
_HEADING_WORDS: Final = 10
_NO_SUBJECT: Final = ("general", "except", "other than")
"""How the second half of a heading begins that names no subject of its own ("Right-of-way rules: Except water…")."""


def _spoken(heading: str) -> str:
    """A heading as it is said in a sentence: abbreviations keep their capitals, brackets go, a long one is cut."""
    words = _BRACKETS.sub("", heading).split()
    said = " ".join(
        word if _keeps_capitals(before, word) else word.lower() for before, word in pairwise(["", *words])
    )
    cuts = [
        found.start() for found in re.finditer(r" (?:using|between|under|at|of|for|in|during|by)\b", said)
    ]
    return said if len(words) <= _HEADING_WORDS or not cuts else said[: cuts[min(1, len(cuts) - 1)]]


def _keeps_capitals(before: str, word: str) -> bool:
    """Acronyms do, and the letter of an airspace class."""
    return any(letter.isupper() for letter in word[1:]) or (before.lower() == "class" and len(word) == 1)


def _about_heading(heading: str, statement: str, explains: bool) -> Iterator[str]:
    parts = [part.strip() for part in heading.strip(" .:;—-").split(";")[0].split(":")]
    about = _spoken(parts[0] if parts[-1].lower().startswith(_NO_SUBJECT) else parts[-1])
    if not about:
        return
    core = _core(statement)
    wanted = next(
        (ask for pattern, ask in _WANTED if pattern.search(core)), "What should a pilot know and do there?"
    )
    if quantities_in(core) and wanted not in _AFTER_FIGURES:
        wanted = "Which limits or figures do the rules set, and for what?"
    asks = (
        ("What should a pilot know and do there?", "What happens there, and why does it matter?")
        if explains
        else (wanted,)
    )
    for ask in asks:
        yield from (f"{lead.format(about=about)} {ask}" for lead in _TAKEN_UP)


# --- phrases --------------------------------------------------------------------------------------------------


def _scene(condition: str, statement: str) -> str:
    """The condition as a scene; empty where it would be more than a phrase, or dated."""
    if not condition or _DATED.search(condition):
        return ""
    shown = _whole(condition, statement)
    return _with_articles(shown) if len(shown.split()) > _SHORTEST else ""


def _who(words: str, statement: str) -> str:
    """The subject as a question names it; empty where it is more than a plain name."""
    plain = re.sub(r",? (?:who|which|that) .*$", "", words)
    if "," in plain or _FINITE.search(plain) or _DATED.search(plain):
        return ""
    shown = re.sub(r"^(?:every|any|each) ", "a ", _lowered(_whole(plain, statement)))
    return (
        _with_articles(shown)
        if 0 < len(shown.split()) <= _LONGEST_NAME and not _NOBODY.fullmatch(shown)
        else ""
    )


def _act(words: str, statement: str) -> str:
    """What is done, in the form that follows "may"; empty where nothing special is left of it."""
    act = _whole(_UNLESS.sub("", words), statement)
    if act.lower().startswith(("be ", "have ")):
        return ""
    special = set(act.lower().split()) - _EMPTY_ACTS
    return _with_articles(act) if special and len(act.split()) >= _SHORTEST and not _DATED.search(act) else ""


def _with_articles(text: str) -> str:
    return re.sub(
        r"\b([Aa])n? (?=([a-z]))", lambda found: f"{found[1]}{'n' if found[2] in 'aeio' else ''} ", text
    )


def _whole(words: str, statement: str) -> str:
    """The longest part of the phrase, in other words, that ends where a phrase can and shows nothing of the answer."""
    text = _otherwise(words).strip(" ,;:—-")
    ends = [len(text), *(found.start() for found in reversed(list(_BREAKS.finditer(text))))]
    for end in ends:
        part = text[:end].strip(" ,;:—-")
        if (
            part
            and len(part.split()) <= _LONGEST
            and not _WEAK_END.search(f"{part} ")
            and not _shows(part, statement)
        ):
            return part
    return ""


def _shows(part: str, statement: str) -> bool:
    return shares_words(part, statement) or leaks_number(part, statement)


def _otherwise(words: str) -> str:
    for pattern, other in _OTHER_WORDS:
        words = pattern.sub(other, words)
    return " ".join(words.split())


def _lowered(text: str) -> str:
    first = text.split(" ", 1)[0]
    return text if (first.isupper() and len(first) > 1) or "-" in first else text[:1].lower() + text[1:]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
