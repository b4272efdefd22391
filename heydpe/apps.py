"""What runs when a process starts (models get roles, checks are registered) and after a migration."""

import sys
from typing import Any

from django.apps import AppConfig, apps
from django.conf import settings
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


def announce_setup(**_: Any) -> None:
    """Print where the first account is made, as long as there is none. With DEBUG the demo brings accounts."""
    from desk.accounts.first_account import has_account, setup_path  # noqa: PLC0415  (it reads models)

    if not settings.DEBUG and not has_account():
        print(f"No account exists yet. Make the first one at {setup_path()}", file=sys.stderr, flush=True)


class HouseConfig(AppConfig):
    name = "heydpe"
    label = "house"
    verbose_name = "House"

    def ready(self) -> None:
        from . import checks, wiring  # noqa: F401, PLC0415  (they import models)

        wiring.configure_models()
        wiring.configure_record()
        # This app has no models, so no signal is sent in its name: this follows the library's tables.
        post_migrate.connect(_complete_library, sender=apps.get_app_config("knowledge"))
        post_migrate.connect(announce_setup, sender=apps.get_app_config("knowledge"))


class RolesAdmin(AdminConfig):
    default_site = "knowledge.access.admin_site.RolesSite"
