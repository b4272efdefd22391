"""Invite several people by one form: who is named in it, and what became of each."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from desk.accounts.invitation_mails import wake_for_mails
from desk.conf import INVITED_AT_ONCE, MAIL_COST
from knowledge.access.membership import MembershipRefused, invite
from knowledge.models import InvitationMail, Tenant
from knowledge.models.tenancy import Role

NAME_LONGEST, ADDRESS_LONGEST = 150, 254
NOBODY = "Enter a name or an e-mail address, so that you can tell who was invited."
MARKS = str.maketrans(dict.fromkeys('<>"()', " "))  # what stands around an address that is pasted from a mail


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody to invite, by name, address, or both; `line` is what was typed."""

    line: str
    name: str
    email: str


@dataclass(frozen=True, slots=True)
class Invited:
    """What became of one invitation, in words. Without a `link` the person is not invited."""

    person: Person
    told: str
    link: str = ""
    expires: str = ""


def people_in(text: str) -> list[Person]:
    """Each line names one person, or several by their addresses. Nobody is listed twice."""
    found: dict[str, Person] = {}
    for line in text.splitlines():
        for one in _people_of(line):
            found.setdefault((one.email or one.name).casefold(), one)
    return list(found.values())


def _people_of(line: str) -> Iterator[Person]:
    """Whoever stands between commas or semicolons, if each part has an address; else a name goes with the address that
    follows it. Names behind the last address of several make the line unclear: it is refused as a wrong address."""
    parts = [part for part in re.split("[,;]", line) if part.strip()]
    if not all("@" in part for part in parts):
        parts = [" ".join(parts)]
    for part in parts:
        words = [word.strip("'") for word in part.translate(MARKS).split()]
        addresses = [word for word in words if "@" in word]
        if len(addresses) < 2 or "@" not in words[-1]:
            name = " ".join(word for word in words if "@" not in word)
            if name or addresses:
                yield Person(part.strip(), name, " ".join(addresses))
            continue
        said: list[str] = []
        for word in words:
            if "@" in word:
                yield Person(" ".join([*said, word]), " ".join(said), word)
                said = []
            else:
                said.append(word)


def invitation_cost(request: HttpRequest) -> int:
    """Of each person, since each may get a mail."""
    return MAIL_COST * max(1, len(people_in(request.POST.get("people", ""))))


class InviteForm(forms.Form):
    people = forms.CharField(error_messages={"required": NOBODY})
    role = forms.ChoiceField(choices=Role.choices)

    def clean_people(self) -> list[Person]:
        people = people_in(self.cleaned_data["people"])
        if not people:
            raise forms.ValidationError(NOBODY)
        if len(people) > INVITED_AT_ONCE:
            raise forms.ValidationError(
                f"At most {INVITED_AT_ONCE} people can be invited at once; the list has {len(people):,}."
            )
        return people


def invite_people(
    request: HttpRequest, school: Tenant | None, role: str, people: list[Person]
) -> list[Invited]:
    """Invite each of them, and let a worker mail the links. One who cannot be invited does not stop the others."""
    results = []
    site = request.build_absolute_uri("/").removesuffix("/")
    for person in people:
        try:
            if person.email:
                validate_email(person.email)
            if len(person.name) > NAME_LONGEST or len(person.email) > ADDRESS_LONGEST:
                raise MembershipRefused(
                    f"A name has at most {NAME_LONGEST} characters, an address {ADDRESS_LONGEST}."
                )
            with transaction.atomic():
                invitation, secret = invite(
                    school, role, name=person.name, email=person.email, by=request.user
                )
                if invitation.email:
                    InvitationMail.objects.get_or_create(
                        invitation=invitation, defaults={"site": site, "due_at": timezone.now()}
                    )
        except (MembershipRefused, ValidationError) as error:
            results.append(Invited(person, " ".join(getattr(error, "messages", [str(error)]))))
            continue
        except IntegrityError:
            results.append(Invited(person, "Changed at the same time: look at the open invitations."))
            continue
        told = "Send them this link:"
        if invitation.email:
            told = f"A link is on its way to {invitation.email}. You can also send them this one:"
            if settings.ENV.mail_server is None:
                told = "No mail server is set up here. Send them this link yourself:"
        link = f"{site}{reverse('desk:invitation', args=[secret])}"
        results.append(Invited(person, told, link, f"{invitation.expires_at:%B %-d, %Y, %H:%M} UTC"))
    if any(one.link and one.person.email for one in results):
        wake_for_mails()
    return results
