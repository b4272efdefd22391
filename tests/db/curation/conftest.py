"""Every test here has the offline extractor and a small embedding model; afterwards the house's own stand again."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from heydpe.wiring import configure_models
from llm import registry
from tests.doubles.claims import EXTRACTOR, make_user
from tests.doubles.library import MODEL


@pytest.fixture(autouse=True)
def models() -> Iterator[None]:
    registry.configure_models(chat=lambda: EXTRACTOR, embedding=lambda: MODEL)
    yield
    configure_models()


@pytest.fixture
def reviewer() -> Any:
    return make_user("reviewer")


@pytest.fixture
def browser(reviewer: Any) -> Client:
    client = Client()
    client.force_login(reviewer)
    return client
