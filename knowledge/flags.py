"""The flags, each with an owner, a default and a reason. A flag that is missing is an error, not “off”."""

from dataclasses import dataclass

from django.core.exceptions import ImproperlyConfigured
from waffle.models import Switch


@dataclass(frozen=True)
class Flag:
    name: str
    owner: str
    default: bool
    note: str


FLAGS = (
    Flag("graph.enhanced_retrieval", "retrieval", True, "Bundle and search together; off: search alone."),
    Flag("graph.shadow_mode", "retrieval", False, "Store the plain context beside the enhanced one."),
    Flag("rag.metadata_filter", "retrieval", True, "Filter by the document that the words name."),
)
NAMES = {flag.name for flag in FLAGS}


def is_on(name: str) -> bool:
    """Raises ImproperlyConfigured for a flag that is not declared here or has no row."""
    if name not in NAMES:
        raise ImproperlyConfigured(f"The flag {name} is not declared in knowledge/flags.py.")
    switch = Switch.get(name)
    if switch.pk is None:
        raise ImproperlyConfigured(f"The flag {name} has no row: run manage.py migrate.")
    return bool(switch.active)


def create_missing_flags() -> None:
    for flag in FLAGS:
        Switch.objects.get_or_create(name=flag.name, defaults={"active": flag.default, "note": flag.note})
