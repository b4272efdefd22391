"""Limit how often a user may ask the rules desk: one count for pages and API.

The settings have the rate under the name SCOPE.
"""

from contextlib import AbstractContextManager
from typing import Any

from django.http import HttpRequest

from knowledge.access import throttling
from knowledge.access.people import paying_school_id
from llm.metering import Payer, paid_by
from rules.query.query_preparation import Unanswerable

SCOPE = "rules"


def charge_question(request: HttpRequest) -> None:
    """Count one more question. Raises Unanswerable for a user who must wait."""
    if wait := throttling.seconds_to_wait(request, throttling.Door(SCOPE)):
        said = f"that was very much within a minute: wait {wait} seconds, then ask again; nothing is lost"
        raise Unanswerable(said, wait=wait)


def paid_by_user(user: Any) -> AbstractContextManager[None]:
    """Count calls to a vendor's model for this user and the user's school. When the calls of the day are used up,
    answers are in the sources' own words, as when no model can be reached."""
    return paid_by(Payer(user.pk, paying_school_id(user)))
