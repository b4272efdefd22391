"""The embedded PostgreSQL and Redis: started by the first process that needs them, stopped after the last.

Knows nothing of Django. `owner` is the door: everything else is how the two servers are kept.
"""

from .errors import ServicesError
from .owner import Status, Use, acquire_services, ensure_services, services, status
from .places import ServiceAddresses, addresses_for

__all__ = [
    "ServiceAddresses",
    "ServicesError",
    "Status",
    "Use",
    "acquire_services",
    "addresses_for",
    "ensure_services",
    "services",
    "status",
]
