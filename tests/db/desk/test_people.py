"""Operators invite, change and remove the people of their own school, by pages that work for a new account at once."""

import json
import re
from io import StringIO
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from desk.accounts.invitation_mails import mail_invitations
from desk.views.people.invitations import people_in
from exams.exchange.session import end_exams_of_leavers
from exams.models import Exam, ExamStatus
from exams.tasks import sweep_answers
from knowledge.access.membership import invite, join_school
from knowledge.models import Invitation, InvitationMail, Membership, Tenant
from knowledge.models.tenancy import Role
from tests.doubles.demo_library import Demo
from tests.doubles.library import make_tenant
from tests.doubles.rooms import new_exam
from tests.doubles.schools import Schools
from tests.sampling import sample_of

pytestmark = pytest.mark.django_db
PEOPLE = "/operations/people/"
NEW = {
    "username": "rita",
    "email": "r@example.org",
    "password1": "right enough 1",
    "password2": "right enough 1",
}


def link_in(answer: Any) -> str:
    (link,) = set(re.findall(r"http://testserver(/accounts/invitation/[\w-]+/)", answer.content.decode()))
    return str(link)


def invited(client: Client, **given: str) -> Any:
    return client.post(f"{PEOPLE}invite/", {"people": "Rita", "role": "reviewer", **given})


def membership(schools: Schools, name: str) -> Membership:
    return Membership.objects.get(user=schools.people[name], tenant__isnull=False)


# --- invited and joined ---


def test_from_the_invitation_to_the_queue(schools: Schools) -> None:
    link = link_in(invited(schools.client("operator-of-first"), people="Rita <rita@example.org>"))
    assert not mail.outbox
    mail_invitations()
    assert mail.outbox[0].to == ["rita@example.org"]
    guest = Client()
    page = guest.get(link).content.decode()
    assert "operator-of-first invites you" in page
    assert "rita@example.org" in page
    assert guest.post(link, NEW).status_code == 302
    assert guest.get("/admin/curation/claim/queue/").status_code == 200
    assert list(Membership.objects.filter(user__username="rita").values_list("tenant__slug", "role")) == [
        ("first", "reviewer")
    ]
    again = Client().post(link, {**NEW, "username": "eve"})
    assert (again.status_code, "has been used" in again.content.decode()) == (410, True)
    assert not User.objects.filter(username="eve").exists()


def test_somebody_with_an_account_joins_with_it(schools: Schools) -> None:
    link = link_in(invited(schools.client("operator-of-first")))
    client = schools.client("student-of-second")
    assert "Join as student-of-second" in client.get(link).content.decode()
    assert not Membership.objects.filter(
        user=schools.people["student-of-second"], tenant=schools.first
    ).exists()
    joined = client.post(link, follow=True)
    assert "Welcome to First. Your role there: reviewer." in joined.content.decode()
    held = Membership.objects.filter(user=schools.people["student-of-second"]).values_list(
        "tenant__slug", "role"
    )
    assert set(held) == {("first", "reviewer"), ("second", "student")}


@pytest.mark.long
def test_a_member_who_opens_a_link_does_not_use_it_up(schools: Schools) -> None:
    link = link_in(invited(schools.client("operator-of-first")))
    assert "joined already" in schools.client("reviewer-of-first").post(link).content.decode()
    assert Client().get(link).status_code == 200


@pytest.mark.long
def test_sign_in_leads_back_to_the_invitation_and_nowhere_else(schools: Schools) -> None:
    link = link_in(invited(schools.client("operator-of-first")))
    assert f"/accounts/login/?next={link}" in Client().get(link).content.decode()
    form = {"username": "stranger", "password": "x", "next": "https://evil.example.org/"}
    assert Client().post("/accounts/login/", form)["Location"] == "/"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"people": " \n "}, "Enter a name or an e-mail address"),
        ({"people": ", ;"}, "Enter a name or an e-mail address"),
        ({"people": "rita@nowhere"}, "Enter a valid email address"),
        ({"people": "x" * 151}, "A name has at most 150 characters"),
        (
            {"people": "\n".join(f"student {n}" for n in range(51))},
            "At most 50 people can be invited at once",
        ),
        ({"role": "pilot"}, "Select a valid choice"),
    ],
)
def test_an_invitation_of_nobody_is_refused(schools: Schools, given: dict[str, str], told: str) -> None:
    answer = invited(schools.client("operator-of-first"), **given)
    assert (answer.status_code, told in answer.content.decode()) == (400, True)
    assert not Invitation.objects.exists()
    assert not mail.outbox


