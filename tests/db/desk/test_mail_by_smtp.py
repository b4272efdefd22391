"""Invitations and password resets go out by SMTP; a mail server that refuses is reported."""

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from html import unescape
from types import SimpleNamespace
from typing import Any

import pytest
from celery import current_app
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.mail.backends.smtp import EmailBackend
from django.db import connection
from django.test import Client
from django.utils import timezone
from kombu.exceptions import OperationalError
from redis.exceptions import ConnectionError as RedisAway

from desk.accounts.invitation_mails import mail_invitations
from desk.conf import MAIL_CLAIMED, MAIL_TRIES_MOST
from desk.tasks import send_invitations
from desk.views.health import BEAT_KEY
from heydpe.env import MailServer
from knowledge.access.membership import invite
from knowledge.models import Invitation, InvitationMail
from tests.doubles.mail_server import MailBox, mail_server
from tests.doubles.schools import Schools
from tests.doubles.waiting_tasks import work_off

pytestmark = pytest.mark.django_db
INVITE, NOW, WITHDRAW = (f"/operations/people/{page}/" for page in ("invite", "invitations", "withdraw"))
LINK = r"http://testserver(/accounts/invitation/[\w-]+/)"
RITA = {"people": "Rita <rita@example.org>", "role": "reviewer"}


@pytest.fixture
def box(settings: LazySettings) -> Iterator[MailBox]:
    with mail_server() as box:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", box.port
        server = MailServer("smtp", "127.0.0.1", box.port, "", "")
        settings.ENV = replace(settings.ENV, mail_server=server)
        yield box


def invited(schools: Schools, *people: str) -> None:
    form = {"people": "\n".join(people), "role": "student"}
    assert schools.client("operator-of-first").post(INVITE, form).status_code == 200


def page_of(schools: Schools) -> str:
    return unescape(schools.client("operator-of-first").get(NOW).content.decode())


def told(schools: Schools) -> dict[str, str]:
    """What the page says of each mail that is not withdrawn."""
    rows = re.findall(
        r"<strong>(.*?)</strong>.*?</span>\s*(.*?)</span>\s*<button", page_of(schools), re.DOTALL
    )
    return {name: " ".join(re.sub(r"<[^>]*>", " ", said).split()) for name, said in rows}


def pass_time() -> None:
    InvitationMail.objects.exclude(due_at=None).update(due_at=timezone.now())


def test_an_invitation_is_mailed_by_a_worker(schools: Schools, box: MailBox) -> None:
    work_off()
    page = schools.client("operator-of-first").post(INVITE, RITA).content.decode()
    assert box.connections == 0
    assert "on its way to rita@example.org" in page
    assert told(schools) == {"Rita": "waiting The mail is sent in a moment."}
    assert work_off() == 1
    (mail,) = box.mails
    assert (mail["To"], mail["Subject"]) == ("rita@example.org", "Invitation to First on HeyDPE")
    assert "operator-of-first invites you to HeyDPE as reviewer of First" in mail.get_content()
    assert re.fullmatch(r"mailed \w+ \d+, \d\d:\d\d UTC", told(schools)["Rita"])
    mail_invitations()
    assert len(box.mails) == 1


def test_the_link_of_the_mail_and_that_of_the_page_work_once_together(schools: Schools, box: MailBox) -> None:
    page = schools.client("operator-of-first").post(INVITE, RITA).content.decode()
    mail_invitations()
    links = [re.findall(LINK, text)[0] for text in (box.mails[0].get_content(), page)]
    assert links[0] != links[1]
    assert [Client().get(link).status_code for link in links] == [200, 200]
    assert schools.client("stranger").post(links[0]).status_code == 302
    assert [Client().get(link).status_code for link in links] == [410, 410]


