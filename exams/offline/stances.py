"""A clause becomes the stance that it takes towards an act."""

from __future__ import annotations

import re
from typing import Final, Literal

from knowledge.grounding.polarity import Modality, modality_of

Stance = Literal["forbids", "requires", "permits", "excuses", "states"]
"""It excuses where it says "you need not"."""

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
