"""What runs when a process starts (models get roles, checks are registered) and after a migration."""

from typing import Any

from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate


def _create_flags(**_: Any) -> None:
    from knowledge.flags import create_missing_flags  # noqa: PLC0415  (models load after the app registry)

    create_missing_flags()


def _index_words(**_: Any) -> None:
    """A library older than the word index is searched slowly until its words are indexed."""
    from knowledge.library_version import (  # noqa: PLC0415  (this module reads models)
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
        post_migrate.connect(_index_words, sender=library)
