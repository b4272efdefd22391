"""An operator's notes become what the examiner is told about manner and emphasis. The first tier, and no source.

A process holds the notes of each school in its memory and reads them again when one of them has changed. They are never
cut into passages, so that no search finds them and nothing can be cited from them; whoever words a prompt fences them.
"""

from django.core.cache import caches
from django.db import transaction
from django.db.models import Q

from knowledge.library_version import library_changed
from knowledge.models import Note
from knowledge.text.quantities import quantities_in

Generations = tuple[tuple[int, int], ...]
_Held = tuple[tuple[str, str, str], ...]


class NoNote(ValueError):
    """What was written is a rule, not manner; the text says what to do instead."""


def notes_for(role: str, *, tenant: int | None, area: str, generations: Generations) -> tuple[str, ...]:
    """What a role is told for an Area: the house's notes first, then the school's. `generations` tells the state of the
    library, which a note is part of."""
    memory, key = caches["process"], f"notes:{tenant}:{generations}".replace(" ", "")
    held: _Held | None = memory.get(key)
    if held is None:
        held = _read(tenant)
        memory.set(key, held)
    return tuple(text for whom, where, text in held if whom == role and where in ("", area))


def _read(tenant: int | None) -> _Held:
    """Role, Area and text of each."""
    own = Q(tenant__isnull=True) | Q(tenant=tenant) if tenant else Q(tenant__isnull=True)
    rows = Note.objects.filter(own, active=True).order_by("tenant_id", "id")
    shared_first = sorted(rows.values_list("tenant_id", "role", "area", "text"), key=lambda row: row[0] or 0)
    return tuple((role, area, text) for _, role, area, text in shared_first)


def check_text(text: str) -> None:
    """Raises NoNote for a text with an amount in it: what has a figure is to be cited, not told."""
    amount = next((one.text for one in quantities_in(text) if one.unit), "")
    if amount:
        raise NoNote(
            f"“{amount}” is a fact. A note says how to speak and what to dwell on; write a document to state facts."
        )


@transaction.atomic
def save_note(note: Note) -> None:
    """Store it; every process reads it before its next question."""
    note.save()
    library_changed(note.tenant_id)


@transaction.atomic
def delete_note(note: Note) -> None:
    tenant = note.tenant_id
    note.delete()
    library_changed(tenant)