@pytest.mark.long
def test_a_list_is_invited_at_once_with_a_result_for_each(schools: Schools) -> None:
    User.objects.filter(username="reviewer-of-first").update(email="there@example.org")
    people = (
        "Rita Reyes <rita@example.org>\n\nAmelia\nrita@nowhere\nthere@example.org\n"
        "a@example.org, Bessie b@example.org;\nA@example.org"
    )
    client = schools.client("operator-of-first")
    answer = invited(client, people=people)
    results = {one.person.line: one for one in answer.context["results"]}
    assert [bool(one.link) for one in results.values()] == [True, True, False, False, True, True]
    assert "Enter a valid email address" in results["rita@nowhere"].told
    assert "already" in results["there@example.org"].told
    assert results["Bessie b@example.org"].person.name == "Bessie"
    assert results["Amelia"].told == "Send them this link:"
    mail_invitations()
    assert [one.to for one in mail.outbox] == [[f"{one}@example.org"] for one in ("rita", "a", "b")]
    assert all(one.link in answer.content.decode() for one in results.values() if one.link)
    assert answer.context["form"].initial["people"] == "rita@nowhere\nthere@example.org"
    assert set(Invitation.objects.values_list("role", flat=True)) == {"reviewer"}
    assert Invitation.objects.filter(tenant=schools.first).count() == 4


@pytest.mark.long
def test_an_invitation_does_not_tell_whether_somebody_has_an_account(schools: Schools) -> None:
    User.objects.filter(username="student-of-second").update(email="known@example.org")
    client = schools.client("operator-of-first")
    pages = []
    for one in ("known", "nobody"):
        page = invited(client, people=f"{one}@example.org").content.decode()
        pages.append(
            re.sub(rf"{one}|value=.\d+.|withdraw-\d+|invitation/[\w-]+|name=.csrf\S+ value=\S+", "", page)
        )
        Invitation.objects.all().delete()
    assert pages[0] == pages[1]


def test_an_invitation_is_withdrawn(schools: Schools) -> None:
    client = schools.client("operator-of-first")
    link = link_in(invited(client))
    row = Invitation.objects.get()
    assert (
        schools.client("operator-of-second").post(f"{PEOPLE}withdraw/", {"invitation": row.pk}).status_code
        == 302
    )
    assert Client().get(link).status_code == 200
    assert (
        "is withdrawn"
        in client.post(f"{PEOPLE}withdraw/", {"invitation": row.pk}, follow=True).content.decode()
    )
    gone = Client().get(link)
    assert (gone.status_code, "was withdrawn" in gone.content.decode()) == (410, True)
    told = client.post(f"{PEOPLE}withdraw/", {"invitation": row.pk}, follow=True)
    assert "withdrawn or used before" in told.content.decode()


# --- one school sees nothing of another ---


@pytest.mark.parametrize("visitor", ["student-of-first", "reviewer-of-first", "stranger"])
def test_only_operators_open_the_page(schools: Schools, visitor: str) -> None:
    client = schools.client(visitor)
    assert client.get(PEOPLE).status_code == 403
    assert client.get(f"{PEOPLE}invitations/").status_code == 403
    assert invited(client, school="first").status_code == 403
    assert client.post("/operations/schools/", {"name": "Mine"}).status_code == 403


def test_an_operator_sees_and_changes_the_own_school_only(schools: Schools) -> None:
    client = schools.client("operator-of-first")
    invite(schools.second, Role.STUDENT, name="Secret of second")
    page = client.get(PEOPLE).content.decode()
    assert "student-of-first" in page
    assert "-of-second" not in page
    assert "Second" not in page
    assert "Secret" not in page
    assert client.get(f"{PEOPLE}?school=second").status_code == 403
    assert client.get(f"{PEOPLE}?school=*").status_code == 403
    assert "Secret" not in client.get(f"{PEOPLE}invitations/").content.decode()
    assert client.get(f"{PEOPLE}invitations/?school=second").status_code == 403
    assert invited(client, school="second").status_code == 403
    theirs = membership(schools, "student-of-second")
    for form in ({"remove": "1"}, {"role": "operator"}):
        assert client.post(f"{PEOPLE}change/", {"member": theirs.pk, **form}).status_code == 404
    assert client.post("/operations/schools/", {"name": "Third"}).status_code == 403
    theirs.refresh_from_db()
    assert theirs.role == "student"


