"""What the exam can do with no key: the offline model's skills, ready to be wired to their roles.

`offline_skills` is called once by the wiring. Vectors of single words and sentences come up again and again within an
exam, so they are kept; the embedding model is only asked for when it is first needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from exams import conf
from exams.assessor import ROLE as ASSESSOR
from exams.assessor import OfflineJudge
from exams.examiner import ROLE as EXAMINER
from exams.examiner import compose_reply
from llm.offline import Skill
from llm.registry import embedding_model


@lru_cache(maxsize=conf.KEPT_VECTORS)
def _vector(text: str) -> tuple[float, ...]:
    return tuple(embedding_model().embed_query(text))


def offline_skills() -> Mapping[str, Skill]:
    """Role -> skill, for `llm.offline.OfflineChatModel`."""
    return {EXAMINER: compose_reply, ASSESSOR: OfflineJudge(_vector)}


SKILLS: Mapping[str, Skill] = offline_skills()
