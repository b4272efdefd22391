"""Every test here has the offline extractor and a small embedding model; afterwards the house's own stand again."""

from collections.abc import Iterator

import pytest

from heydpe.wiring import configure_models
from llm import registry
from tests.doubles.claims import EXTRACTOR
from tests.doubles.library import MODEL


@pytest.fixture(autouse=True)
def models() -> Iterator[None]:
    registry.configure_models(chat=lambda: EXTRACTOR, embedding=lambda: MODEL)
    yield
    configure_models()
