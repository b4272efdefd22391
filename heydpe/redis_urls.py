"""One REDIS_URL, said the way each client wants it, and how long each of them waits for an answer."""

# Seconds until a Redis that accepts and does not answer counts as away. A stalled disk costs it up to two; no client
# of ours asks it for anything that takes longer (the worker's blocking read is given up by Redis after one).
ANSWER_SECONDS = 3.0
SOCKET_LIMITS = {"socket_timeout": ANSWER_SECONDS, "socket_connect_timeout": ANSWER_SECONDS}


def celery_broker_url(redis_url: str) -> str:
    """kombu knows sockets as `redis+socket://`; every other client as `unix://`."""
    if not redis_url.startswith("unix://"):
        return redis_url
    path, _, query = redis_url.removeprefix("unix://").partition("?")
    database = dict(pair.split("=", 1) for pair in query.split("&") if "=" in pair).get("db", "0")
    return f"redis+socket://{path}?virtual_host={database}"
