"""Who may do what. Reviewers and operators are staff with a membership; a superuser is everything."""

from typing import Any

from django.db.models import Q

from knowledge.models import Membership, Tenant
from knowledge.models.tenancy import Role


def has_role(user: Any, role: Role) -> bool:
    if not user.is_authenticated or not user.is_active:
        return False
    if user.is_superuser:
        return True
    return bool(user.is_staff and Membership.objects.filter(user=user, role=role).exists())


def acts_for(user: Any, *roles: Role, field: str = "tenant") -> Q:
    """Rows of the schools for which the user holds one of the roles; `field` leads to a row's school.

    Who holds it for one school does not hold it for another, nor for the shared library, which all schools read.
    """
    if user.is_superuser:
        return Q()
    schools = set(Membership.objects.filter(user=user, role__in=roles).values_list("tenant", flat=True))
    own = Q(**{f"{field}__in": schools - {None}})
    return own | Q(**{f"{field}__isnull": True}) if None in schools else own


def may_act_for(user: Any, role: Role, tenant_id: int | None) -> bool:
    """Whether the user holds the role for this school; None = for the shared library."""
    if user.is_superuser:
        return True
    return Membership.objects.filter(user=user, role=role, tenant=tenant_id).exists()


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
