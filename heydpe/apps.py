"""What is done once when the process starts: models are wired to their roles, checks are registered."""

from typing import Any

from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate


def _create_flags(**_: Any) -> None:
    from knowledge.flags import create_missing_flags  # noqa: PLC0415  (models load after the app registry)

    create_missing_flags()


class HouseConfig(AppConfig):
    name = "heydpe"
    label = "house"
    verbose_name = "House"

    def ready(self) -> None:
        from . import checks, wiring  # noqa: F401, PLC0415  (they import models)

        wiring.configure_models()
        # This app has no models, so no signal is sent in its name: the flags follow the library's tables.
        post_migrate.connect(_create_flags, sender=apps.get_app_config("knowledge"))
