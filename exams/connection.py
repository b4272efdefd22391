"""Who is at the other end of a websocket: a session cookie or a token."""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from rest_framework.authtoken.models import Token


def user_for_scope(scope: dict[str, Any]) -> Any | None:
    """The signed-in user, or None. Runs in a thread: both ways read the database."""
    scheme, _, key = dict(scope["headers"]).get(b"authorization", b"").decode("latin1").partition(" ")
    if scheme.lower() == "token":
        token = Token.objects.select_related("user").filter(key=key.strip()).first()
        return token.user if token and token.user.is_active else None
    user = scope.get("user")
    if user is None or isinstance(user, AnonymousUser) or not user.is_authenticated:
        return None
    return user if user.is_active else None
