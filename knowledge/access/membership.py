"""Change schools and their people: add a school, invite, join, change a role, leave.

A school always keeps an operator. Who may do it is decided by the caller; every refusal is a sentence to show.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import IntegrityError, connection, transaction
from django.db.models import Q
from django.utils import timezone

from knowledge.access.secrets import digest_of, new_secret
from knowledge.access.sessions import end_sessions
from knowledge.conf import INVITATION_DAYS, INVITED_TWICE_SECONDS
from knowledge.models import Membership, Tenant
from knowledge.models.accounts import Invitation, MailState
from knowledge.models.tenancy import Role

_LOCK = 4_806_216  # of those who invite: a number that nothing else here locks


class MembershipRefused(ValueError):
    """It cannot be done; the message says why and what to do."""


def add_school(slug: str, name: str, by: Any = None) -> Tenant:
    """A new school, whose first operator is `by`. Raises MembershipRefused for a slug or a name that is taken."""
    slug, name = slug.strip().lower(), " ".join(name.split())
    try:
        validate_slug(slug)
        school = Tenant(slug=slug, name=name)
        school.clean_fields()
    except ValidationError as error:
        raise MembershipRefused(
            f"{slug!r} is no short name of a school: use letters, digits and hyphens, 63 at most, and a name of 200"
            " characters at most."
        ) from error
    if named := Tenant.objects.filter(name__iexact=name).first():
        raise MembershipRefused(f"There is a school named {named} already. Give this one another name.")
    try:
        with transaction.atomic():
            school.save(force_insert=True)
    except IntegrityError as error:
        raise MembershipRefused(
            f"There is a school with the short name “{slug}” already. Choose another one."
        ) from error
    if by is not None:
        Membership.objects.create(user=by, tenant=school, role=Role.OPERATOR)
        if by.is_superuser:  # who else would lose the shared library to the first school
            Membership.objects.get_or_create(user=by, tenant=None, role=Role.OPERATOR)
    return school


def invite(
    school: Tenant | None, role: str, *, name: str = "", email: str = "", by: Any = None
) -> tuple[Invitation, str]:
    """A new invitation, and the secret of its link, which cannot be read again. An earlier open invitation of the same
    person to the same role is replaced; one of the same click gets the new link and keeps its mail. Raises
    MembershipRefused if a member has this address and role, and for an instructor of the shared library."""
    _keep_instructors_at_schools(school, role)
    members = Membership.objects.filter(tenant=school, role=role)
    if email and members.filter(user__email__iexact=email).exists():
        article = "an" if role[0] in "aeiou" else "a"
        raise MembershipRefused(f"{email} is {article} {role} of {school_in_words(school)} already.")
    secret, now = new_secret(), timezone.now()
    same = Invitation.objects.filter(tenant=school, role=role, name=name, email__iexact=email, used_at=None)
    with transaction.atomic():
        # Of two clicks at once, the second finds the invitation of the first.
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        clicked = same.filter(
            created_by=by, created_at__gt=now - timedelta(seconds=INVITED_TWICE_SECONDS)
        ).exclude(mail__state__in=(MailState.REFUSED, MailState.UNSURE))
        if invitation := clicked.first():
            invitation.digest = digest_of(secret)
            invitation.save(update_fields=["digest"])
            return invitation, secret
        same.delete()
        invitation = Invitation.objects.create(
            tenant=school,
            role=role,
            name=name,
            email=email,
            digest=digest_of(secret),
            created_by=by,
            expires_at=now + timedelta(days=INVITATION_DAYS),
        )
    return invitation, secret


def find_invitation(secret: str, now: datetime, *, lock: bool = False) -> Invitation:
    """The invitation of a link that still works, the one on the page or the one in the mail. Raises
    MembershipRefused."""
    rows = Invitation.objects.select_related("tenant", "created_by")
    rows = rows.select_for_update(of=("self",)) if lock else rows
    digest = digest_of(secret)
    found = rows.filter(Q(digest=digest) | Q(mail__digest=digest)).first()
    if found is None:
        raise MembershipRefused("This invitation is not known: the link is incomplete, or it was withdrawn.")
    if found.used_at:
        raise MembershipRefused("This invitation has been used. Sign in, or ask for a new one.")
    if found.expires_at <= now:
        raise MembershipRefused(
            f"This invitation expired on {found.expires_at:%B %-d, %Y}. Ask for a new one."
        )
    return found


@contextmanager
def accepted_invitation(secret: str, now: datetime) -> Iterator[Invitation]:
    """Within it the invitation is locked, so that its link works once: set `used_by`, and that user joins the school.
    Raises MembershipRefused."""
    with transaction.atomic():
        invitation = find_invitation(secret, now, lock=True)
        yield invitation
        join_school(invitation.used_by, invitation.tenant, invitation.role)
        invitation.used_at = now
        invitation.save(update_fields=["used_at", "used_by"])


def join_school(user: Any, school: Tenant | None, role: str) -> bool:
    """Returns whether the membership is new. Raises MembershipRefused for an instructor of the shared library."""
    _keep_instructors_at_schools(school, role)
    return Membership.objects.get_or_create(user=user, tenant=school, role=role)[1]


@transaction.atomic
def change_role(member: Membership, role: str) -> None:
    """Raises MembershipRefused for the last operator, and for an instructor of the shared library."""
    if role not in Role.values:
        raise MembershipRefused(f"There is no role {role!r}. There is: {', '.join(Role.values)}.")
    if role == member.role:
        return
    if member.role == Role.OPERATOR:
        _keep_an_operator(member.tenant, member.user)
    join_school(member.user, member.tenant, role)
    member.delete()


@transaction.atomic
def remove_member(school: Tenant | None, user: Any) -> None:
    """The user leaves the school with all roles and is signed out everywhere. Account and records stay. Raises
    MembershipRefused for the last operator."""
    _keep_an_operator(school, user)
    Membership.objects.filter(tenant=school, user=user).delete()
    end_sessions(user)


def _keep_an_operator(school: Tenant | None, leaving: Any) -> None:
    """Raises MembershipRefused if nobody else operates the school. The school's operators are locked: of two who leave
    at once, one stays."""
    rows = Membership.objects.select_for_update().filter(tenant=school, role=Role.OPERATOR)
    operators = [row.user_id for row in rows.order_by("pk")]
    if operators == [leaving.pk]:
        raise MembershipRefused(
            f"{leaving.get_username()} is the only operator of {school_in_words(school)}. First invite another one, or"
            " make somebody else operator."
        )


def _keep_instructors_at_schools(school: Tenant | None, role: str) -> None:
    if school is None and role == Role.INSTRUCTOR:
        raise MembershipRefused("An instructor belongs to a school: the shared library has no students.")


def school_in_words(school: Tenant | None) -> str:
    return str(school) if school else "the shared library"
