"""The admin's site: open to reviewers and operators of any school, and to superusers."""

from django.http import HttpRequest
from unfold.sites import UnfoldAdminSite

from knowledge.access.people import schools_of
from knowledge.models.tenancy import Role


class RolesSite(UnfoldAdminSite):  # type: ignore[misc]
    """A membership opens it; Django's `is_staff` does not count."""

    def has_permission(self, request: HttpRequest) -> bool:
        return bool(schools_of(request.user, Role.REVIEWER, Role.OPERATOR))
