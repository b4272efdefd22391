"""A changed password revokes the API keys and ends all sessions; the demo's password does not work without DEBUG.

Django calls `password_changed` of each password validator whenever a user is saved with a new password: by a page, the
admin, or a command. Sessions would end by themselves, since they carry a hash of the password; their rows go as well.
"""

from functools import lru_cache
from typing import Any

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.hashers import check_password

from desk.demo.accounts import ACCOUNTS
from knowledge.access.sessions import end_sessions
from knowledge.access.signed_in import revoke_keys

RESET_TASK = "desk.send_password_link"


class RevokeKeys:
    """A password validator that refuses nothing; when the password changes, it revokes API keys and ends sessions."""

    def validate(self, password: str, user: Any = None) -> None:
        pass

    def get_help_text(self) -> str:
        return ""

    def password_changed(self, password: str, user: Any = None) -> None:
        if user is not None and user.pk:
            revoke_keys(user)
            end_sessions(user)


class HouseAccounts(ModelBackend):
    """Django's accounts. Without DEBUG the demo's accounts cannot sign in while they have the demo's password, and
    their earlier sessions and tokens stop working."""

    def user_can_authenticate(self, user: Any) -> bool:
        if not super().user_can_authenticate(user):
            return False
        if settings.DEBUG or user.get_username() not in ACCOUNTS:
            return True
        return not _password_matches(settings.DEMO_PASSWORD, user.password)


@lru_cache(maxsize=64)
def _password_matches(password: str, encoded: str) -> bool:
    """Hashing takes a third of a second: once a process for each of the three accounts."""
    return check_password(password, encoded)


def send_reset(email: str, host: str, *, secure: bool) -> None:
    """Mail a link for a new password to each active account with this address; `host` is the installation's."""
    form = PasswordResetForm({"email": email})
    if form.is_valid():
        form.save(
            domain_override=host,
            use_https=secure,
            subject_template_name="registration/reset_subject.txt",
            email_template_name="registration/reset_mail.txt",
        )
