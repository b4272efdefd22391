from django.apps import AppConfig


class RulesConfig(AppConfig):
    name = "rules"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = "European rules"

    def ready(self) -> None:
        from . import checks  # noqa: F401, PLC0415  (it reads settings)
