"""Find a tenant by its slug."""

from knowledge.models import Tenant


class UnknownTenant(LookupError):
    """No school has this slug; the message says how to add one."""


def tenant_named(slug: str) -> Tenant | None:
    """The tenant with this slug; an empty slug is the shared library: None. Raises UnknownTenant."""
    if not slug:
        return None
    found = Tenant.objects.filter(slug=slug).first()
    if found is None:
        raise UnknownTenant(f"no tenant {slug!r} is known: add it with manage.py tenant add {slug}")
    return found
