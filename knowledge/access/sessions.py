"""Sessions in the database, each with its user: the settings' SESSION_ENGINE."""

from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore

from knowledge.models.accounts import UserSession


class SessionStore(DatabaseStore):
    @classmethod
    def get_model_class(cls) -> type[UserSession]:  # type: ignore[override]
        return UserSession

    def create_model_instance(self, data: dict[str, Any]) -> UserSession:  # type: ignore[override]
        row: Any = super().create_model_instance(data)
        row.user_id = int(data[SESSION_KEY]) if SESSION_KEY in data else None
        found: UserSession = row
        return found


def end_sessions(user: Any) -> int:
    """Sign the user out on every device; returns the number of sessions. Open rooms close with their next frame."""
    return UserSession.objects.filter(user_id=user.pk).delete()[0]
