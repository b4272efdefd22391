"""Who is at the other end of a websocket: a session cookie or a token, as the database knows them at this moment."""

from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest
from rest_framework.authtoken.models import Token


def user_for_scope(scope: dict[str, Any]) -> Any | None:
    """The user who is signed in now, or None; a socket may be older than a sign-out. Runs in a thread: both ways read
    the database.
    """
    scheme, _, key = dict(scope["headers"]).get(b"authorization", b"").decode("latin1").partition(" ")
    if scheme.lower() == "token":
        token = Token.objects.select_related("user").filter(key=key.strip()).first()
        return token.user if token and token.user.is_active else None
    return _user_of_session(scope["session"].session_key)


def _user_of_session(key: str | None) -> Any | None:
    """As a page would find the user: the session is read again, and its hash must be that of the password of today."""
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    user = get_user(request)
    return user if user.is_authenticated and user.is_active else None
