"""System check of the rules desk's configuration."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from .configuration import WrongConfiguration, configuration_from

KEYS = {"openai": "OPENAI_API_KEY", "cohere": "COHERE_API_KEY"}


@register("rules")
def check_configuration(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    values = settings.RULES
    if not isinstance(values, dict):
        text = f"RULES is {type(values).__name__}, not a dictionary."
        return [Error(text, hint="Leave it empty for the defaults.", id="rules.E001")]
    try:
        chosen = configuration_from(values)
    except WrongConfiguration as error:
        hint = "Names, limits and defaults stand in rules/configuration.py; what is left out has its default."
        return [Error(f"RULES: {place}: {what}", hint=hint, id="rules.E001") for place, what in error.faults]
    key = KEYS.get(chosen.reranking.provider or "", "")
    if not key or getattr(settings.ENV, key.lower()):
        return []
    text = f"RULES: reranking.provider is {chosen.reranking.provider}, and {key} is not set."
    hint = f"Set {key}, or leave the provider out to use the reranker of this installation."
    return [Error(text, hint=hint, id="rules.E002")]
