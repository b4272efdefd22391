from django.apps import AppConfig

from knowledge.db.connections import register_vector_dumper


class KnowledgeConfig(AppConfig):
    name = "knowledge"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = "Knowledge"

    def ready(self) -> None:
        register_vector_dumper()