def test_a_member_gets_another_role_and_is_removed(schools: Schools) -> None:
    client, away = schools.client("operator-of-first"), schools.client("student-of-first")
    row = membership(schools, "student-of-first")
    client.post(f"{PEOPLE}change/", {"member": row.pk, "role": "reviewer"})
    row = membership(schools, "student-of-first")
    assert row.role == "reviewer"
    told = client.post(f"{PEOPLE}change/", {"member": row.pk, "remove": "1"}, follow=True).content.decode()
    assert "student-of-first is removed from First" in told
    assert away.get("/exams/").status_code == 302
    assert client.post(f"{PEOPLE}change/", {"member": row.pk, "remove": "1"}).status_code == 404


def test_open_exams_of_the_school_end_with_the_membership(demo: Demo, client: Client) -> None:
    school = make_tenant("first")
    join_school(demo.student, school, Role.STUDENT)
    there, elsewhere = new_exam(demo.student), new_exam(demo.student)
    Exam.objects.filter(pk=there.pk).update(tenant=school)
    client.force_login(demo.student)
    assert client.post("/accounts/leave/", {"school": "first"}).status_code == 302
    states = dict(Exam.objects.values_list("pk", "status"))
    assert (states[there.pk], states[elsewhere.pk]) == (ExamStatus.LEFT, ExamStatus.ACTIVE)
    client.force_login(demo.student)
    report = client.get(f"/exams/{there.pk}/report/").content.decode()
    assert "you are no longer a member of First" in report


@pytest.mark.long
def test_a_membership_that_went_by_another_way_ends_its_exams_with_the_next_sweep(demo: Demo) -> None:
    school = make_tenant("first")
    join_school(demo.student, school, Role.STUDENT)
    exam, elsewhere = new_exam(demo.student), new_exam(demo.student)
    Exam.objects.filter(pk=exam.pk).update(tenant=school)
    sweep_answers()
    assert Exam.objects.filter(status=ExamStatus.ACTIVE).count() == 2
    Membership.objects.filter(tenant=school).delete()  # as in the admin
    sweep_answers()
    states = dict(Exam.objects.values_list("pk", "status"))
    assert (states[exam.pk], states[elsewhere.pk]) == (ExamStatus.LEFT, ExamStatus.ACTIVE)
    assert end_exams_of_leavers() == 0


def test_the_only_operator_stays(schools: Schools) -> None:
    row = membership(schools, "operator-of-second")
    Membership.objects.filter(tenant=schools.second, role="operator").exclude(pk=row.pk).delete()
    client = schools.client("operator-of-second")
    told = client.post(f"{PEOPLE}change/", {"member": row.pk, "remove": "1"}, follow=True).content.decode()
    assert "is the only operator of Second" in told
    left = client.post("/accounts/leave/", {"school": "second"})
    assert (left.status_code, "is the only operator" in left.content.decode()) == (400, True)


def test_a_member_leaves_by_the_account_page(schools: Schools) -> None:
    client = schools.client("both")
    assert "First: operator" in client.get("/accounts/").content.decode()
    left = client.post("/accounts/leave/", {"school": "second"}, follow=True)
    assert "You have left Second" in left.content.decode()
    assert list(
        Membership.objects.filter(user=schools.people["both"]).values_list("tenant__slug", flat=True)
    ) == ["first"]
    assert schools.client("both").post("/accounts/leave/", {"school": "second"}).status_code == 400


