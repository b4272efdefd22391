"""Give database connections back during long waits, and lock by name within a transaction.

A process has forty connections for all that it does at once, and a vendor may take as long as its deadline.
"""

from django.db import connections


def give_connection_back() -> None:
    """Call it before whatever may wait on a network; the next query takes another. In a transaction nothing happens."""
    if not connections["default"].in_atomic_block:
        connections.close_all()


def lock_until_commit(name: str) -> None:
    """Hold the lock of this name until the transaction ends; whoever else wants it waits."""
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])
