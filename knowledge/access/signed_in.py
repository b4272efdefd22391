"""Find the user of a session cookie or an API key, as the database knows them now.

The API, the websocket and the limit on request bodies all use this. A session ends when its password changes; the API
keys are deleted with the password (`desk.passwords`) and expire after KEY_DAYS.
"""

from datetime import timedelta
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user, load_backend
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from rest_framework.authentication import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed

from knowledge.access.secrets import digest_of, new_secret
from knowledge.conf import KEY_DAYS, KEY_USE_SECONDS, KEYS_BY_PASSWORD_MOST
from knowledge.models.accounts import ApiKey

BY_PASSWORD = "POST /api/v1/token/"
"""The name of keys that a program gets by name and password."""


def user_of_session(key: str | None) -> Any | None:
    """The user as a page would find them: the session is read again, and its hash must match the current password."""
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    user = get_user(request)
    return user if user.is_authenticated and user.is_active else None


def user_of_token(key: str) -> Any | None:
    found = find_key(key)
    return found.user if found else None


def find_key(key: str) -> ApiKey | None:
    """The API key, if it has not expired and its user may still sign in. Its last use is noted, to the minute."""
    now = timezone.now()
    found = ApiKey.objects.select_related("user").filter(digest=digest_of(key), expires_at__gt=now).first()
    if found is None or load_backend(settings.AUTHENTICATION_BACKENDS[0]).get_user(found.user_id) is None:
        return None
    not_noted = Q(last_used_at=None) | Q(last_used_at__lt=now - timedelta(seconds=KEY_USE_SECONDS))
    if found.last_used_at is None or (now - found.last_used_at).total_seconds() > KEY_USE_SECONDS:
        ApiKey.objects.filter(not_noted, pk=found.pk).update(last_used_at=now)
    return found


def new_key(user: Any, name: str) -> tuple[ApiKey, str]:
    """The stored key, and the key itself, which cannot be read again."""
    secret = new_secret("hd_")
    ends = timezone.now() + timedelta(days=KEY_DAYS)
    row = ApiKey.objects.create(
        user=user, name=name, prefix=secret[:8], digest=digest_of(secret), expires_at=ends
    )
    return row, secret


def key_by_password(user: Any) -> tuple[ApiKey, str]:
    """A new key for a program that sent name and password; of those of a user only the newest are kept."""
    made = new_key(user, BY_PASSWORD)
    own = ApiKey.objects.filter(user=user, name=BY_PASSWORD)
    own.exclude(pk__in=own.values("pk")[:KEYS_BY_PASSWORD_MOST]).delete()
    return made


def revoke_keys(user: Any) -> int:
    """Delete all API keys of the user; returns their number."""
    return ApiKey.objects.filter(user=user).delete()[0]


class TokenSignIn(TokenAuthentication):
    """`Authorization: Token …`, as long as the key is valid."""

    def authenticate_credentials(self, key: str) -> tuple[Any, ApiKey]:
        found = find_key(key)
        if found is None:
            raise AuthenticationFailed("This token is not valid or has ended. Get one: POST /api/v1/token/.")
        return found.user, found
