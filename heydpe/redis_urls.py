"""One REDIS_URL, said the way each client wants it."""


def celery_broker_url(redis_url: str) -> str:
    """kombu knows sockets as `redis+socket://`; every other client as `unix://`."""
    if not redis_url.startswith("unix://"):
        return redis_url
    path, _, query = redis_url.removeprefix("unix://").partition("?")
    database = dict(pair.split("=", 1) for pair in query.split("&") if "=" in pair).get("db", "0")
    return f"redis+socket://{path}?virtual_host={database}"
