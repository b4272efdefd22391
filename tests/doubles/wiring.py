"""Whatever a test wires, the next one finds the models that the settings wired."""

from collections.abc import Iterator

import pytest

from llm import registry


@pytest.fixture(autouse=True)
def models_as_wired() -> Iterator[None]:
    kept = registry._door.wiring
    yield
    registry._door.wiring = kept
