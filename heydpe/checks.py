"""System checks for wrong or missing configuration, each with an id and a hint."""

from collections.abc import Callable, Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Info, Tags, Warning, register
from django.db import DatabaseError
from waffle.models import Flag as FlagRow

from desk.accounts.first_account import has_account, setup_path
from desk.demo.accounts import accounts_open_to
from knowledge.flags import FLAGS, state_in_words
from knowledge.library_version import model_in_use
from llm import registry

from .env import NO_SECRET_KEY


def register_for_database(look: Callable[[], list[CheckMessage]]) -> Callable[..., list[CheckMessage]]:
    """Register a check that reads rows. It says nothing unless it may look into a database, which has its tables."""

    @register(Tags.database)
    def check(
        app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **_: Any
    ) -> list[CheckMessage]:
        try:
            return look() if databases else []
        except DatabaseError:
            return []

    return check


@register(Tags.security)
def check_environment(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    return [
        Error(f"{name}: {what}", hint=hint, id="heydpe.E001") for name, what, hint in settings.ENV.problems
    ]


@register(Tags.security)
def check_secret_key(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    if not settings.ENV.lacks_secret_key:
        return []
    what, _dot, hint = NO_SECRET_KEY.partition(" Set ")
    return [Error(what, hint=f"Set {hint}", id="heydpe.E002")]


@register(Tags.security, deploy=True)
def check_services(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    missing = [name for name in ("DATABASE_URL", "REDIS_URL") if not getattr(settings.ENV, name.lower())]
    hint = "Set it; the embedded services are for one machine."
    return [Warning(f"{name} is not set.", hint=hint, id="heydpe.W001") for name in missing]


@register(Tags.security, deploy=True)
def check_open_addresses(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """List what answers without signing in, and whose X-Forwarded headers are believed, so that both are intended."""
    env = settings.ENV
    who = "this machine, and clients that send METRICS_TOKEN" if env.metrics_token else "this machine only"
    doors = (
        "/healthz/, /readyz/, /about/, /accounts/login/, /accounts/reset/, /accounts/invitation/, /accounts/first/"
        " while there is no account, /api/v1/schema/, /api/v1/frames/"
    )
    text = f"Open without signing in: {doors}; /metrics answers {who}."
    hint = "Set METRICS_TOKEN where Prometheus runs on another host; it sends it as a bearer token."
    messages: list[CheckMessage] = [Info(text, hint=hint, id="heydpe.I003")]
    if env.mail_server is None:
        text = "EMAIL_URL is not set: password resets and invitations are printed in the log."
        messages.append(Info(text, hint="Set the address of a mail server.", id="heydpe.I006"))
    if not env.trusted_proxies:
        text = "TRUSTED_PROXIES is not set: X-Forwarded-For and X-Forwarded-Proto are believed from nobody."
        hint = (
            "Set the addresses of the proxy that ends TLS; without it every page redirects to HTTPS for ever."
        )
        messages.append(Info(text, hint=hint, id="heydpe.I004"))
    return messages


@register_for_database
def check_demo_accounts() -> list[CheckMessage]:
    """A database that was tried out with DEBUG keeps three accounts whose password everybody knows."""
    names = [] if settings.DEBUG else accounts_open_to(settings.DEMO_PASSWORD)
    if not names:
        return []
    text = f"These accounts have the demo's password and cannot sign in without DEBUG: {', '.join(names)}."
    hint = "Give these accounts other passwords (manage.py changepassword) or delete them."
    return [Warning(text, hint=hint, id="heydpe.W002")]


@register_for_database
def check_first_account() -> list[CheckMessage]:
    """Say where the first account is made: whoever reads this may run commands here."""
    if has_account():
        return []
    hint = f"Open {setup_path()}, or run manage.py createsuperuser."
    return [Info("No account exists yet.", hint=hint, id="heydpe.I005")]


@register_for_database
def check_vectors() -> list[CheckMessage]:
    """Searches need a model that is set up here. Setting another one does not switch to it."""
    name = model_in_use()
    if name not in registry.embedding_names():
        text = f"Searches use the vectors of {name}, which is not set up here."
        hint = "Set OPENAI_API_KEY and OPENAI_EMBEDDING_MODEL, or switch: manage.py embeddings switch MODEL."
        return [Error(text, hint=hint, id="heydpe.E004")]
    if name != settings.EMBEDDING_MODEL:
        text = f"EMBEDDING_PROVIDER asks for {settings.EMBEDDING_MODEL}; searches use the vectors of {name}."
        hint = "Build and switch: manage.py embeddings build MODEL, then manage.py embeddings switch MODEL."
        return [Info(text, hint=hint, id="heydpe.I002")]
    return []


@register_for_database
def check_flags() -> list[CheckMessage]:
    """Flags that differ from their default, and flags without a row."""
    rows = {row.name: row for row in FlagRow.objects.all()}
    messages: list[CheckMessage] = []
    for flag in FLAGS:
        if flag.name not in rows:
            messages.append(
                # No error: `migrate`, which adds the row, runs these checks first. Reading such a flag raises.
                Warning(f"The flag {flag.name} has no row.", hint="Run manage.py migrate.", id="heydpe.W003")
            )
        elif rows[flag.name].everyone is not flag.default:
            state, default = state_in_words(rows[flag.name]), "on" if flag.default else "off"
            text = f"The flag {flag.name} ({flag.owner}) is {state}; its default is {default}."
            messages.append(Info(text, hint=flag.note, id="heydpe.I001"))
    return messages
