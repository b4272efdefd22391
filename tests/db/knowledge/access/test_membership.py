"""Schools keep an operator, invitations work once, and whoever is removed is signed out."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.utils import timezone

from knowledge.access.membership import (
    MembershipRefused,
    accepted_invitation,
    add_school,
    change_role,
    find_invitation,
    invite,
    join_school,
    remove_member,
)
from knowledge.access.people import schools_of
from knowledge.access.secrets import digest_of
from knowledge.conf import INVITATION_DAYS, INVITED_TWICE_SECONDS
from knowledge.models import Invitation, InvitationMail, Membership, Tenant
from knowledge.models.tenancy import Role
from tests.doubles.library import make_tenant

pytestmark = pytest.mark.django_db


def person(name: str, school: Tenant | None = None, *roles: Role) -> Any:
    user = get_user_model().objects.create_user(name, f"{name}@example.org", "right enough 1")
    for role in roles:
        join_school(user, school, role)
    return user


def accept(secret: str, user: Any) -> Invitation:
    with accepted_invitation(secret, timezone.now()) as invitation:
        invitation.used_by = user
    return invitation


def roles_of(user: Any, school: Tenant | None) -> list[str]:
    return list(Membership.objects.filter(user=user, tenant=school).values_list("role", flat=True))


# --- schools ---


def test_whoever_adds_a_school_is_its_first_operator() -> None:
    olga = person("olga", None, Role.OPERATOR)
    school = add_school("Blue-Sky", " Blue  Sky ", by=olga)
    assert (school.slug, school.name) == ("blue-sky", "Blue Sky")
    assert schools_of(olga, Role.OPERATOR) == [school, None]


def test_a_superuser_keeps_the_shared_library_beside_the_first_school() -> None:
    root = User.objects.create_superuser("root")
    school = add_school("blue-sky", "Blue Sky", by=root)
    assert schools_of(root, Role.OPERATOR) == [school, None]


@pytest.mark.parametrize(
    ("slug", "name", "told"),
    [
        ("first", "Another", "short name “first” already"),
        ("FIRST", "Another", "short name “first” already"),
        ("second", "FIRST", "named First already"),
        ("first", "first", "named First already"),
        ("a b", "X", "no short name"),
        ("*", "X", "no short name"),
        ("", "X", "no short name"),
        ("x" * 64, "X", "no short name"),
        ("x", "", "no short name"),
        ("x", "y" * 201, "no short name"),
    ],
)
def test_a_school_that_cannot_be_is_refused_in_words(slug: str, name: str, told: str) -> None:
    make_tenant("first")
    with pytest.raises(MembershipRefused, match=told.replace("*", r"\*")):
        add_school(slug, name)
    assert Tenant.objects.count() == 1


# --- invitations ---


def test_an_invitation_works_once() -> None:
    school, first, second = make_tenant(), person("first"), person("second")
    _invitation, secret = invite(school, Role.REVIEWER, name="Rita")
    accept(secret, first)
    assert roles_of(first, school) == ["reviewer"]
    with pytest.raises(MembershipRefused, match="has been used"):
        accept(secret, second)
    assert not roles_of(second, school)


def test_an_expired_an_unknown_and_a_withdrawn_one_say_so() -> None:
    invitation, secret = invite(make_tenant(), Role.STUDENT, name="Stu")
    late = timezone.now() + timedelta(days=INVITATION_DAYS, seconds=1)
    with pytest.raises(MembershipRefused, match="expired on"):
        find_invitation(secret, late)
    with pytest.raises(MembershipRefused, match="not known"):
        find_invitation(secret + "x", timezone.now())
    invitation.delete()
    with pytest.raises(MembershipRefused, match="withdrawn"):
        find_invitation(secret, timezone.now())


def test_the_secret_is_not_stored() -> None:
    _invitation, secret = invite(None, Role.STUDENT, name="Stu")
    assert secret not in str(Invitation.objects.values())
    assert len(secret) == 40


def test_a_second_invitation_of_the_same_person_replaces_the_first() -> None:
    school = make_tenant()
    _one, first = invite(school, Role.STUDENT, email="stu@example.org")
    _two, second = invite(school, Role.STUDENT, email="STU@example.org")
    with pytest.raises(MembershipRefused, match="not known"):
        find_invitation(first, timezone.now())
    assert find_invitation(second, timezone.now()).tenant == school


def test_a_member_is_not_invited_to_the_same_role() -> None:
    school = make_tenant()
    person("stu", school, Role.STUDENT)
    with pytest.raises(MembershipRefused, match=r"stu@example\.org is a student"):
        invite(school, Role.STUDENT, email="Stu@Example.org".lower())
    invite(school, Role.REVIEWER, email="stu@example.org")


@pytest.mark.django_db(transaction=True)
def test_of_two_who_open_the_link_at_once_one_joins() -> None:
    school, people = make_tenant(), [person("first"), person("second")]
    _invitation, secret = invite(school, Role.OPERATOR, name="either")
    gate = Barrier(2)

    def join(user: Any) -> bool:
        try:
            gate.wait(timeout=30)
            accept(secret, user)
        except MembershipRefused:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(join, people)) == [False, True]
    assert Membership.objects.filter(tenant=school).count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_clicks_at_once_make_one_invitation() -> None:
    school, olga = make_tenant(), person("olga")
    gate = Barrier(2)

    def click(_: int) -> str:
        try:
            gate.wait(timeout=30)
            return invite(school, Role.STUDENT, email="stu@example.org", by=olga)[1]
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        secrets = list(pool.map(click, range(2)))
    now, row = timezone.now(), Invitation.objects.get()
    works = [secret for secret in secrets if row.digest == digest_of(secret)]
    assert len(works) == 1
    assert find_invitation(works[0], now) == row


def test_a_second_click_keeps_the_mail_and_a_later_one_sends_another() -> None:
    school, olga = make_tenant(), person("olga")

    def click() -> Invitation:
        return invite(school, Role.STUDENT, email="stu@example.org", by=olga)[0]

    first = click()
    mail = InvitationMail.objects.create(invitation=first, site="https://oral.example.org")
    assert click() == first
    assert InvitationMail.objects.get() == mail
    InvitationMail.objects.update(state="refused")
    assert click() != first
    assert not InvitationMail.objects.exists()
    second = Invitation.objects.get()
    Invitation.objects.update(created_at=timezone.now() - timedelta(seconds=INVITED_TWICE_SECONDS))
    assert click() != second


# --- members ---


def test_the_last_operator_neither_leaves_nor_changes() -> None:
    school = make_tenant()
    olga = person("olga", school, Role.OPERATOR, Role.STUDENT)
    operating, learning = (Membership.objects.get(user=olga, role=role) for role in ("operator", "student"))
    with pytest.raises(MembershipRefused, match="only operator"):
        change_role(operating, Role.STUDENT)
    with pytest.raises(MembershipRefused, match="only operator"):
        remove_member(school, olga)
    change_role(learning, Role.REVIEWER)
    assert sorted(roles_of(olga, school)) == ["operator", "reviewer"]
    person("otto", school, Role.OPERATOR)
    change_role(operating, Role.STUDENT)
    remove_member(school, olga)
    assert not roles_of(olga, school)


def test_a_role_that_is_held_already_is_held_once() -> None:
    school = make_tenant()
    rita = person("rita", school, Role.REVIEWER, Role.STUDENT)
    change_role(Membership.objects.get(user=rita, role="student"), Role.REVIEWER)
    assert roles_of(rita, school) == ["reviewer"]
    with pytest.raises(MembershipRefused, match="no role 'pilot'"):
        change_role(Membership.objects.get(user=rita), "pilot")


def test_whoever_is_removed_is_signed_out_and_stays_in_other_schools() -> None:
    first, second = make_tenant("first"), make_tenant("second")
    person("olga", first, Role.OPERATOR)
    stu = person("stu", first, Role.STUDENT)
    join_school(stu, second, Role.STUDENT)
    browser, other = Client(), Client()
    browser.force_login(stu)
    other.force_login(person("other"))
    remove_member(first, stu)
    assert browser.get("/accounts/").status_code == 302
    assert other.get("/accounts/").status_code == 200
    assert roles_of(stu, second) == ["student"]


@pytest.mark.django_db(transaction=True)
def test_of_two_operators_who_leave_at_once_one_stays() -> None:
    school = make_tenant()
    people = [person(name, school, Role.OPERATOR) for name in ("olga", "otto")]
    gate = Barrier(2)

    def leave(user: Any) -> bool:
        try:
            gate.wait(timeout=30)
            remove_member(school, user)
        except MembershipRefused:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(leave, people)) == [False, True]
    assert Membership.objects.filter(tenant=school, role="operator").count() == 1
