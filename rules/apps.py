from django.apps import AppConfig


class RulesConfig(AppConfig):
    name = "rules"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = "European rules"

    def ready(self) -> None:
        from knowledge.ingestion.vectors.sets import take_along  # noqa: PLC0415  (these read models and settings)

        from . import checks  # noqa: F401, PLC0415
        from .search.vectors import embed_missing  # noqa: PLC0415

        take_along(embed_missing)
