"""Roles as DRF permissions: each counts in the school of its membership, and for the school that a request names."""

from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from knowledge.access.people import NAMED, may_act_for, schools_named
from knowledge.models.tenancy import Role


class _Holds(BasePermission):
    role: Role

    def has_permission(self, request: Request, view: APIView) -> bool:
        return bool(schools_named(request, self.role))

    def has_object_permission(self, request: Request, view: APIView, obj: Any) -> bool:
        """The row's school is the one for which the role is asked; it must be the named one, if one is named."""
        named = request.headers.get(NAMED)
        schools = {school.pk if school else None for school in schools_named(request, self.role)}
        return may_act_for(request.user, self.role, obj.tenant_id) and (not named or obj.tenant_id in schools)


class IsReviewer(_Holds):
    message = "Only reviewers may do this, each for the own school."
    role = Role.REVIEWER


class IsOperator(_Holds):
    message = "Only operators may do this, each for the own school."
    role = Role.OPERATOR
