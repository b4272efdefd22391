"""Reads the clauses of a rule: its opening, its subject, its verb, and its conditions and exceptions.

"Except as provided in § 7.1(b), no person who flies may land unless A" has the subject "no person who flies", the verb
"may", the condition "unless A" and an exception. It reads words and looks nothing up; wordings are in `clauses.csv`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from knowledge.text.modality import Modality, modality_of
from knowledge.text.text_cache import cached_by_text
from knowledge.text.word_tables import read_phrases

_PHRASES = read_phrases(Path(__file__).with_name("clauses.csv"), ignore_case=True)
_VERB = re.compile(
    "|".join(
        f"(?P<{name}>{_PHRASES[meaning].pattern})"
        for name, meaning in (("strong", "auxiliary"), ("weak", "plain verb"), ("relative", "relative"))
    ),
    re.I,
)
_CLAUSE = re.compile(
    f"(?P<exception>{_PHRASES['exception'].pattern})|(?P<condition>{_PHRASES['condition'].pattern})"
    f"|(?P<brief>{_PHRASES['brief condition'].pattern})",
    re.I,
)
_HAS_OWN_VERB = re.compile(
    rf"(?:who|that|which) (?!{_PHRASES['auxiliary'].pattern}|{_PHRASES['plain verb'].pattern})"
    r"\w+s\b(?! (?:must|may|shall))",
    re.I,
)
"""A relative clause whose verb none of the above is: "who holds …"."""
_COMMA = re.compile(r",(?= )")
_PLACE = _PHRASES["inserted place"].pattern
_INSERTED = rf"{_PHRASES['inserted condition'].pattern}|{_PLACE}"
NOUN_MEANS = (
    r"(?! (?:of|to|for|by|other|and|or|in|which|means"
    r"|may|might|must|shall|should|can|cannot|could|will|would|is|are|was|were|be|been|has|have|had|do|does|did)\b)"
)
"""After "means": it is the verb of a definition, and no noun, which a preposition or a verb of its own follows."""
_LONGEST = 800  # characters of a clause that is kept in words
_READ = 8000
"""Characters of a sentence that are read: parts of 14 CFR have sentences of 7,500 with all items of their lists. What
follows is part of the rest."""
_MARKS = 80
"""Commas, verbs, and clauses that are looked at from one place. No sentence of 14 CFR has more than 57 commas, 32
verbs, and 20 clauses. Without a limit, the time grows with the square of the length, and worse."""
_NEAR = 60  # characters before a place in which the words that go with it stand


@dataclass(frozen=True, slots=True)
class Clauses:
    """The parts of one sentence in its own words. `rest` is what follows the subject, from the verb on; `exceptions`
    and `conditions` stand in the order of the sentence, also those before the subject."""

    opening: str = ""
    subject: str = ""
    rest: str = ""
    modality: Modality | None = None
    conditions: tuple[str, ...] = ()
    exceptions: tuple[str, ...] = ()


@cached_by_text
def clauses_in(sentence: str) -> Clauses:
    """The clauses of the sentence; subject and rest are "" where no verb of a rule is found."""
    sentence, unread = sentence[:_READ], sentence[_READ:]
    start = _main_clause_at(sentence)
    opening, head = sentence[:start].strip(" ,"), re.sub(r"^then ", "", sentence[start:])
    verb = _main_verb(head)
    subject, rest = (head[: verb.start()].strip(" ,"), head[verb.start() :]) if verb else ("", "")
    conditions: list[str] = []
    exceptions: list[str] = []
    for words in _parts_of_opening(opening):
        if _PHRASES["no condition"].match(words):
            continue
        (exceptions if _PHRASES["exception"].match(words) else conditions).append(words)
        excepted = _PHRASES["exception"].search(words, 1)
        # "For a card, other than for a badge"; "for cards other than badges" is one condition
        if excepted and re.search(r"[,(]", words[: excepted.start()]):
            end = _end_of_clause(words, excepted.end(), is_exception=True)
            exceptions.append(words[excepted.start() : end].strip(" ,"))
    before_verb = rf", (?:{_INSERTED}|unless) [^,]*, $"
    if verb and (
        found := re.search(before_verb, head[: verb.start()], re.I)
    ):  # "the pilot, when told to, must"
        subject = head[: found.start()]
        conditions.append(found.group().strip(" ,"))
    inserted = list(dict.fromkeys(_conditions_inserted(rest)))
    conditions += inserted
    # In the subject only exceptions are looked for: its conditions are part of what it is.
    for words, is_exception in _clauses_of(head, verb.start() if verb else 0):
        if is_exception:
            exceptions.append(words)
        elif not any(words in other for other in conditions):
            # A date within the condition is part of it; whom it is for stays.
            inner = [one for one in inserted if one in words and not one.startswith("for ")]
            conditions = [other for other in conditions if other not in inner]
            conditions.append(words)
    modality = _modality(subject, rest, head)
    if rest:
        rest += unread
    return Clauses(opening, subject, rest, modality, tuple(conditions), tuple(exceptions))


def _conditions_inserted(rest: str) -> Iterator[str]:
    """Conditions of time, place or case between the verb and what it governs: "must, within a day, report", and before
    an item of a list: "must tell the following: for gliders, the load"."""
    behind_verb = (
        r"(?:\w+(?: \w+){0,2})?"
        rf", (?P<words>(?:{_PLACE}) (?:\([^()]*\)|[^,(]|, \d{{4}}\b"
        r"|,(?= (?:[\w-]+, ){0,60}(?:[\w-]+,? )?(?:or|and) ))*)"
        r"(?<! and)(?<! or), "
    )
    behind_gerund = r"\b[a-z]+ing, (?P<words>for [^,]+), "
    behind_open_phrase = (
        rf"\b(?:to|of|in|by|with), (?P<words>(?:{_PLACE}) (?:[^,;:§]|, \d{{4}}\b)+)(?:,| (?=§))"
    )
    goes_on = (
        r", (?:the|an?|each|any|no|one|other|at least|must|may|not|\d|that|be|by|when|if|unless|provided)\b"
    )
    behind_colon = rf": (?P<words>(?:{_PLACE}|over(?! \d)) (?:(?!{goes_on})[^:;]){{3,200}})(?=:|{goes_on})"
    behind = rest
    while found := re.match(behind_verb, behind, re.I):
        yield found["words"]
        behind = behind[found.end() - len(", ") :]
    date = r", (?P<words>(?:after|before|until) [A-Z][a-z]+ \d{1,2}, \d{4}),"
    for pattern in (behind_gerund, behind_open_phrase, behind_colon, date):
        if found := re.search(pattern, rest):
            yield found["words"]


def without_opening_clauses(sentence: str) -> str:
    """The sentence from its subject on: "Except in an emergency, no person …" begins at "no person"."""
    return sentence[_main_clause_at(sentence[:_READ]) :]


def _main_clause_at(sentence: str) -> int:
    """Where the subject begins, behind the clauses that open the sentence."""
    if found := _PHRASES["opens without comma"].match(sentence):
        return found.end()
    if not _PHRASES["opens"].match(sentence):
        return 0
    found_commas = islice(_COMMA.finditer(sentence), _MARKS)
    commas = [found.end() + 1 for found in found_commas if _is_outside(sentence, found.start())]
    begins = [place for place in commas if not re.match(r"(?:and|or|but|\d{4})\b|\(", sentence[place:])]
    begins = [place for place in begins if not _PHRASES["opens"].match(sentence, place)]
    for place in begins:  # "a person whose pilot, instructor, or other certificate is suspended may not"
        if _PHRASES["bound subject"].match(sentence, place):
            verb = _main_verb(sentence[place:])
            if verb and verb["strong"]:
                return place
    for is_strong in (True, False):
        for place in begins:
            verb = _main_verb(re.split(r", (?!\d|or\b|and\b)", sentence[place:], maxsplit=1)[0])
            if verb and verb.start() and (verb["strong"] or not is_strong):
                return place
    likely = [place for place in begins if _PHRASES["subject"].match(sentence, place)]
    return (likely or begins or [0])[0]


def _is_outside(text: str, place: int) -> bool:
    """Whether a place is outside brackets and quotation marks."""
    return all(text.count(left, 0, place) <= text.count(right, 0, place) for left, right in ("()", "“”"))


def _words_before(text: str, place: int) -> str:
    return text[max(0, place - _NEAR) : place]


def _main_verb(head: str) -> re.Match[str] | None:
    """The verb of the main clause: not the one of "who", "that" or "if". One in capitals is only taken if no other is
    there."""
    in_relative, last, capital = False, 0, None
    for found in islice(_VERB.finditer(head), _MARKS):
        if not _is_outside(head, found.start()):
            continue
        if found["relative"] and found.start():  # "that person" begins with none
            in_relative, last = not _HAS_OWN_VERB.match(head, found.start()), found.end()
        elif found["strong"]:
            if in_relative and re.fullmatch(r"\s+(?:also |only )?", head[last : found.start()]):
                in_relative = False
            elif found.group().isupper():
                capital = capital or found
            elif not (found.group().istitle() and found.start()):  # "before May 17"
                return found
        elif re.search(r"\b(?:to|not|been)\s+$", _words_before(head, found.start())):
            continue
        elif last and (
            re.search(r"\b(?:and|or|but)\s+$", _words_before(head, found.start()))
            or re.match(r"[^,]*, (?:and|or) (?:is|has|does)\b", head[found.start() :])
        ):
            continue  # "a person who holds it, has flown, and is not ill"
        elif in_relative:
            in_relative = False
        elif found.start():
            return found
    return capital


def _modality(subject: str, rest: str, head: str) -> Modality | None:
    if not rest:
        return modality_of(re.split(r"\b(?:that|who|which|if|unless)\b", head, maxsplit=1)[0])
    denied = _PHRASES["denied subject"].match(subject) is not None
    if _PHRASES["not allowed"].match(rest):
        return "may_not"
    if re.match(r"(?:must|shall)\b", rest, re.I):
        return "may_not" if denied else "must"
    if re.match(r"(?:may|can)\b", rest, re.I) or _PHRASES["allowed"].match(rest):
        return "may_not" if denied else "may"
    if re.match(r"should\b", rest, re.I):
        return "should"
    if _PHRASES["demanded"].match(rest):
        return "not_required" if denied else "must"
    if _PHRASES["not required"].match(rest) and re.match(
        r"\S+ not (?:be )?(?:required|need|have|apply)|need not", rest
    ):
        return "not_required"
    return modality_of(re.split(r"\b(?:that|who|which|if|unless|when)\b", rest, maxsplit=1)[0])


def _parts_of_opening(opening: str) -> list[str]:
    """ "In Class G airspace, at night" are two."""
    parts, start = [], 0
    for comma in _COMMA.finditer(opening):
        after = comma.end() + 1
        joint = re.match(r"(?:and|or) (?=unless|except|when|if)", opening[after:])
        after += joint.end() if joint else 0
        if _is_outside(opening, comma.start()) and _PHRASES["opens"].match(opening, after):
            parts.append(opening[start : comma.start()])
            start = after
    return [part.strip(" ,")[:_LONGEST] for part in (*parts, opening[start:]) if part.strip(" ,")]


def _clauses_of(head: str, verb: int) -> list[tuple[str, bool]]:
    """The conditions behind the verb, and all exceptions, in words."""
    found: list[tuple[str, bool]] = []
    closed = 0
    for match in islice(_CLAUSE.finditer(head), _MARKS):
        if head.count("“", 0, match.start()) > head.count("”", 0, match.start()):
            continue  # what a statement that is quoted says
        is_exception = match["exception"] is not None
        if match.start() < closed and (not is_exception or found[-1][1]):
            continue  # within the clause before
        if not is_exception and (match.start() < verb or _is_about_topic(head[: match.start()])):
            continue
        end = _end_of_clause(head, match.end(), is_exception or match["brief"] is not None)
        if not found and re.match(r"or (?:when|while) [a-z]+ing\b", head[match.start() - 3 :]):
            closed = end  # "20 hours as a guide, or when serving as a cook": of the hours, and no condition
            continue
        end = _end_of_insertion(head, match, end)
        if re.match(r"except that\b", head[match.start() :], re.I):  # a clause with a verb of its own
            end = next((found.start() for found in re.finditer(r";", head[end:])), len(head) - end) + end
        elif match.start() < verb:  # "no one other than a guide, chosen by the club, may"
            end = verb if re.match(r", [a-z]+ed\b", head[end:]) else min(end, verb)
        following = _CLAUSE.search(head, match.end(), end)
        if match["brief"] and following and not following["exception"]:
            end = following.start()
        if match.group().endswith(" of") and (verb_behind := _VERB.search(head, match.end(), end)):
            end = verb_behind.start()  # "that damage in the event of a crash is small"
        elif brief := re.match(
            r"if [a-z]+(?: by [^,]{1,30})?(?=,)", head[match.start() :]
        ):  # "including Mode C if installed, and"
            end = match.start() + brief.end()
        elif _is_in_list(head[verb : match.start()]) and (comma := _COMMA.search(head, match.end(), end)):
            end = comma.start()  # "including guides if the club has them, and members"
        elif head[: match.start()].endswith(": ") and (comma := _COMMA.search(head, match.end(), end)):
            end = comma.start()  # "the following: if it is equipped, the use of radios"
        start = match.start()
        if re.search(
            r"\((?:and |or )?(?:at|for|in|on) [^(),]{1,40}, $", _words_before(head, start)
        ):  # "(or in Alaska, when the sun …)"
            start = head.rindex("(", 0, start) + 1
        words = re.sub(r"^(?:and|or) ", "", head[start:end].strip(" ,;."))
        found.append((words[:_LONGEST], is_exception))
        closed = max(closed, end)
    return found


def _is_about_topic(before: str) -> bool:
    """Whether a clause that follows belongs to a topic of a list: "the following: judging heights while in flight"."""
    within = re.search(r"\bfollowing\b[^:]*: (?:.*[,;:] )?(?:and |or )?(?P<topic>[^,;:]+) $", before)
    return (
        within is not None
        and re.match(r"[a-z]+ing\b|.*\bhow to\b|.*\b(?:and|or) [a-z]+ing\b", within["topic"]) is not None
    )


def _is_in_list(before: str) -> bool:
    """Whether a clause that follows belongs to one item of a list that goes on."""
    if before.startswith(", including ", max(before.rfind(sign) for sign in ",;:")):
        return True
    items, comma, last = before[before.rfind(";") + 1 :].rpartition(",")
    last = last.removesuffix(" ")
    if not (comma and last) or last.endswith(" "):
        return False
    return re.search(r"\b(?:include|includes|including|following)\b", items) is not None


def _end_of_clause(text: str, start: int, is_exception: bool) -> int:
    """Where a clause ends: at its closing bracket, at the next clause, and an exception at its comma."""
    depth, cites = 0, text.startswith(" provided in", start)
    is_if = re.search(r"\b(?:if|unless)$", _words_before(text, start)) is not None
    ends = (
        r"[();:]|,(?!\d{3})|\.(?!\d)(?=\s|$)"
        r"| and (?:thereafter|then|including)\b| only (?:if|when|after|before|until)\b| unless\b(?! otherwise)"
        r"| nor (?:may|must|shall)\b"
    )
    for found in islice(re.finditer(ends, text[start:]), 2 * _MARKS):
        sign, place = found.group(), start + found.start()
        if sign == "(":
            depth += 1
        elif sign == ")":
            if depth == 0:
                return place
            depth -= 1
        elif depth:
            continue
        elif sign == ":":
            said = text[start:place]
            lacks_verb = is_if and not _VERB.search(said)
            if "following" not in said and not lacks_verb:  # "provided it is simple: replacing a tire"
                return place
        elif sign.startswith(" "):
            return place
        elif sign == ".":
            if not re.search(r"\b[A-Z]\.[A-Z]$|\bNo$", _words_before(text, place)):
                return place
        elif not re.match(r", \d{4}\b", text[place:]) and _ends_at(
            text[place + 1 :].lstrip(), sign, is_exception, cites
        ):
            return place
    return len(text)


def _end_of_insertion(text: str, clause: re.Match[str], end: int) -> int:
    """`end`, or the comma before it where the sentence goes on: "must, before it moves, ring"."""
    if not _PHRASES["inserted condition"].match(clause.group()):
        return end
    before = _words_before(text, clause.start()).rstrip()
    is_after_verb = re.search(rf"\b(?:{_PHRASES['auxiliary'].pattern}),?$", before)
    if not is_after_verb and not re.search(r"(?:,|\b(?:that|and|who|to))$", before):
        return end
    for comma in islice(_COMMA.finditer(text, clause.end(), end), _MARKS):
        words = text[clause.end() : comma.start()]
        goes_on = re.match(
            r" (?:and|or|nor|but|if|\d{4})\b| \(| [\w-]+(?:, [\w-]+){0,60},? (?:and|or) ", text[comma.end() :]
        )
        if words.count("(") == words.count(")") and not goes_on:
            has_verb = _VERB.search(words) or re.match(
                r" [a-z]+ing\b| (?:an?|any|the|that) (?:[a-z-]+ ){1,3}[a-z]+[^\Wsu]s$", words
            )  # "when flying by day", "if an engine fails"
            is_inside = re.match(r" (?:that|which|whose)\b", text[comma.end() :])  # "a card, if lost, that"
            return comma.start() if is_after_verb or has_verb or is_inside else end
    return end


def _ends_at(after: str, sign: str, is_exception: bool, cites: bool) -> bool:
    """Whether a clause ends at a comma or a semicolon before these words. An exception within a condition does not
    end it."""
    if re.match(r"however\b" if sign == ";" else r"(?:but|and)(?: you)? (?:may|must|shall|need)\b", after):
        return True
    if following := _CLAUSE.match(after.lstrip("(")):
        return is_exception or not following["exception"] or "," not in after[following.end() :]
    if not is_exception:
        return False
    goes_on = r"(?:and|or|nor|including)\b(?! (?:must|may|shall)\b)|\(|§|\d+\.\d+" + (
        ""
        if cites
        else r"|(?!(?:between|from|in|at|on)\b|(?:[\w-]+ ){0,4}(?:must|may|shall|is|are|has|have)\b)"
        r"(?:[\w-]+(?: [\w-]+){0,3}, ){0,4}[\w-]+(?: [\w-]+){0,3},? (?:and|or) "
    )
    if sign == ";":  # "except A; for B; or C" is one exception, and a rule of its own is none of its items
        return not re.search(r"(?:^|; )(?:or|and) ", after) or _main_verb(after) is not None
    return not re.match(goes_on, after)
