"""A text becomes clauses with a stance, and its ideas with their signs: affirmed, denied, or neither.

"You may not enter unless you have talked to them" requires the talking: a prohibition with an exception
is a duty. A denial ("does not bind", "no effect") touches the ideas right after it and not the whole
sentence; after words such as "prevent", "less" or "instead of" nothing is held against anybody. Numbers,
frequencies and section numbers are never cut.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from exams.offline.lexicon import STOP, table_words
from exams.offline.wording import idea, is_number, joined
from knowledge.grounding.polarity import Modality, modality_of
from knowledge.grounding.readings import kept
from knowledge.grounding.sentences import sentences_in

Stance = Literal["forbids", "requires", "permits", "excuses", "states"]
"""What a clause says about an act: it excuses ("you need not") or merely states how things are."""

_BREAK: Final = re.compile(
    r"\s*(?:;|—|–|(?<![\d,]),(?!\d{3}\b)|(?<=\d),(?!\d{3}\b)|\n)\s*"
    r"|\s+(?=(?:but|unless|except|until|if|when|while|because|since|so that|so|otherwise|whereas|"
    r"however|which|although|though|even|then|as long as|provided|without|instead of|rather than)\b)"
    r"|\s+and\s+(?=(?:you|i|we|it|they|no|not|must|may|can|never|do|don't|so|therefore|thus|lowers?|"
    r"raises?|makes?)\b)",
    re.IGNORECASE,
)
_NEGATORS: Final = table_words(
    """
    not no never none nobody nothing nor neither doesn't didn't won't isn't aren't wasn't weren't
    haven't hasn't hadn't don't cant can't cannot couldn't ain't dont doesnt wont isnt arent
    """
)
_SOFT: Final = table_words(
    """
    prevent lack lose decrease increase without instead rather difficult avoid reduce impair fail
    unless until except unable restrict limit hinder stop lessthan morethan atleast atmost only just
    too ignore disregard refuse reject resist counter except
    """
)
_VERBS_OF_LACK: Final = frozenset(("lack", "prevent", "avoid", "stop", "limit", "restrict"))
_MODAL_NEGATION: Final = re.compile(
    r"\bno (?:person|pilot|one|aircraft|airplane|operator)\b|\bnobody\b|\b(?:may|must|shall|should)(?: ?not|n't)\b|"
    r"\b(?:you|i|we|he|she|pilots?|pic|person) (?:can ?not|can't|cant|could not|couldn't|won't|"
    r"will not|wouldn't|would not|don't|do not)\b",
    re.IGNORECASE,
)
_MODAL_MARK: Final = "modalnegation"
_HYPOTHETICAL: Final = re.compile(r"(?:and |or |so )?(?:if|when|whether|in case)\b", re.IGNORECASE)
_EXCEPTION: Final = re.compile(
    r"\b(?:unless|until|except|without|only (?:if|when|with|after|for)|as long as|provided|if (?:i|"
    r"you|we|it|he|she|they)"
    r"(?:'ve| have|'m| am|'re| are)? ?(?:not|don't|do not|never)|not (?:\w+ ){0,2}before)\b",
    re.IGNORECASE,
)
_EXCUSES: Final = re.compile(
    r"\b(?:doesn't|don't|does not|do not|didn't|dont|doesnt) (?:really |actually |even )?(?:have|got|matter|care)\b|"
    r"\bno (?:rule|limit|restriction|obligation)\b|\bno \w+(?: \w+)? (?:is |are )?(?:required|needed|necessary)\b|"
    r"\bwithout (?:any |a |the |an |first )?(?:talking|having|getting|asking|calling|needing|clearance|permission|"
    r"contact|radio|placard)\b|\bup to (?:you|me|the pilot)\b"
)
_PERMITS: Final = re.compile(r"\b(?:okay|ok|fine|free to|good to go|no problem|lawful|legally|permissible)\b")
_MAY: Final = re.compile(r"\b(?:may|can)\b")
_MUST: Final = re.compile(r"\b(?:must|shall|have to|has to|had to|should)\b")
_GROUNDED: Final = re.compile(r"\bgrounded\b|\bnot fit to fly\b|\bstay(?:s|ing)? (?:home|on the ground)\b")
_STANCES: Final[dict[Modality | None, Stance]] = {
    "must": "requires",
    "should": "requires",
    "may": "permits",
    "may_not": "forbids",
    "not_required": "excuses",
    None: "states",
}
_RAW: Final = re.compile(r"[a-z0-9](?:[a-z0-9'&.-]*[a-z0-9])?")


@dataclass(frozen=True, slots=True)
class Sign:
    """One idea of a clause: True affirmed, False denied, None where neither can be held against anybody."""

    idea: str
    affirmed: bool | None


@dataclass(frozen=True, slots=True)
class Clause:
    """`text` as the student wrote it; `signs` its ideas in order; `stance` towards the act it names."""

    text: str
    signs: tuple[Sign, ...]
    stance: Stance

    @property
    def is_negated(self) -> bool:
        """Whether any negation stands in it."""
        return any(
            _negates(word) or _is_lack(word) for word in _RAW.findall(self.text.lower().replace("’", "'"))
        )


@kept
def clauses_in(text: str) -> tuple[Clause, ...]:
    """The clauses of a text in order."""
    pieces = [piece for sentence in sentences_in(text) for piece in _pieces(sentence.text)]
    return tuple(Clause(piece, _signs(piece), stance_of(piece)) for piece in pieces)


def has_exception(sentence: str) -> bool:
    """Whether a prohibition or a permission stands under a condition of its own."""
    return bool(_EXCEPTION.search(sentence))


def stance_of(text: str) -> Stance:
    """The stance of the whole text, with the words students have for leave ("you're fine") and for no duty."""
    lowered = text.lower().replace("’", "'").strip()
    if _EXCUSES.search(lowered):
        return "excuses"
    if _GROUNDED.search(lowered):
        return "forbids"
    stance = _STANCES[modality_of(text)]
    if stance == "requires" and _MAY.search(lowered) and not _MUST.search(lowered):
        return "permits"
    if stance in ("states", "permits") and re.match(r"no\b(?! more| less)", lowered):
        return "forbids"
    return "permits" if stance == "states" and _PERMITS.search(lowered) else stance


def _pieces(sentence: str) -> list[str]:
    return [piece.strip() for piece in _BREAK.split(sentence) if piece and piece.strip()]


def _signs(piece: str) -> tuple[Sign, ...]:
    """A negation denies the idea right after it; what follows in the clause it leaves open."""
    words = _RAW.findall(joined(_MODAL_NEGATION.sub(f" {_MODAL_MARK} ", piece)))
    signs: list[Sign] = []
    negated, soft = False, bool(_HYPOTHETICAL.match(piece))
    for word in words:
        if word == _MODAL_MARK or _is_lack(word):
            soft = True
            continue
        if _negates(word):
            negated = True
            continue
        one = idea(word.removesuffix("'s"))
        if (word in STOP and one not in _SOFT) or is_number(word):
            continue
        open_ = soft or (one in _SOFT and one not in _VERBS_OF_LACK)
        signs.append(Sign(one, None if open_ else not negated))
        soft = soft or negated or one in _SOFT
    return tuple(signs)


def _is_lack(word: str) -> bool:
    """ "Unpracticed", "unsafe": words that deny by themselves; what follows is held against nobody."""
    return (
        len(word) > 6 and word.startswith("un") and not word.startswith(("under", "unit", "until", "unless"))
    )


def _negates(word: str) -> bool:
    return word in _NEGATORS or word.endswith("n't")
