"""What every page knows: where answers go, and who may go where."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from knowledge.models.tenancy import Role
from knowledge.people import has_role
from llm import registry


def house(request: HttpRequest) -> dict[str, Any]:
    user = getattr(request, "user", None)
    signed_in = bool(user and user.is_authenticated)
    return {
        "answers_go_to": registry.external_readers("assessor", "" if signed_in else settings.EMBEDDING_MODEL),
        "assessed_by": registry.external_name("assessor"),
        "source_url": settings.ENV.source_url,
        "is_operator": signed_in and has_role(user, Role.OPERATOR),
        "is_reviewer": signed_in and has_role(user, Role.REVIEWER),
    }
