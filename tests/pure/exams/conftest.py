"""The classifier that comes with the application, loaded once a session."""

import pytest

from exams.offline.classifier import Classifier
from llm.local.minilm import load_tokenizer


@pytest.fixture(scope="session")
def classifier() -> Classifier:
    return Classifier(load_tokenizer())
