"""A changed password revokes the API token; the demo's password does not work without DEBUG.

Django calls `password_changed` of each password validator whenever a user is saved with a new password: by a page, the
admin, or a command. Sessions end by themselves, since they carry a hash of the password.
"""

from functools import lru_cache
from typing import Any

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.hashers import check_password

from desk.demo.accounts import ACCOUNTS
from knowledge.access.signed_in import revoke_token


class RevokeTokens:
    """A password validator that refuses nothing and revokes the user's API token when the password changes."""

    def validate(self, password: str, user: Any = None) -> None:
        pass

    def get_help_text(self) -> str:
        return ""

    def password_changed(self, password: str, user: Any = None) -> None:
        if user is not None and user.pk:
            revoke_token(user)


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
