"""Find the user of a session cookie or an API token, as the database knows them now.

The API, the websocket and the limit on request bodies all use this. A session ends when its password changes; a token
is deleted with the password (`desk.passwords`) and expires after TOKEN_DAYS.
"""

from datetime import datetime, timedelta
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user, load_backend
from django.http import HttpRequest
from django.utils import timezone
from rest_framework.authentication import TokenAuthentication
from rest_framework.authtoken.models import Token
from rest_framework.exceptions import AuthenticationFailed

from knowledge.conf import TOKEN_DAYS


def user_of_session(key: str | None) -> Any | None:
    """The user as a page would find them: the session is read again, and its hash must match the current password."""
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    user = get_user(request)
    return user if user.is_authenticated and user.is_active else None


def user_of_token(key: str) -> Any | None:
    token = Token.objects.select_related("user").filter(key=key.strip()).first()
    return token.user if token and is_valid(token) else None


def is_valid(token: Token) -> bool:
    """Whether it has not expired and its user may still sign in."""
    backend = load_backend(settings.AUTHENTICATION_BACKENDS[0])
    return ends_at(token) > timezone.now() and backend.get_user(token.user_id) is not None


def ends_at(token: Token) -> datetime:
    made: datetime = token.created
    return made + timedelta(days=TOKEN_DAYS)


def token_of(user: Any) -> Token | None:
    token = Token.objects.filter(user=user).first()
    return token if token and is_valid(token) else None


def token_for(user: Any) -> Token:
    """The user's token, or a new one if it has expired."""
    return token_of(user) or new_token(user)


def new_token(user: Any) -> Token:
    revoke_token(user)
    return Token.objects.create(user=user)


def revoke_token(user: Any) -> bool:
    """Returns whether there was one."""
    return bool(Token.objects.filter(user=user).delete()[0])


class TokenSignIn(TokenAuthentication):
    """`Authorization: Token …`, as long as the token is valid."""

    def authenticate_credentials(self, key: str) -> tuple[Any, Token]:
        user, token = super().authenticate_credentials(key)
        if not is_valid(token):
            raise AuthenticationFailed("This token has ended. Get a new one: POST /api/v1/token/.")
        return user, token