def test_one_refused_mailbox_does_not_stop_the_others(schools: Schools, box: MailBox) -> None:
    box.answers = {"rita": "550 no such mailbox", "sean": "452 the mailbox is full"}
    invited(schools, "rita@example.org", "sean@example.org", "olga@example.org", "Amelia")
    mail_invitations()
    assert ([mail["To"] for mail in box.mails], box.connections) == (["olga@example.org"], 1)
    said = told(schools)
    assert said["rita@example.org"].startswith(
        "refused Not mailed: the mail server refused it: 550 no such mailbox. Check the address"
    )
    assert said["sean@example.org"].startswith(
        "waiting Not mailed yet: the mail server refused it: 452 the mailbox is full. The next try is after "
    )
    assert said["Amelia"] == ""
    box.answers = {}
    mail_invitations()
    assert len(box.mails) == 1  # it is not yet time
    pass_time()
    mail_invitations()
    assert [mail["To"] for mail in box.mails[1:]] == ["sean@example.org"]


def test_a_mail_server_that_is_away_is_asked_again_later(
    schools: Schools, box: MailBox, settings: LazySettings
) -> None:
    settings.EMAIL_PORT = 1  # nobody answers there
    invited(schools, "a@example.org", "b@example.org", "c@example.org")
    mail_invitations()
    for said in told(schools).values():
        assert said.startswith("waiting Not mailed yet: the mail server cannot be reached (")
    assert not InvitationMail.objects.filter(due_at__lte=timezone.now()).exists()
    settings.EMAIL_PORT = box.port
    pass_time()
    mail_invitations()
    assert (sorted(mail["To"][0] for mail in box.mails), box.connections) == (["a", "b", "c"], 1)
    assert all(said.startswith("mailed") for said in told(schools).values())


@pytest.mark.long
def test_a_mail_that_may_have_arrived_is_not_sent_again(
    schools: Schools, box: MailBox, settings: LazySettings
) -> None:
    assert settings.EMAIL_TIMEOUT >= 60
    assert timedelta(seconds=10 * settings.EMAIL_TIMEOUT) < MAIL_CLAIMED
    box.hangs_up = True
    invited(schools, "rita@example.org")
    mail_invitations()
    mail_invitations()
    pass_time()
    mail_invitations()
    assert len(box.mails) == 1
    assert told(schools)["rita@example.org"].startswith("unsure Perhaps mailed: the connection ended before")
    (link,) = re.findall(LINK, box.mails[0].get_content())
    assert Client().get(link).status_code == 200


def test_each_mail_of_an_invitation_holds_the_link_that_works(schools: Schools, box: MailBox) -> None:
    invited(schools, "rita@example.org")
    mail_invitations()
    InvitationMail.objects.update(
        due_at=timezone.now()
    )  # as after a worker that died before it noted the mail
    mail_invitations()
    links = {re.findall(LINK, mail.get_content())[0] for mail in box.mails}
    assert (len(box.mails), len(links)) == (2, 1)
    assert Client().get(links.pop()).status_code == 200


@pytest.mark.long
def test_a_mail_is_given_up_after_many_tries(schools: Schools, box: MailBox) -> None:
    box.answers = {"rita": "452 later"}
    invited(schools, "rita@example.org")
    InvitationMail.objects.update(tries=MAIL_TRIES_MOST - 2)
    mail_invitations()
    assert told(schools)["rita@example.org"].startswith("waiting Not mailed yet")
    pass_time()
    mail_invitations()
    assert told(schools)["rita@example.org"].startswith(
        "not mailed The last time, the mail server refused it"
    )
    box.answers = {}
    pass_time()
    mail_invitations()
    assert not box.mails


@pytest.mark.parametrize(
    ("answer", "start"),
    [
        ("550 5.1.1 no such user", "refused Not mailed: the mail server refused it"),
        ("553 not here", "refused Not mailed: the mail server refused it"),
        (
            "554 5.7.1 Relay access denied",
            "waiting Not mailed yet: the mail server refused this installation",
        ),
        ("550 5.4.5 daily limit", "waiting Not mailed yet: the mail server refused this installation"),
        ("550 5.1.8 bad sender", "waiting Not mailed yet: the mail server refused this installation"),
    ],
)
def test_only_what_concerns_the_address_is_refused_for_good(
    schools: Schools, box: MailBox, answer: str, start: str
) -> None:
    box.answers = {"rita": answer}
    invited(schools, "rita@example.org")
    mail_invitations()
    assert told(schools)["rita@example.org"].startswith(f"{start}: {answer}")


