"""Template variables of every page: where answers are sent, and what the user may do."""

from functools import partial
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from knowledge.access.people import SCHOOL, read_memberships, slug_of
from knowledge.models.tenancy import Role
from llm import registry


def house(request: HttpRequest) -> dict[str, Any]:
    user = getattr(request, "user", None)
    signed_in = bool(user and user.is_authenticated)
    held = read_memberships(user) if user else []
    roles, schools = {row.role for row in held}, list(dict.fromkeys(row.tenant for row in held))
    superuser = bool(user and user.is_superuser)
    return {
        # Called where a page says it: the admin renders many templates that do not.
        "answers_go_to": partial(
            registry.external_readers, "assessor", "" if signed_in else settings.EMBEDDING_MODEL
        ),
        "assessed_by": registry.external_name("assessor"),
        "source_url": settings.ENV.source_url,
        "is_operator": superuser or Role.OPERATOR in roles,
        "is_reviewer": superuser or Role.REVIEWER in roles,
        "schools": [(slug_of(school), school or "The shared library") for school in schools],
        "chosen_school": request.session.get(SCHOOL, "") if signed_in else "",
    }
