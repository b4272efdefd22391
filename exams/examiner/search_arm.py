"""Which way of ranking an exam's searches take.

For what an element is asked by. What a student said is looked up without reading again: the verdict would wait for it,
and the words go to a vendor whom no page names.
"""

from typing import Final

from knowledge.retrieval.rerank import configured
from knowledge.retrieval.values import Arm

_TOO_SLOW: Final = ("none", "late")


def arm_of_exams() -> Arm:
    """Passages are read again by a reranker that costs this machine little. `late` reads some twenty of them word by
    word, half a second for an element (`manage.py search --element PA.I.E.K1 --arm hybrid+rerank` tells it): no student
    should wait for it."""
    return "hybrid" if configured() in _TOO_SLOW else "hybrid+rerank"
