"""Invitations and password resets go out by SMTP; a mail server that refuses is reported."""

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from celery import current_app
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.mail.backends.smtp import EmailBackend
from django.test import Client
from django.utils import timezone
from kombu.exceptions import OperationalError

from desk.accounts.invitation_mails import mail_invitations
from desk.conf import MAIL_CLAIMED
from desk.tasks import send_invitations
from desk.views.health import BEAT_KEY
from heydpe.env import MailServer
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


def told(schools: Schools) -> dict[str, str]:
    """What the page says of each mail that is not withdrawn."""
    page = unescape(schools.client("operator-of-first").get(NOW).content.decode())
    rows = re.findall(r"<strong>(.*?)</strong>.*?</span>\s*(.*?)</span>\s*<button", page, re.DOTALL)
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
    people = [f"{name}@example.org" for name in ("a", "b", "c")]
    invited(schools, *people)
    mail_invitations()
    for said in told(schools).values():
        assert said.startswith("waiting Not mailed yet: the mail server cannot be reached (")
    later = InvitationMail.objects.filter(due_at__gt=timezone.now()).order_by("due_at")
    assert [mail.invitation.email[0] for mail in later][-1] == "a"  # it may be this mail's own fault
    settings.EMAIL_PORT = box.port
    pass_time()
    mail_invitations()
    assert ({mail["To"] for mail in box.mails}, box.connections) == (set(people), 1)
    assert all(said.startswith("mailed") for said in told(schools).values())


def test_waits_between_tries_grow_to_an_hour(schools: Schools, box: MailBox, settings: LazySettings) -> None:
    settings.EMAIL_PORT = 1
    invited(schools, "a@example.org", "b@example.org")
    minutes = []
    for age in (timedelta(0), timedelta(minutes=10), timedelta(days=1)):
        Invitation.objects.update(created_at=timezone.now() - age)
        pass_time()
        mail_invitations()
        waits = [
            due - timezone.now() for due in InvitationMail.objects.values_list("due_at", flat=True) if due
        ]
        minutes.append(round(min(waits) / timedelta(minutes=1)))
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


def test_without_a_worker_the_page_says_so(schools: Schools, box: MailBox) -> None:
    invited(schools, "rita@example.org")
    cache.set(BEAT_KEY, 0)
    page = schools.client("operator-of-first").get(NOW).content.decode()
    assert "No worker is running. The mails are sent when one starts." in page
    cache.set(BEAT_KEY, time.time())
    assert "No worker" not in schools.client("operator-of-first").get(NOW).content.decode()


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