@pytest.mark.long
def test_an_address_that_cannot_be_written_stops_no_other(schools: Schools, box: MailBox) -> None:
    wrong = f"rita@{'ü' * 60}.de"
    invited(schools, wrong, "sean@example.org")
    mail_invitations()
    assert [mail["To"] for mail in box.mails] == ["sean@example.org"]
    assert told(schools)[wrong].startswith("refused Not mailed: the address cannot be used: ")


@pytest.mark.long
def test_after_a_mail_server_hung_up_the_next_mail_goes_by_a_new_connection(
    schools: Schools, box: MailBox
) -> None:
    box.answers = {"rita": "421 closing"}
    invited(schools, "rita@example.org", "sean@example.org")
    mail_invitations()
    assert ([mail["To"] for mail in box.mails], box.connections) == (["sean@example.org"], 2)
    assert "refused it: 421 closing" in told(schools)["rita@example.org"]


@pytest.mark.long
def test_waits_between_tries_grow_to_an_hour(schools: Schools, box: MailBox, settings: LazySettings) -> None:
    settings.EMAIL_PORT = 1
    invited(schools, "a@example.org")
    minutes = []
    for age in (timedelta(0), timedelta(minutes=10), timedelta(days=1)):
        Invitation.objects.update(created_at=timezone.now() - age)
        pass_time()
        mail_invitations()
        due = InvitationMail.objects.get().due_at
        assert due
        minutes.append(round((due - timezone.now()) / timedelta(minutes=1)))
    assert minutes == [1, 10, 60]


def test_the_sweep_sends_what_a_lost_message_or_a_dead_worker_left(schools: Schools, box: MailBox) -> None:
    invited(schools, "a@example.org")
    InvitationMail.objects.update(due_at=timezone.now() + MAIL_CLAIMED)  # as by a worker that died then
    send_invitations()
    assert not box.mails
    pass_time()
    assert current_app.conf.beat_schedule["mail-invitations"]["task"] == send_invitations.name
    send_invitations()
    assert len(box.mails) == 1


def test_nobody_is_mailed_who_was_withdrawn_has_joined_or_came_too_late(
    schools: Schools, box: MailBox
) -> None:
    box.answers = {"example.org": "452 later"}
    invited(schools, "a@example.org", "b@example.org", "c@example.org")
    mail_invitations()
    box.answers = {}
    pass_time()
    rows = Invitation.objects.order_by("email")
    Invitation.objects.filter(pk=rows[0].pk).update(used_at=timezone.now())
    Invitation.objects.filter(pk=rows[1].pk).update(expires_at=timezone.now())
    schools.client("operator-of-first").post(WITHDRAW, {"invitation": rows[2].pk})
    mail_invitations()
    assert not box.mails
    assert told(schools) == {
        "b@example.org": "not mailed The last time, the mail server refused it: 452 later."
    }


