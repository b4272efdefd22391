"""What changes a tenant's library raises a number, and cache entries of the old one are never met again; the lists of
its words are written anew."""

from django.db.models import F

from knowledge.db.prepared_statements import rows_of
from knowledge.models import LibraryGeneration
from knowledge.word_index import index_words

SHARED = 0  # the key of the shared library

Generations = tuple[tuple[int, int], ...]
"""Of the keys that a tenant's searches depend on, each with its number."""


def library_changed(tenant: int | None) -> None:
    """Call it in the transaction that adds, edits, deletes, publishes, archives or embeds again."""
    index_words()
    key = SHARED if tenant is None else tenant
    LibraryGeneration.objects.bulk_create(
        [LibraryGeneration(tenant_key=key, generation=0)], ignore_conflicts=True
    )
    LibraryGeneration.objects.filter(tenant_key=key).update(generation=F("generation") + 1)


def generations_of(tenant: int | None) -> Generations:
    """The generations that a tenant's searches depend on: its own and the shared library's."""
    keys = list({SHARED, SHARED if tenant is None else tenant})
    return tuple((key, generation) for key, generation in rows_of(_OF_KEYS, {"keys": keys}))


_OF_KEYS = """
    SELECT tenant_key, generation FROM knowledge_librarygeneration
    WHERE tenant_key = ANY(%(keys)s::bigint[]) ORDER BY tenant_key"""


def everything_changed() -> None:
    """For every tenant and the shared library: nothing that was found before counts any more."""
    LibraryGeneration.objects.update(generation=F("generation") + 1)
