"""Structured logs on standard error: JSON lines in production, readable lines with DEBUG."""

import logging
import re
from typing import Any

import structlog

# What follows opens an account: invitations, password resets, and the first account of an installation.
# As the address of a page, and in the address of another that leads back to it.
_SLASH = "(?:/|%2F)"
SECRET_ADDRESS = re.compile(
    rf"(accounts{_SLASH}(?:invitation{_SLASH}|reset{_SLASH}[^/%\s]+{_SLASH}|first{_SLASH}\?))[^\s\"'&<>]+",
    re.IGNORECASE,
)


class HideSecrets(logging.Filter):
    """Leaves the secrets of links out of what a handler with a format of its own writes. It drops no record."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.msg, str):
            record.msg = hide_secrets(record.msg)
        if isinstance(record.args, tuple):
            record.args = tuple(hide_secrets(one) if isinstance(one, str) else one for one in record.args)
        return True


def hide_secrets(text: str) -> str:
    return SECRET_ADDRESS.sub(r"\1…", text)


def logging_settings(*, debug: bool) -> dict[str, Any]:
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    renderer = structlog.dev.ConsoleRenderer(colors=False) if debug else structlog.processors.JSONRenderer()
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "structured": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": shared,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    structlog.processors.format_exc_info,
                    renderer,
                    lambda _, __, line: hide_secrets(line),  # our own events and tracebacks as well
                ],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "structured"}},
        "root": {"handlers": ["stderr"], "level": "INFO"},
        "loggers": {
            "httpx": {"level": "WARNING"},
            "django.request": {"level": "ERROR"},
            "django.channels.server": {"level": "WARNING"},
        },
    }
