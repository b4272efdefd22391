"""A cache in memory that begins empty."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.test import override_settings


@pytest.fixture(autouse=True)
def cache_of_its_own() -> Iterator[None]:
    memory = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": str(uuid4())}
    with override_settings(CACHES={"default": memory}):
        yield