@pytest.mark.long
def test_the_page_costs_the_same_for_many(
    schools: Schools, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    users = User.objects.bulk_create(User(username=f"student {n}") for n in range(60))
    for user in users:
        join_school(user, schools.first, Role.STUDENT)
        invite(schools.first, Role.STUDENT, name=user.username, by=schools.people["both"])
    InvitationMail.objects.bulk_create(InvitationMail(invitation=one) for one in Invitation.objects.all())
    client = schools.client("operator-of-first")
    with django_assert_max_num_queries(6):
        assert "student 59" in client.get(PEOPLE).content.decode()


# --- schools ---


def test_the_operator_of_the_library_adds_a_school_and_operates_it(schools: Schools) -> None:
    client = schools.client("operator-of-shared")
    told = client.post("/operations/schools/", {"name": "Blue Sky"}, follow=True).content.decode()
    assert "Blue Sky is added" in told
    assert "People of Blue Sky" in told
    twice = client.post("/operations/schools/", {"name": "blue sky"})
    assert (twice.status_code, "already" in twice.content.decode()) == (400, True)
    assert Tenant.objects.filter(slug="blue-sky").count() == 1
    assert client.get(f"{PEOPLE}?school=first").status_code == 403


# --- the command ---


def tenant(*arguments: str) -> Any:
    said = StringIO()
    call_command("tenant", *arguments, "--json", stdout=said)
    return json.loads(said.getvalue())


@pytest.mark.long
def test_the_command_adds_and_invites(schools: Schools) -> None:
    assert tenant("add", "blue-sky")["name"] == "Blue Sky"
    member = tenant("invite", "blue-sky", "stranger", "operator")
    assert member["members"] == [{"user": "stranger", "role": "operator"}]
    assert (member["joined"], member["link"]) == (True, None)
    assert tenant("invite", "blue-sky", "stranger", "operator")["joined"] is False
    given = tenant(
        "invite", "blue-sky", "new@example.org", "student", "--address", "https://oral.example.org/"
    )
    assert given["invitations"][0]["email"] == "new@example.org"
    link = urlsplit(given["link"])
    assert link.netloc == "oral.example.org"
    assert Client().post(link.path, NEW).status_code == 302
    assert Membership.objects.get(user__username="rita").tenant.slug == "blue-sky"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "arguments",
    sample_of(
        [
            ("add", "first"),
            ("add", "no slug"),
            ("invite", "nowhere", "stranger", "student"),
            ("invite", "", "stranger", "student"),
            ("invite", "first", "stranger", "pilot"),
            ("invite", "first", "twice@example.org", "student"),
            ("invite", "first"),
            ("add", "third", "stranger"),
            ("remove", "first"),
            (),
        ],
        3,
    ),
)
def test_a_wrong_argument_is_status_2(schools: Schools, arguments: tuple[str, ...]) -> None:
    User.objects.filter(username__in=["stranger", "both"]).update(email="twice@example.org")
    with pytest.raises(CommandError) as refused:
        call_command("tenant", *arguments)
    assert refused.value.returncode == 2
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("typed", "people"),
    [
        ("o'neill@school.org", [("", "o'neill@school.org")]),
        ("Sean O'Brien <sean.o'brien@school.org>", [("Sean O'Brien", "sean.o'brien@school.org")]),
        ("'Olga' <o@x.org>", [("Olga", "o@x.org")]),
        ("Smith, Anna <a@x.org>", [("Smith Anna", "a@x.org")]),
        ("a@x.org Anna, b@x.org Bob", [("Anna", "a@x.org"), ("Bob", "b@x.org")]),
        ("Anna, a@x.org; Bob, b@x.org", [("Anna", "a@x.org"), ("Bob", "b@x.org")]),
        ("a@x.org Anna b@x.org Bob", [("Anna Bob", "a@x.org b@x.org")]),  # unclear: refused as an address
    ],
)
def test_who_is_named_in_a_line(typed: str, people: list[tuple[str, str]]) -> None:
    assert [(one.name, one.email) for one in people_in(typed)] == people


def test_an_address_longer_than_the_column_is_refused(schools: Schools) -> None:
    local = "a" * 60
    address = f"{local}@{'.'.join(['b' * 60] * 4)}.org"
    answer = schools.client("operator-of-first").post(
        f"{PEOPLE}invite/", {"people": address, "role": "reviewer"}
    )
    assert "254" in answer.content.decode()
    assert not Invitation.objects.exists()
