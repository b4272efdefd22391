"""A database backend whose pool hands out only working connections, also right after the server was restarted.

The pool's own check discards one dead connection at a time and waits longer after each: with forty of them that died
together, request after request would fail. Here the first dead one makes the pool test all idle ones.
"""

from typing import Any

from django.db.backends.postgresql import base
from psycopg import Error
from psycopg_pool import ConnectionPool

# Seconds. How long a request waits for a connection before it fails. Recovery after a crash takes one to three.
WAIT_SECONDS = 10.0
# Seconds. The pause between two attempts to connect doubles from one second until this. Under the pool's own limit of
# five minutes it would grow to a minute, and a server that is back would not be noticed for as long.
CONNECT_AGAIN_SECONDS = 4.0


def pool_options(max_size: int) -> dict[str, Any]:
    """OPTIONS["pool"]. After connecting has failed for a while it starts over, with short pauses."""
    return {
        "min_size": 1,
        "max_size": max_size,
        "timeout": WAIT_SECONDS,
        "reconnect_timeout": CONNECT_AGAIN_SECONDS,
        "reconnect_failed": ConnectionPool.check,
    }


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        session = super().get_new_connection(conn_params)
        if self.pool is None:
            return session
        try:
            ConnectionPool.check_connection(session)
        except Error:
            self.pool.putconn(session)
            self.pool.check()
            session = super().get_new_connection(conn_params)
        return session
