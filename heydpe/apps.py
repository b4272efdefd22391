"""What runs when a process starts (models get roles, checks are registered) and after a migration."""

from typing import Any

from django.apps import AppConfig, apps
from django.contrib.admin.apps import AdminConfig
from django.db.models.signals import post_migrate


def _complete_library(**_: Any) -> None:
    """Add the missing rows of flags, and index the words of a library older than the word index, which would be
    searched slowly until then."""
    from knowledge.flags import create_missing_flags  # noqa: PLC0415  (models load after the app registry)
    from knowledge.library_version import (  # noqa: PLC0415  (this module reads models)
        everything_changed,
        has_word_index,
        index_words,
    )

    create_missing_flags()
    if has_word_index() and index_words():
        everything_changed()


class HouseConfig(AppConfig):
    name = "heydpe"
    label = "house"
    verbose_name = "House"

    def ready(self) -> None:
        from . import checks, wiring  # noqa: F401, PLC0415  (they import models)

        wiring.configure_models()
        # This app has no models, so no signal is sent in its name: this follows the library's tables.
        post_migrate.connect(_complete_library, sender=apps.get_app_config("knowledge"))


class RolesAdmin(AdminConfig):
    default_site = "knowledge.access.admin_site.RolesSite"
