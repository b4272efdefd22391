from django.apps import AppConfig

from knowledge.db.vector_adapter import teach_connections


class KnowledgeConfig(AppConfig):
    name = "knowledge"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = "Knowledge"

    def ready(self) -> None:
        teach_connections()
