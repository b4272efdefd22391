"""Limit how often a user may ask the rules desk: one count for pages and API.

The settings have the rate under the name SCOPE.
"""

from contextlib import AbstractContextManager
from typing import Any

from django.http import HttpRequest

from knowledge.access import throttling
from knowledge.access.people import paying_school_id
from llm.metering import Payer, paid_by

SCOPE = "rules"


def seconds_to_wait(request: HttpRequest) -> int:
    """0 if another question may be asked now; it is counted."""
    return throttling.seconds_to_wait(request, throttling.Door(SCOPE))


def paid_by_user(user: Any) -> AbstractContextManager[None]:
    """Count calls to a vendor's model for this user and the user's school. When the calls of the day are used up,
    answers are in the sources' own words, as when no model can be reached."""
    return paid_by(Payer(user.pk, paying_school_id(user)))


def too_many(seconds: int) -> str:
    """The message for a user who must wait."""
    return f"that was very much within a minute: wait {seconds} seconds, then ask again; nothing is lost"
