"""What is done once when the process starts: models are wired to their roles, checks are registered."""

from typing import Any

from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate


def _create_flags(**_: Any) -> None:
    from knowledge.flags import create_missing_flags  # noqa: PLC0415  (models load after the app registry)

    create_missing_flags()


def _write_words(**_: Any) -> None:
    """A library that is older than the lists of its words is searched slowly until they are written."""
    from knowledge.library_version import (  # noqa: PLC0415
        everything_changed,
        has_word_index,
        index_words,
    )

    if has_word_index() and index_words():
        everything_changed()


class HouseConfig(AppConfig):
    name = "heydpe"
    label = "house"
    verbose_name = "House"

    def ready(self) -> None:
        from . import checks, wiring  # noqa: F401, PLC0415  (they import models)

        wiring.configure_models()
        # This app has no models, so no signal is sent in its name: these follow the library's tables.
        library = apps.get_app_config("knowledge")
        post_migrate.connect(_create_flags, sender=library)
        post_migrate.connect(_write_words, sender=library)
