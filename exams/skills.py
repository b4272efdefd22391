"""What the exam can do with no key: the offline model's skills, ready to be wired to their roles.

The embedding model is asked for when it is first needed, so that wiring loads nothing. Vectors of words
and sentences come up again and again within an exam, so they are kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from exams import conf
from exams.assessor import ROLE as ASSESSOR
from exams.assessor import OfflineJudge
from exams.offline.matching import Vector
from exams.offline.vectors import KeptVectors
from exams.offline.weighing import vectors_of_experience
from llm.conf import LOCAL_MODEL
from llm.offline import Skill
from llm.registry import embedding_model, embedding_names


def offline_skills() -> Mapping[str, Skill]:
    """Role -> skill, for `llm.offline.OfflineChatModel`."""
    vectors = KeptVectors(_embed_many, conf.KEPT_VECTORS, _known)
    return {ASSESSOR: OfflineJudge(vectors)}


def _embed_many(texts: Sequence[str]) -> list[list[float]]:
    """By the local model, for whose cosines the signs are weighed, whichever the library is searched with."""
    name = LOCAL_MODEL if LOCAL_MODEL in embedding_names() else ""
    return embedding_model(name).embed_passages(texts)


def _known() -> Mapping[str, Vector]:
    """Of no use beside those of another model."""
    return vectors_of_experience() if LOCAL_MODEL in embedding_names() else {}
