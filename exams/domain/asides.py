"""Recognizes what a student says to the examiner instead of an answer, and what the examiner replies.

An aside is free (EXAM.md): it is not an answer, gets no verdict, and costs no attempt. Words that also answer are an
answer.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from knowledge.text.synonyms import idea_set
from knowledge.text.word_tables import read_phrases

REPEATED: Final = "Of course. The question again:"
ASKED_BACK: Final = "Are you asking me, or telling me? Say what you hold to be right. The question again:"
"""To an answer that only asks."""
_MOST_IDEAS: Final = 0.6
"""Share of the ideas of an expected wording from which words say it."""
ASIDE_CHARACTERS_MOST: Final = 100
"""Characters of an aside; a longer one holds an answer as well."""
_REPLIES: Final[Mapping[str, str]] = {
    "said before": "I heard you. Tell me once more in other words, so that I have it exactly:",
    "may look up": "You may. Tell me where you would look and what you would find there:",
    "wants a hint": "For a hint, press “Hint” below; in a checkride there is none. The question stands:",
    "skip": "I can't leave it out, but “I don't know” is a fair answer, and then we move on. The question again:",
    "stop": "You can stop at any time: “Pause” keeps your place, and “End the oral” takes you to the debrief. Until"
    " then, the question stands:",
    "wait": "Take your time. The question was:",
    "how was it": "I can't tell you while the question is open. It stands:",
    "nervous": "That's all right. Take a breath, and start with what you are sure of. The question was:",
    "progress": "The line above our talk shows how far we are. The question stands:",
    "presence": "I'm here. The question again:",
    "meaning": "I mean it the way pilots use it. Where the question leaves something open, say what you assume:",
}
"""What is said before the question is shown again, by the meaning of the words; the first that fits counts."""
_PHRASES: Final = read_phrases(Path(__file__).with_name("phrases.csv"))
_POLITE, _ASK, _HOW = (_PHRASES[name].pattern for name in ("polite", "ask again", "how to ask"))


def asks_to_reword(answer: str) -> bool:
    """Whether the student wants the question in other words, and not only once more."""
    return bool(_PHRASES["other words"].search(answer.lower()))


def says_expected(answer: str, expectations: Iterable[Mapping[str, Any]]) -> bool:
    """Whether the words hold most ideas of an expected point or of a wording accepted for it; they are an answer then,
    whatever they sound like ("say again for me" to “What do you tell the controller?”)."""
    said, spoken = idea_set(answer), answer.lower().strip(" .!?")
    wordings = (text for one in expectations for text in (one["text"], *one.get("also", ())))
    return any(
        spoken == text.lower().strip(" .!?")
        or ((ideas := idea_set(text)) and len(ideas & said) >= _MOST_IDEAS * len(ideas))
        for text in wordings
    )


def reply_to_aside(answer: str, expected: Iterable[str] = ()) -> str:
    """What to reply to words that are no answer; "" for an answer.

    Words that hold a figure, or beside the aside an idea of what is `expected`, are one.
    """
    said = " ".join(answer.lower().replace("’", "'").split())
    if re.fullmatch(rf"(?:{_POLITE})*(?:{_ASK})(?:[\s,]+(?:{_HOW}))*[\s.!?…]*", said):
        return REPEATED
    if len(said) > ASIDE_CHARACTERS_MOST or re.search(r"\d", said):
        return ""
    for meaning, reply in _REPLIES.items():
        if found := _PHRASES[meaning].search(said):
            rest = idea_set(said.replace(found[0], " "))
            told = max((len(rest & idea_set(one)) for one in expected), default=0)
            return "" if told > said.endswith("?") else reply
    return ""
