"""Roles as DRF permissions."""

from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from .models.tenancy import Role
from .people import has_role, may_act_for


class IsReviewer(BasePermission):
    message = "Only reviewers may do this."

    def has_permission(self, request: Request, view: APIView) -> bool:
        return has_role(request.user, Role.REVIEWER)


class IsOperator(BasePermission):
    message = "Only operators may do this, each for the own school."

    def has_permission(self, request: Request, view: APIView) -> bool:
        return has_role(request.user, Role.OPERATOR)

    def has_object_permission(self, request: Request, view: APIView, obj: Any) -> bool:
        return may_act_for(request.user, Role.OPERATOR, obj.tenant_id)
