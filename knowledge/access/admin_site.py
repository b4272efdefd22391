"""The admin's site: open to reviewers, operators and instructors of any school, and to superusers. Each page says which
of them it is for."""

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold import fields
from unfold.sites import UnfoldAdminSite

from knowledge.access.people import schools_of
from knowledge.models.tenancy import Role


def show_json(data: Any, encoder: Any) -> SafeString | None:
    """JSON as indented text. The theme's function colors it by style attributes, which the policy stops."""
    if not data:
        return None  # shown as every other empty field
    return format_html("<pre>{}</pre>", json.dumps(data, indent=2, ensure_ascii=False, cls=encoder))


fields.prettify_json = show_json


class RolesSite(UnfoldAdminSite):  # type: ignore[misc]
    """A membership opens it; Django's `is_staff` does not count."""

    def has_permission(self, request: HttpRequest) -> bool:
        return bool(schools_of(request.user, Role.REVIEWER, Role.OPERATOR, Role.INSTRUCTOR))

    def app_index(self, request: HttpRequest, app_label: str, extra_context: Any = None) -> HttpResponse:
        """The navigation has groups by what people do; a list of an app's tables would be another one."""
        return redirect("admin:index")
