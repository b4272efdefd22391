"""What the exam can do with no key: the offline model's skills, ready to be wired to their roles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from exams.examiner.assessor import ROLE as ASSESSOR
from exams.examiner.assessor import OfflineJudge
from exams.offline.classifier import Classifier
from llm.local.minilm import tokenizer
from llm.offline import Skill
from llm.processes import PerProcess

_CLASSIFIER: Final = PerProcess(lambda: Classifier(tokenizer()))


def offline_skills() -> Mapping[str, Skill]:
    """Role -> skill, for `llm.offline.OfflineChatModel`. The classifier is loaded when the first answer is judged."""
    return {ASSESSOR: OfflineJudge(_CLASSIFIER.get)}
