"""How often somebody may ask the rules desk: one count for its pages and its API, by the throttles of the API.

Which they are stands in the settings; the rate has the name SCOPE there. This knows neither.
"""

import math
from typing import Any

from django.http import HttpRequest
from rest_framework.settings import api_settings

SCOPE = "rules"


class _Door:
    """What a throttle asks of a view."""

    throttle_scope = SCOPE


def seconds_to_wait(request: HttpRequest) -> int:
    """0 where another question may be asked now, which counts as one."""
    kinds: Any = api_settings.DEFAULT_THROTTLE_CLASSES
    throttles = [kind() for kind in kinds]
    refused = [throttle for throttle in throttles if not throttle.allow_request(request, _Door())]
    return max((math.ceil(one.wait() or 1) for one in refused), default=0)


def too_many(seconds: int) -> str:
    """What is said to who has to wait."""
    return f"that was very much within a minute: wait {seconds} seconds, then ask again; nothing is lost"
