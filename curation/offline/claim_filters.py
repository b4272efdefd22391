"""A sentence becomes a reason to refuse it, or none: what is no rule, or cannot be understood alone, is no
claim.

Pure. The reasons are counted and shown to operators; they are the same whoever drew the sentence from the
text.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from curation import conf
from curation.offline.definitions import is_definition, is_entry
from curation.offline.references import without_context
from knowledge.text.tokens import content_words, stem

_RULE = re.compile(
    r"\b(?:must|shall|may not|may only|no (?:person|pilot|operator|one|certificate holder"
    r"|aircraft)[^.;]*\bmay|is required|are required"
    r"|(?:is|are) (?:prohibited|not permitted|not authorized|responsible for|limited to)|need not"
    r"|ha(?:s|ve) the right-of-way|is not required"
    r"|are not required|cannot|not required to)\b",
    re.I,
)
_PERMITS = re.compile(r"\bmay\b", re.I)
_RECOMMENDS = re.compile(r"\bshould\b", re.I)
_POSSIBLE = re.compile(
    r"\bmay (?:also )?(?:be (?:caused|affected|due|found|encountered|expected|the result|present"
r"|difficult|hazardous|extremely|heavily|located|either|misleading|necessary"
    r"|more|less|subject|a |an |in |visible|identical|as |confus|impair|experienc|unable|aware)"
r"|occur|result|cause|appear|have|experience|encounter|become|vary|differ|affect"
    r"|contain|indicate|include|need|find|lead|exist|provide|seem|not (?:be (?:able|available"
r"|possible|visible|aware|apparent)|have|provide|occur)|fail|feel|see|notice|produce"
    r"|exceed|represent|reduce|increase|decrease|come|take|help|well|prove|mean|depend|remain"
r"|show|develop|reach|change)\b",
    re.I,
)  # fmt: skip


def is_rule(sentence: str, doc_type: str) -> bool:
    """Whether the sentence obliges, forbids, permits, or (outside the CFR) recommends."""
    sentence = re.sub(r"\b(?:that|which|who)(?: also)? (?:must|shall|may|should)\b", " ", sentence)
    if _RULE.search(sentence):
        return True
    if doc_type == "cfr":
        return bool(_PERMITS.search(sentence))
    permits = bool(_PERMITS.search(sentence)) and not _POSSIBLE.search(sentence)
    return permits or bool(_RECOMMENDS.search(sentence))


def refusal(statement: str, listed: bool = False) -> str:
    """Why the sentence is no claim, or "" if it can be one. `listed` says that it was joined with its list.

    Headings set before it ("Under § 91.107 (…), …") are context that it may point at.
    """
    sentence, context = without_context(statement)
    if is_definition(sentence) or is_entry(sentence):
        return next((reason for reason, holds in _DEFINITION_CHECKS if holds(sentence, listed)), "")
    checks = (item for item in _CHECKS if not (context and item[1] is _points_elsewhere))
    found = next((reason for reason, holds in checks if holds(sentence, listed)), "")
    if found or not context:
        return found
    return _POINTS if _points_elsewhere(sentence, listed, context) else ""


def _is_cut_definition(said: str, _: bool) -> bool:
    """Words about a term that say nothing of what it means by themselves."""
    opening = re.split(r"\b(?:must|shall|may|should)\b", said, maxsplit=1)[0]
    return bool(
        re.search(
            r"(?<!by )(?<!other )\bmeans\b(?! of| to)|\b(?:is|are) defined as\b|\b[Tt]he term\b", opening
        )
    )


_AUTHORITY = re.compile(
    r"^(?:(?:if|when|upon|unless|in|for|on|after|as|the notice)\b[^,]*, )?(?:the )?(?:FAA\b"
    r"|Federal Aviation Administration|Administrator|Secretary|(?:responsible |appropriate "
    r")?Flight"
    r" Standards (?:office|service)|President|Director|Chief Counsel|Department|Associate "
    r"Administrator|certificate-holding|TSA|DHS|Deputy|NOTAMs?\b|ATC\b(?! clearance))",
    re.I,
)


def _is_about_the_authority(said: str, _: bool) -> bool:
    return bool(_AUTHORITY.match(said))


_REFERENCE = re.compile(
    r"(?<!§)§++ ?[\d.]+[a-z]?(?: ?\([A-Za-z0-9]+\))*(?:(?:,| and| or|, and|, or| through) (?:§ "
    r"?)?(?:[\d.]+[a-z]?)?(?:\([A-Za-z0-9]+\))*)*"
    r"|\b(?:parts?|subparts?|appendix|appendices|chapter|section|sections|SFAR(?: No\.)?) "
    r"[\dA-Z][\w.-]*(?:\([a-z0-9]+\))*",
    re.I,
)
_HOLLOW = {
    stem(word)
    for word in [
        "comply",
        "compliance",
        "accordance",
        "requirement",
        "requirements",
        "provision",
        "provisions",
        "applicable",
        "conduct",
        "conducted",
        "meet",
        "meets",
        "met",
        "apply",
        "specified",
        "prescribed",
        "described",
        "set",
        "forth",
        "satisfy",
        "satisfied",
        "following",
        "limitation",
        "limitations",
        "rule",
        "rules",
        "chapter",
        "title",
        "paragraph",
        "regulation",
        "regulations",
        "contained",
        "appropriate",
        "terms",
        "conditions",
        "procedures",
        "established",
        "equipped",
        "equipment",
        "under",
        "see",
        "listed",
        "operations",
    ]
}


def _is_only_a_reference(said: str, _: bool) -> bool:
    after = re.split(r"\b(?:must|shall|may)\b", said, maxsplit=1)[-1]
    if not _REFERENCE.search(after) and "following" not in after:
        return False
    left = [word for word in content_words(_REFERENCE.sub(" ", after)) if word not in _HOLLOW]
    return len(left) <= conf.HOLLOW_WORDS


_THINGS = (
    "aircraft|airplanes?|rotorcraft|helicopters?|persons?|pilots?|areas?|airports?|airspace"
    "|operations?|flights?|runways?|procedures?|certificates?|requirements?"
    "|restrictions?|notices?|authorizations?|equipment|conditions?|communications?|altitudes?"
    "|purposes?|information|dates?|inspections?|devices?|times?|points?"
    "|positions?|programs?|records?|manuals?|instruments?|training|waivers?|systems?|units?"
    "|items?|airm[ae]n|routes?|courses?|fix|segments?|approach(?:es)?|visibility"
    "|minimums|cases?|circumstances?|provisions?|limitations?|facilit(?:y|ies)|countr(?:y|ies)"
    "|maneuvers?|lights?|engines?|tests?|copy|copies|flight plans?|request|work|data|approval"
    "|clearance|distance|transponder|report|statement|agreement|vehicles?|documents?|location"
    "|period|individual|applicant|operator|owner|checks?|paragraph|event|turns?"
)
_POINTING = re.compile(
    (
        rf"\b(?:that|those|this|these|such|said|the above|the latter|the former)(?: (?:other"
        rf"|particular|same|[a-z]+ed))? (?P<thing>{_THINGS})\b"
    ),
    re.I,
)
_POINTER = re.compile(
    r"^(?:it|they|this|these|those|such|that|he|she|both|either|neither|one|otherwise|then"
    r"|here)\b(?! (?:person|pilot) who)"
    r"|\b(?:prescribed|listed|described|specified|set forth|shown|outlined|stated|mentioned"
    r"|given) (?:above|below|therein|herein|elsewhere)\b|\bas follows\b"
    r"|\bthis paragraph\b|\bparagraphs? \(|\bthis section\b|\bthe following table\b|\bin the "
    r"table\b|\bthe preceding (?:sentence|paragraph)\b|\bthe foregoing\b|\bdifferent runway\b"
    r"|\b(?:all )?other cases\b|\bin Sections? \d|\bthis appendix\b|\bin the same manner\b|\bnot listed\b|\b(?:used"
    r"|contained|included|found) in it\b",
    re.I,
)


_UNNAMED = re.compile(
    r"The (?:[a-z-]+ )?(?:program|procedures?|instructions|requests?|application|report|letter"
    r"|notice|manual|demonstration|deviation|holder|list"
    r"|data|document|description|statement|training|entries|entry|records?|test|check|approval"
    r"|person|applicant|airplane|aircraft|rotorcraft|flight"
    r"|certificate|authorization|exemption|plan|requirements?|limitations?|operations?|copy"
    r"|inspection|maintenance|system|equipment|device|waiver)"
    r"(?: [a-z]+ed)? (?:must|may|shall|is|are)\b"
)


_POINTING_NOUN = re.compile(
    (
        r"\b(?:for|of|in|at|to|from|by|with|under|on|within|before|after|during|all) (?:that|those"
        r"|these|this|such) (?P<thing>[a-z]{3,})\b(?! (?:is|are|must|the)\b)"
    ),
    re.I,
)
_NO_THING = frozenset(
    [
        "the",
        "are",
        "who",
        "which",
        "part",
        "sfar",
        "chapter",
        "subpart",
        "must",
        "may",
        "shall",
        "has",
        "have",
        "does",
        "will",
        "can",
        "year",
        "rule",
        "extent",
        "not",
        "act",
        "time",
    ]
)


def _lacks_antecedent(said: str, match: re.Match[str]) -> bool:
    thing = match["thing"].lower()
    if thing in _NO_THING:
        return False
    before = {stem(word) for word in re.findall(r"[a-z]+", said[: match.start()].lower())}
    return (
        stem(thing) not in before
        and not _is_person({stem(thing)}, before)
        and not (thing == "aircraft" and {"airplan", "rotorcraft", "helicopt"} & before)
    )


_POINTS = "points at something outside the sentence"


def _points_elsewhere(said: str, listed: bool, context: str = "") -> bool:
    """`context` stands before the sentence: what it names is known, though a bare "it" is not."""
    if not context and _UNNAMED.match(said):
        return True
    said = f"{context}, {said}" if context and not _POINTER.match(said) else said
    pointers = [match for match in _POINTER.finditer(said) if not (listed and "below" in match.group())]
    if pointers:
        return True
    if any(_lacks_antecedent(said, match) for match in _POINTING_NOUN.finditer(said)):
        return True
    if re.search(r"\bthe following\b[^:]*[.:]?$", said) and not re.search(r"\bfollowing\b.*: \S", said):
        return True
    return any(not _is_named_before(said, match) for match in _POINTING.finditer(said))


def _is_named_before(said: str, match: re.Match[str]) -> bool:
    before = {stem(word) for word in re.findall(r"[a-z]+", said[: match.start()].lower())}
    things = {stem(word) for word in match["thing"].lower().split()}
    kinds = {"aircraft": {"airplan", "rotorcraft", "helicopt", "aircraft", "glid", "balloon"}}
    return (
        bool(things & before)
        or any(bool(others & before) for thing, others in kinds.items() if stem(thing) in things)
        or _is_person(things, before)
    )


def _is_person(things: set[str], before: set[str]) -> bool:
    people = {
        stem(word)
        for word in [
            "person",
            "pilot",
            "operator",
            "airman",
            "owner",
            "individual",
            "applicant",
            "crewmember",
            "instructor",
            "certificate",
            "holder",
            "one",
        ]
    }
    return bool(things & people) and bool(before & people)


def _has_no_subject(said: str, _: bool) -> bool:
    head = re.sub(
        (
            r"^(?:(?:except|unless|when|if|while|for|in|on|during|after|before|upon|until"
            r"|notwithstanding)\b[^,]*, )+"
        ),
        "",
        said,
        flags=re.I,
    )
    match = re.search(r"\b(?:must|shall|may|should|is|are|has|have|need|requires?)\b", head, re.I)
    return not match or not re.search(r"[A-Za-z]{2,}", head[: match.start()])


def _is_cut(said: str, _: bool) -> bool:
    if re.match(r"[^A-Z§“0-9]", said) or "[[" in said or re.search(r"\b(?:must|may|shall) [“\"]", said):
        return True
    return (
        not re.search(r"[.!?][)”\"]?$", said)
        or said.count("(") != said.count(")")
        or said.count("“") != said.count("”")
        or bool(re.search(r"(?:[—:,;]|\b(?:and|or|unless|if|the|of|to))\.?$", said))
    )


def _leans_on_a_term(said: str, listed: bool) -> bool:
    """A definition may speak of its own term as "that"; it may not begin with a pronoun or name a paragraph."""
    return bool(re.match(r"(?:it|they|this|these|those|such|that|he|she)\b", said, re.I)) or bool(
        re.search(
            r"\b(?:this (?:section|paragraph|appendix)|paragraphs? \(|as follows|the following table)\b",
            said,
            re.I,
        )
    )


def _is_too_short(said: str, _: bool) -> bool:
    return len(said.split()) < conf.STATEMENT_LEAST_WORDS


def _is_too_long(said: str, _: bool) -> bool:
    return len(said) > conf.STATEMENT_LENGTH


def _says_several_things(said: str, listed: bool) -> bool:
    return len(re.findall(r"\b(?:must|shall|may)\b", said)) > (4 if listed else 3)


def _is_a_note(said: str, _: bool) -> bool:
    noted = re.match(r"\[|NOTE|EXAMPLE|\W*(?:Doc\.|Amdt\.)|.*\[Reserved\]", said)
    long_words = re.findall(r"[A-Za-z]{4,}", said)
    titled = sum(word[0].isupper() for word in long_words) > conf.TITLE_CAPITALS * len(long_words)
    return bool(noted) or said.endswith("?") or (titled and len(long_words) > 3)


_CHECKS: tuple[tuple[str, Callable[[str, bool], bool]], ...] = (
    ("a note or a heading", _is_a_note),
    ("a definition that does not stand alone", _is_cut_definition),
    ("speaks of the authority, not of who flies", _is_about_the_authority),
    ("only refers to another rule", _is_only_a_reference),
    (_POINTS, _points_elsewhere),
    ("no subject", _has_no_subject),
    ("cut off", _is_cut),
    ("too short", _is_too_short),
    ("too long to be one rule", _is_too_long),
    ("several rules in one sentence", _says_several_things),
)

_DEFINITION_CHECKS: tuple[tuple[str, Callable[[str, bool], bool]], ...] = (
    ("a note or a heading", _is_a_note),
    (_POINTS, _leans_on_a_term),
    ("cut off", _is_cut),
    ("too short", lambda said, _: len(said.split()) < conf.DEFINITION_LEAST_WORDS),
    ("too long to be one rule", _is_too_long),
)
