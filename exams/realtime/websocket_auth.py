"""Who is at the other end of a websocket: a session cookie or a token, as the database knows them at this moment."""

from typing import Any

from knowledge.access.signed_in import user_of_session, user_of_token


def user_for_scope(scope: dict[str, Any]) -> Any | None:
    """The user who is signed in now, or None; a socket may be older than a sign-out. Runs in a thread: both ways read
    the database.
    """
    scheme, _, key = dict(scope["headers"]).get(b"authorization", b"").decode("latin1").partition(" ")
    if scheme.lower() == "token":
        return user_of_token(key)
    return user_of_session(scope["session"].session_key)
