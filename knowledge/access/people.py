"""Who may do what, and for which school. A membership alone gives a role; a superuser may do all.

A role counts only in the school of its membership. For a row, `acts_for` and `may_act_for` ask for the role in the
row's school; for what has no row yet, such as an upload or a search, `school_for` and `school_read_by` find the school.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.core.exceptions import BadRequest, PermissionDenied
from django.db.models import Q, QuerySet
from django.db.models.signals import post_delete, post_save
from django.http import HttpRequest
from django.utils import timezone

from knowledge.models import Membership, Tenant
from knowledge.models.tenancy import Role

SCHOOL = "school"  # the session's key for the slug of the chosen school
SHARED = "*"  # means the shared library in place of a slug: no slug contains it
NAMED = "X-School"


class WhichSchool(BadRequest):
    """The person has the role in several schools and must say which one is meant."""

    def __init__(self, schools: Sequence[Tenant | None]) -> None:
        super().__init__(
            f"Say which school you act for. Send the header {NAMED}: {schools_in_words(schools)}."
        )
        self.schools = schools


def memberships_of(user: Any, *roles: Role) -> QuerySet[Membership]:
    """The memberships of a user who may sign in, with these roles or with any."""
    rows = Membership.objects.filter(user=user.pk, role__in=roles or Role.values)
    return rows if user.is_authenticated and user.is_active else rows.none()


_READ_ONCE: ContextVar[dict[Any, list[Membership]] | None] = ContextVar("memberships", default=None)


@contextmanager
def memberships_read_once() -> Iterator[None]:
    """Within it, a user's memberships are read once: a page of the admin asks for them some thirty times. A change of a
    membership is seen at once."""
    token = _READ_ONCE.set({})
    try:
        yield
    finally:
        _READ_ONCE.reset(token)


def _forget(**_: Any) -> None:
    if (read := _READ_ONCE.get()) is not None:
        read.clear()


post_save.connect(_forget, sender=Membership, dispatch_uid="memberships_saved")
post_delete.connect(_forget, sender=Membership, dispatch_uid="memberships_deleted")


def read_memberships(user: Any, *roles: Role) -> list[Membership]:
    """The rows of `memberships_of` with their schools, by slug."""
    read = _READ_ONCE.get()
    rows = None if read is None else read.get(user.pk)
    if rows is None:
        rows = list(memberships_of(user).select_related("tenant").order_by("tenant__slug"))
        if read is not None:
            read[user.pk] = rows
    return [row for row in rows if not roles or row.role in roles]


def schools_of(user: Any, *roles: Role) -> list[Tenant | None]:
    """The schools in which the user has one of the roles, by slug. None is the shared library, for which a superuser
    without such a membership acts."""
    found = list(dict.fromkeys(row.tenant for row in read_memberships(user, *roles)))
    return found or ([None] if user.is_superuser and user.is_active else [])


def slug_of(school: Tenant | None) -> str:
    return school.slug if school else SHARED


def schools_in_words(schools: Iterable[Tenant | None]) -> str:
    return " or ".join(f"{slug_of(school)} ({school or 'the shared library'})" for school in schools)


def acts_for(user: Any, *roles: Role, field: str = "tenant") -> Q:
    """A condition for rows of the schools in which the user has one of the roles; `field` leads to a row's school.

    A role in one school is no role in another, nor for the shared library, which all schools read.
    """
    if user.is_superuser:
        return Q()
    schools = {row.tenant_id for row in read_memberships(user, *roles)}
    own = Q(**{f"{field}__in": schools - {None}})
    return own | Q(**{f"{field}__isnull": True}) if None in schools else own


def paying_school_id(user: Any) -> int | None:
    """The school whose budget pays for a user's requests; of several always the same one, None if there is none."""
    schools = memberships_of(user).filter(tenant__isnull=False).order_by("tenant")
    return schools.values_list("tenant", flat=True).first()


def may_act_for(user: Any, role: Role, tenant_id: int | None) -> bool:
    """Whether the user has the role in this school; None is the shared library."""
    if user.is_superuser:
        return True
    return any(row.tenant_id == tenant_id for row in read_memberships(user, role))


def schools_named(request: HttpRequest, *roles: Role) -> list[Tenant | None]:
    """The schools in which the user has one of the roles, or the one that the header X-School names. Raises
    PermissionDenied if there is none."""
    held = schools_of(request.user, *roles)
    if not held:
        raise PermissionDenied(f"Only {'s and '.join(roles)}s may do this.")
    return [_school_named_by(request, held)] if request.headers.get(NAMED) else held


def school_for(request: HttpRequest, *roles: Role) -> Tenant | None:
    """The school that a request acts for, in which its user has one of the roles; None is the shared library. The
    header X-School names it, else the session does, else it is the only one.

    Raises PermissionDenied if there is none, and WhichSchool if several are left.
    """
    return _choose_school(request, schools_named(request, *roles))


def school_read_by(request: HttpRequest, *roles: Role) -> Tenant | None:
    """The school whose rows a request reads beside the shared library's; None means the shared library alone. It is one
    in which the user has one of `roles`, else one in which they have any. Raises as `school_for`. Whoever chose the
    shared library reads that alone."""
    rows = read_memberships(request.user)
    own = [row.tenant for row in rows if row.tenant and row.role in roles]
    own = list(dict.fromkeys(own or [row.tenant for row in rows if row.tenant]))
    if request.headers.get(NAMED):
        return _school_named_by(request, [*own, None])
    if chosen_school(request) == SHARED:
        return None
    return _choose_school(request, own) if own else None


def school_id_read_by(request: HttpRequest, *roles: Role) -> int | None:
    school = school_read_by(request, *roles)
    return school.pk if school else None


def chosen_school(request: HttpRequest) -> str:
    """The slug of the school that the user chose to act for and still belongs to; empty if none is chosen."""
    chosen: str = getattr(request, "session", {}).get(SCHOOL, "")
    held = {slug_of(row.tenant) for row in read_memberships(request.user)} if chosen else ()
    return chosen if chosen in held else ""


def act_for(request: HttpRequest, school: Tenant | None) -> None:
    """Let the pages act for this school from now on, and when its member signs in again."""
    request.session[SCHOOL] = slug_of(school)
    Membership.objects.filter(user=request.user.pk, tenant=school).update(chosen_at=timezone.now())


def _start_session(request: HttpRequest, user: Any, **_: Any) -> None:
    """Act for the school chosen last; at first for the shared library, unless the user is a student of a school."""
    held = read_memberships(user)
    chosen = [(row.chosen_at, slug_of(row.tenant)) for row in held if row.chosen_at]
    studies = any(row.tenant and row.role == Role.STUDENT for row in held)
    if chosen:
        request.session[SCHOOL] = max(chosen)[1]
    elif any(row.tenant is None for row in held) and not studies:
        request.session[SCHOOL] = SHARED


user_logged_in.connect(_start_session, dispatch_uid="school_chosen_last")


def _choose_school(request: HttpRequest, held: Sequence[Tenant | None]) -> Tenant | None:
    if len(held) == 1:
        return held[0]
    chosen = chosen_school(request)
    for school in held:
        if slug_of(school) == chosen:
            return school
    raise WhichSchool(held)


def _school_named_by(request: HttpRequest, held: Sequence[Tenant | None]) -> Tenant | None:
    name = request.headers[NAMED]
    if request.user.is_superuser:
        held = [None, *Tenant.objects.filter(slug=name)]
    for school in held:
        if slug_of(school) == name:
            return school
    raise PermissionDenied(f"You may not do this for the school {name!r}, only for {schools_in_words(held)}.")
