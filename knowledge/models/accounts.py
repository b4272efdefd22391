"""How people get in: sessions by user, invitations to a school, and API keys. Secrets are stored as digests only."""

from importlib import import_module

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models

from .tenancy import Role, Tenant


class UserSession(AbstractBaseSession):
    """A session with its user, so that all sessions of one user can be ended."""

    user_id = models.BigIntegerField(null=True, db_index=True)

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        store: type[SessionBase] = import_module(settings.SESSION_ENGINE).SessionStore
        return store


class Invitation(models.Model):
    """The link of an invitation works once, until `expires_at`. A tenant that is null is the shared library."""

    tenant = models.ForeignKey(
        Tenant, on_delete=models.CASCADE, null=True, blank=True, related_name="invitations"
    )
    role = models.CharField(max_length=10, choices=Role.choices)
    name = models.CharField(max_length=150, blank=True)
    email = models.EmailField(blank=True)
    digest = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.name or self.email or "somebody"


class MailState(models.TextChoices):
    """`UNSURE` is a mail that the mail server may have taken. `WAITING` without a next try is given up."""

    WAITING = "waiting"
    SENDING = "sending"
    MAILED = "mailed"
    PRINTED = "printed"
    REFUSED = "refused"
    UNSURE = "unsure"


class InvitationMail(models.Model):
    """The mail of an invitation, and what became of it. It has a link of its own, since that of the page is not
    stored. `due_at` is the next try, empty if there is none."""

    invitation = models.OneToOneField(
        Invitation, on_delete=models.CASCADE, primary_key=True, related_name="mail"
    )
    site = models.CharField(max_length=300)  # before the path of the link: "https://oral.example.org"
    digest = models.CharField(max_length=64, unique=True, null=True)
    due_at = models.DateTimeField(null=True, db_index=True)
    tries = models.PositiveSmallIntegerField(default=0)
    state = models.CharField(max_length=10, choices=MailState.choices, default=MailState.WAITING)
    sent_at = models.DateTimeField(null=True)
    trouble = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"mail to {self.invitation.email}"


class ApiKey(models.Model):
    """A key by which a program signs in as its user. The key itself is shown once and not stored."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_keys")
    name = models.CharField(max_length=60)
    prefix = models.CharField(max_length=8)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"
