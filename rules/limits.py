"""How often somebody may ask the rules desk: one count for its pages and its API.

The rate has the name SCOPE in the settings.
"""

from contextlib import AbstractContextManager
from typing import Any

from django.http import HttpRequest

from knowledge.access import throttling
from knowledge.access.people import paying_school_id
from llm.metering import Payer, paid_by

SCOPE = "rules"


def seconds_to_wait(request: HttpRequest) -> int:
    """0 where another question may be asked now, which counts as one."""
    return throttling.seconds_to_wait(request, throttling.Door(SCOPE))


def paid_by_user(user: Any) -> AbstractContextManager[None]:
    """What a vendor's model is asked meanwhile counts for this user and the user's school. Where the calls of the day
    are used up, answers are in the sources' own words, as they are where no model can be reached."""
    return paid_by(Payer(user.pk, paying_school_id(user)))


def too_many(seconds: int) -> str:
    """What is said to who has to wait."""
    return f"that was very much within a minute: wait {seconds} seconds, then ask again; nothing is lost"
