"""What a changed password ends, and the demo's password, which opens nothing without DEBUG.

Django calls `password_changed` of each password validator whenever a user is saved with a new password: by a page, by
the admin, by a command. It ends sessions by itself, since they carry a hash of the password.
"""

from functools import lru_cache
from typing import Any

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.hashers import check_password

from desk.demo.accounts import ACCOUNTS
from knowledge.access.signed_in import revoke_token


class RevokeTokens:
    """A password validator that refuses nothing: with a new password the API token of the user is gone."""

    def validate(self, password: str, user: Any = None) -> None:
        pass

    def get_help_text(self) -> str:
        return ""

    def password_changed(self, password: str, user: Any = None) -> None:
        if user is not None and user.pk:
            revoke_token(user)


class HouseAccounts(ModelBackend):
    """Django's accounts; without DEBUG those of the demo are shut as long as they have the demo's password. Sessions
    and tokens that they got earlier are shut, too."""

    def user_can_authenticate(self, user: Any) -> bool:
        return super().user_can_authenticate(user) and not _is_demo(user)


def _is_demo(user: Any) -> bool:
    if settings.DEBUG or user.get_username() not in ACCOUNTS:
        return False
    return _opens(settings.DEMO_PASSWORD, user.password)


@lru_cache(maxsize=64)
def _opens(password: str, encoded: str) -> bool:
    """Hashing takes a third of a second: once a process for each of the three accounts."""
    return check_password(password, encoded)
