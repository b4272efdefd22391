"""One local model for all tests here: its weights are converted once a run."""

from pathlib import Path

import pytest

from llm.local.encoder import LocalEmbeddingModel


@pytest.fixture(scope="session")
def model_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="session")
def local(model_cache: Path) -> LocalEmbeddingModel:
    return LocalEmbeddingModel(model_cache)
