"""The glossary that expands a tenant's searches, and the abbreviations that documents and operators add to it.

A process keeps each school's glossary in memory under the library's generation. Every change of the glossary raises
the generation, so the cache never returns a ranking made with another glossary.
"""

from django.core.cache import InvalidCacheBackendError, caches
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q

from knowledge.library_version import Generations, generations_of, library_changed
from knowledge.models import Abbreviation, Chunk, Document
from knowledge.models.glossary import Spelling
from knowledge.retrieval.query.abbreviation_extraction import abbreviations_in
from knowledge.retrieval.query.builder import BUILT_IN_ABBREVIATIONS, Glossary, glossary_from

BATCH = 500  # rows written in one statement


def glossary_for(tenant: int | None, generations: Generations | None = None) -> Glossary:
    """Everybody's abbreviations and the tenant's own, without those that the school switched off for itself.
    `generations` are the tenant's, if they have been read before."""
    if generations is None:
        generations = generations_of(tenant)
    key = f"glossary:{tenant}:{generations}".replace(" ", "")
    try:
        memory = caches["process"]
    except InvalidCacheBackendError:  # without a process cache each search reads it
        return _read_rows(tenant)
    held: Glossary | None = memory.get(key)
    if held is None:
        held = _read_rows(tenant)
        memory.set(key, held)
    return held


def _read_rows(tenant: int | None) -> Glossary:
    own = Q(tenant__isnull=True) | Q(tenant=tenant) if tenant else Q(tenant__isnull=True)
    rows = Abbreviation.objects.filter(own).order_by("id").values_list("short", "long", "active", "origin")
    known = list(rows)
    off = {_pair(short, long) for short, long, active, _ in known if not active}
    from_start = (
        [] if any(row[3] == Spelling.BUILT_IN for row in known) else list(BUILT_IN_ABBREVIATIONS.items())
    )
    pairs = [*from_start, *((short, long) for short, long, active, _ in known if active)]
    return glossary_from(pair for pair in pairs if _pair(*pair) not in off)


def _pair(short: str, long: str) -> tuple[str, str]:
    return short.lower(), long.lower()


@transaction.atomic
def read_glossary(document: Document) -> int:
    """Store what the document spells out as rows of its owner; returns how many are new. Existing rows stay as they
    are, also those that an operator switched off."""
    built_in = (  # rows too, so that operators see them and can switch them off
        Abbreviation(short=short.upper(), long=long, origin=Spelling.BUILT_IN)
        for short, long in BUILT_IN_ABBREVIATIONS.items()
    )
    Abbreviation.objects.bulk_create(built_in, ignore_conflicts=True)
    read: dict[tuple[str, str], Abbreviation] = {}
    for chunk in Chunk.objects.filter(document=document).only("id", "text").order_by("index").iterator():
        for one in abbreviations_in(chunk.text):
            quote = " ".join(chunk.text[one.start : one.end].split())[:200]
            row = Abbreviation(
                tenant_id=document.tenant_id,
                short=one.short,
                long=one.long,
                origin=Spelling.READ,
                chunk_id=chunk.pk,
                quote=quote,
            )
            read.setdefault(_pair(one.short, one.long), row)
    forms = {form for row in read.values() for form in (row.short, row.short.lower())}
    rows = Abbreviation.objects.filter(Q(tenant__isnull=True) | Q(tenant=document.tenant_id))
    known = {_pair(*row) for row in rows.filter(short__in=forms).values_list("short", "long")}
    # In the singular and the plural, so that "rules" is not new beside "rule".
    known |= {(short, long.removesuffix("s")) for short, long in known}
    new = [row for pair, row in read.items() if pair not in known]
    Abbreviation.objects.bulk_create(new, batch_size=BATCH, ignore_conflicts=True)
    if new:
        library_changed(document.tenant_id)
    return len(new)


def check_abbreviation(short: str, long: str) -> None:
    """Raises ValidationError."""
    if not any(map(str.isalpha, short)) or len(short.split()) != 1:
        raise ValidationError("The short form is one word with letters, such as METAR.")
    if len(long.split()) < 2 and len(long) <= len(short):
        raise ValidationError("Say what it stands for, in words.")
    if short.lower() in long.lower().split():
        raise ValidationError("What it stands for has the short form in it: it would be looked for twice.")


@transaction.atomic
def save_abbreviation(row: Abbreviation) -> None:
    """Store it, in place of a row that says the same; the next search uses it."""
    row.short, row.long = row.short.strip().upper(), " ".join(row.long.lower().split())
    same = Abbreviation.objects.filter(tenant=row.tenant, short=row.short, long=row.long)
    before = same.exclude(pk=row.pk).first()
    if before is not None:
        before.active = row.active
        if row.pk:
            row.delete()
        row.pk, row.origin, row.chunk_id, row.quote = before.pk, before.origin, before.chunk_id, before.quote
        before.save()
    else:
        row.save()
    library_changed(row.tenant_id)
