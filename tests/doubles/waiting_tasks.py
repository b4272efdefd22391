"""Tasks that wait in Redis, where no worker runs beside the tests."""

import json

from celery import current_app


def work_off() -> int:
    """Run the tasks that wait in Redis, as a worker would; their number."""
    count = 0
    current_app.loader.import_default_modules()
    with current_app.connection_for_read() as link:
        while message := link.default_channel.basic_get("celery"):
            link.default_channel.basic_ack(message.delivery_tag)
            task = current_app.tasks[message.headers["task"]]
            task(*json.loads(message.body)[0])
            count += 1
    return count
