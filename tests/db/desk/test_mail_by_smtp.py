"""Invitations and password resets go out by SMTP; a mail server that refuses is reported."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.test import Client

from heydpe.env import MailServer
from knowledge.models import Invitation
from tests.doubles.mail_server import MailBox, mail_server
from tests.doubles.schools import Schools
from tests.doubles.waiting_tasks import work_off

pytestmark = pytest.mark.django_db
INVITE = "/operations/people/invite/"
RITA = {"people": "Rita <rita@example.org>", "role": "reviewer"}


@pytest.fixture
def box(settings: LazySettings) -> Iterator[MailBox]:
    with mail_server() as box:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", box.port
        server = MailServer("smtp", "127.0.0.1", box.port, "", "")
        settings.ENV = replace(settings.ENV, mail_server=server)
        yield box


def test_an_invitation_is_delivered(schools: Schools, box: MailBox) -> None:
    page = schools.client("operator-of-first").post(INVITE, RITA).content.decode()
    (mail,) = box.mails
    assert mail["To"] == "rita@example.org"
    assert mail["Subject"] == "Invitation to First on HeyDPE"
    (link,) = re.findall(r"http://testserver(/accounts/invitation/[\w-]+/)", mail.get_content())
    assert link in page
    assert "mailed to rita@example.org" in page
    assert Client().get(link).status_code == 200


def test_a_mailbox_that_is_full_leaves_the_link(schools: Schools, box: MailBox) -> None:
    box.full = True
    answer = schools.client("operator-of-first").post(INVITE, RITA)
    page = answer.content.decode()
    assert (answer.status_code, box.mails) == (200, [])
    assert "could not be sent" in page
    assert "/accounts/invitation/" in page
    assert Invitation.objects.count() == 1


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


def test_one_refused_mailbox_does_not_stop_the_others(schools: Schools, box: MailBox) -> None:
    box.refused = "rita@example.org"
    people = "rita@example.org\nolga@example.org"
    page = schools.client("operator-of-first").post(INVITE, {"people": people, "role": "student"})
    assert [mail["To"] for mail in box.mails] == ["olga@example.org"]
    assert page.content.decode().count("could not be sent") == 1
