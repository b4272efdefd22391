"""Roles as DRF permissions, checked for the school of the row and the school that the request names."""

from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from knowledge.access.people import NAMED, may_act_for, schools_named
from knowledge.models.tenancy import Role


class _HasRole(BasePermission):
    role: Role

    def has_permission(self, request: Request, view: APIView) -> bool:
        return bool(schools_named(request, self.role))

    def has_object_permission(self, request: Request, view: APIView, obj: Any) -> bool:
        """The role counts in the row's school, which must be the one that the request names, if it names one."""
        named = request.headers.get(NAMED)
        schools = {school.pk if school else None for school in schools_named(request, self.role)}
        return may_act_for(request.user, self.role, obj.tenant_id) and (not named or obj.tenant_id in schools)


class IsReviewer(_HasRole):
    message = "Only reviewers may do this, each for the own school."
    role = Role.REVIEWER


class IsOperator(_HasRole):
    message = "Only operators may do this, each for the own school."
    role = Role.OPERATOR