@pytest.mark.long
def test_nobody_is_mailed_who_joins_while_the_others_are_mailed(
    schools: Schools, box: MailBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    invited(schools, "a@example.org", "b@example.org")
    send = EmailBackend.send_messages

    def send_while_one_joins(*given: Any) -> int:
        Invitation.objects.filter(email="b@example.org").update(used_at=timezone.now())
        return send(*given)

    monkeypatch.setattr(EmailBackend, "send_messages", send_while_one_joins)
    mail_invitations()
    assert [mail["To"] for mail in box.mails] == ["a@example.org"]


@pytest.mark.long
def test_who_is_removed_while_being_invited_is_told_and_stops_no_other(
    schools: Schools, box: MailBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # as at the end of a transaction

    def invite_beside_another(*given: Any, email: str, **more: Any) -> Any:
        made = invite(*given, email=email, **more)
        if email == "a@example.org":
            Invitation.objects.filter(email=email).delete()
        return made

    monkeypatch.setattr("desk.views.people.invitations.invite", invite_beside_another)
    form = {"people": "a@example.org\nb@example.org", "role": "student"}
    page = schools.client("operator-of-first").post(INVITE, form).content.decode()
    assert "Changed at the same time: look at the open invitations." in page
    mail_invitations()
    assert [mail["To"] for mail in box.mails] == ["b@example.org"]


@pytest.mark.long
def test_the_page_keeps_whether_a_mail_was_printed(
    schools: Schools, box: MailBox, settings: LazySettings
) -> None:
    server = settings.ENV
    settings.ENV = replace(server, mail_server=None)
    invited(schools, "a@example.org")
    mail_invitations()
    settings.ENV = server
    assert told(schools)["a@example.org"].startswith("printed ")


@pytest.mark.long
def test_two_workers_send_each_mail_once(
    schools: Schools, box: MailBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    invited(schools, "a@example.org", "b@example.org")
    send = EmailBackend.send_messages

    def send_beside_another(*given: Any) -> int:
        monkeypatch.setattr(EmailBackend, "send_messages", send)
        mail_invitations()  # another worker, which takes what this one has not taken yet
        return send(*given)

    monkeypatch.setattr(EmailBackend, "send_messages", send_beside_another)
    mail_invitations()
    assert sorted(mail["To"] for mail in box.mails) == ["a@example.org", "b@example.org"]


def test_the_page_says_why_no_mail_is_sent(
    schools: Schools, box: MailBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    invited(schools, "rita@example.org")
    cache.set(BEAT_KEY, 0)
    assert 'role="status">No worker is running. The mails wait.' in page_of(schools)
    assert "hx-get" not in page_of(schools)  # a worker may be away for days
    cache.set(BEAT_KEY, time.time())
    assert "The mails wait" not in page_of(schools)

    def fail(*_: Any) -> None:
        raise RedisAway("away")

    monkeypatch.setattr("desk.views.health.cache", SimpleNamespace(get=fail))
    assert "Redis cannot be reached. The mails wait." in page_of(schools)


@pytest.mark.long
def test_the_page_asks_again_while_a_mail_is_about_to_be_sent(schools: Schools, box: MailBox) -> None:
    cache.set(BEAT_KEY, time.time())
    invited(schools, "rita@example.org")
    assert 'hx-trigger="every 3s"' in page_of(schools)
    # htmx gives the focus back to a button that has an id
    assert f'id="withdraw-{Invitation.objects.get().pk}"' in page_of(schools)
    InvitationMail.objects.update(due_at=timezone.now() + timedelta(minutes=5))
    assert "hx-get" not in page_of(schools)
    InvitationMail.objects.update(state="sending")
    assert "hx-get" in page_of(schools)


def test_where_tasks_run_at_once_the_mail_is_sent_at_once(schools: Schools, box: MailBox) -> None:
    current_app.conf.task_always_eager = True
    try:
        invited(schools, "a@example.org")
    finally:
        current_app.conf.task_always_eager = False
    assert len(box.mails) == 1


def test_a_broker_that_is_away_stops_no_invitation(
    schools: Schools, box: MailBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise OperationalError("away")

    monkeypatch.setattr(current_app, "send_task", fail)
    invited(schools, "a@example.org")
    send_invitations()
    assert len(box.mails) == 1


def test_a_reset_is_delivered_and_sets_a_password(db: None, box: MailBox) -> None:
    work_off()
    User.objects.create_user("olga", "olga@example.org", "wrong enough 1")
    Client().post("/accounts/reset/", {"email": "olga@example.org"})
    assert work_off() == 1
    (mail,) = box.mails
    (link,) = re.findall(r"http://testserver(/accounts/reset/\S+/)", mail.get_content())
    client = Client()
    form = client.get(link, follow=True).redirect_chain[-1][0]
    client.post(form, {"new_password1": "quite another 2", "new_password2": "quite another 2"})
    assert Client().login(username="olga", password="quite another 2")
