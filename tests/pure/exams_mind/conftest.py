"""The judge with the real local embedding model, made once a session."""

import pytest

from exams.offline.vectors import KeptVectors
from exams.offline.weighing import vectors_of_experience
from llm.local import LocalEmbeddingModel


@pytest.fixture(scope="session")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> KeptVectors:
    model = LocalEmbeddingModel(tmp_path_factory.mktemp("minilm"))
    return KeptVectors(model.embed_passages, most=50_000, known=vectors_of_experience)
