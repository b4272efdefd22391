"""Which errors say that the database or Redis is away, and not that something of ours is wrong."""

from typing import Final

from django.db import InterfaceError, OperationalError
from kombu.exceptions import OperationalError as BrokerAway
from redis.exceptions import RedisError

AWAY: Final = (OperationalError, InterfaceError, RedisError, BrokerAway)
MESSAGE: Final = (
    "The database or Redis does not answer just now. What was stored is kept; try again in a few seconds."
)
