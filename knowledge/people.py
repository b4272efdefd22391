"""Who may do what. Reviewers and operators are staff with a membership; a superuser is everything."""

from typing import Any

from knowledge.models import Membership, Tenant
from knowledge.models.tenancy import Role


def has_role(user: Any, role: Role) -> bool:
    if not user.is_authenticated or not user.is_active:
        return False
    if user.is_superuser:
        return True
    return bool(user.is_staff and Membership.objects.filter(user=user, role=role).exists())


def tenant_of(user: Any) -> Tenant | None:
    """The school of a user; None = the shared library alone. A user of several schools gets the first by slug."""
    membership = (
        Membership.objects.filter(user=user, tenant__isnull=False)
        .select_related("tenant")
        .order_by("tenant__slug")
        .first()
    )
    return membership.tenant if membership else None


def tenant_id_of(user: Any) -> int | None:
    tenant = tenant_of(user)
    return tenant.pk if tenant else None
