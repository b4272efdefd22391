"""Caches in memory that begin empty, one for each that the settings name."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.cache.backends.locmem import LocMemCache
from django.test import override_settings

MEMORY = "django.core.cache.backends.locmem.LocMemCache"


def caches_in_memory() -> dict[str, dict[str, str]]:
    return {name: {"BACKEND": MEMORY, "LOCATION": str(uuid4())} for name in settings.CACHES}


@pytest.fixture(autouse=True)
def cache_of_its_own() -> Iterator[None]:
    with override_settings(CACHES=caches_in_memory()):
        yield


class Unwritable(LocMemCache):
    """Answers, and refuses to keep anything."""

    def set(self, *args: Any, **kwargs: Any) -> None:
        raise ConnectionError("no room")
