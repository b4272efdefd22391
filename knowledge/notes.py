"""Operators' notes to a vendor's model in a role: manner and emphasis to the examiner and the rules desk, the students'
way of speaking to the assessor. They are not a source.

A process keeps each school's notes in memory and reads them again when one has changed. Notes are never chunked, so no
search finds them and nothing is cited from them; prompts fence them.
"""

from django.core.cache import caches
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, Q

from knowledge.library_version import Generations, library_changed
from knowledge.models import Note
from knowledge.text.quantities import quantities_in

_Held = tuple[tuple[str, str, str], ...]  # role, Area and text of each note


def notes_for(role: str, *, tenant: int | None, area: str, generations: Generations) -> tuple[str, ...]:
    """The notes to a role for an Area: shared ones first, then the school's. `generations` are the library's, which
    every changed note raises."""
    memory, key = caches["process"], f"notes:{tenant}:{generations}".replace(" ", "")
    held: _Held | None = memory.get(key)
    if held is None:
        own = Q(tenant__isnull=True) | Q(tenant=tenant) if tenant else Q(tenant__isnull=True)
        rows = Note.objects.filter(own, active=True).order_by(F("tenant_id").asc(nulls_first=True), "id")
        held = tuple(rows.values_list("role", "area", "text"))
        memory.set(key, held)
    return tuple(text for whom, where, text in held if whom == role and where in ("", area))


def check_note_text(text: str) -> None:
    """Raises ValidationError for a text with an amount: figures need a citation."""
    amount = next((one.text for one in quantities_in(text) if one.unit), "")
    if amount:
        raise ValidationError(
            f"“{amount}” is a fact. A note says how to speak and what to dwell on; write a document to state facts."
        )


@transaction.atomic
def save_note(note: Note) -> None:
    """Save it; every process reads it before its next question."""
    note.save()
    library_changed(note.tenant_id)
