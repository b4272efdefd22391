"""Words of a student who wants to hear the question again, and nothing else. Pure.

To be told the question again is free (EXAM.md): it is no answer, and costs no attempt.
"""

import re
from typing import Final

_POLITE: Final = (
    r"(?:sorry|i'?m sorry|pardon(?: me)?|excuse me|ok(?:ay)?|um+|uh+|hm+|er+|well|please|wait)[\s,.!?…-]+"
)
_IT: Final = r"(?:it|that|this|the question|your question|what you (?:said|asked|mean|want))"
_HOW: Final = (
    r"(?:again|once more|once again|one more time|another time|differently|in (?:other|different|simpler) words"
    r"|another way|in another way|a different way|more slowly|slower|for me|to me|please|sir|ma'?am)"
)
_SAY: Final = r"(?:say|repeat|rephrase|reword|read|ask|explain|clarify|put)"
_ASK: Final = (
    rf"(?:can|could|would|will|may|might) you (?:please |maybe |just )?{_SAY}(?: {_IT})?",
    rf"(?:please )?(?:repeat|rephrase|reword|clarify)(?: {_IT})?",
    rf"(?:please )?(?:say|ask|read|put|explain) (?:{_IT}|me {_IT})(?= )",
    r"say again",
    r"(?:what|which) (?:was|is|were|did you say was) the question",
    r"what (?:did you (?:say|ask)|do you mean(?: by that)?|are you asking(?: me)?)",
    r"(?:come again|pardon(?: me)?|huh|(?:sorry|what)(?=\s*\?)|one more time|once more)",
    rf"i (?:didn'?t|did not|don'?t|do not|couldn'?t) (?:quite |really )?"
    rf"(?:hear|catch|get|understand|follow) (?:{_IT}|you)",
    rf"(?:can|could|may) i (?:hear|have|get) {_IT}(?= )",
    rf"i (?:need|want|would like|'?d like) to hear {_IT}(?= )",
)
_AGAIN: Final = re.compile(rf"(?:{_POLITE})*(?:{'|'.join(_ASK)})(?:[\s,]+{_HOW})*[\s.!?…]*")


_OTHER_WORDS: Final = re.compile(
    r"\b(?:mean|rephrase|reword|clarify|explain|differently|simpler|other words|another way|different way|"
    r"understand|follow|get)\b"
)


def asks_to_reword(answer: str) -> bool:
    """Whether the question is wanted in other words, not only once more."""
    return asks_again(answer) and bool(_OTHER_WORDS.search(answer.lower()))


def asks_again(answer: str) -> bool:
    """Whether these words ask for the question once more, and say nothing besides."""
    plain = " ".join(answer.lower().replace("’", "'").split())
    return bool(_AGAIN.fullmatch(plain))
