"""Find documents in force that hold the same passages, such as a handbook and its single chapters. They are no editions
of one work, so neither supersedes the other; an operator archives one."""

from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Q

from knowledge.models import Chunk, Document
from knowledge.models.documents import DocumentStatus

LEAST_SHARE: Final = 0.5
"""Of the passages of the smaller document; two standards of the FAA have 13 % in common."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """`shared` of the `own` passages of one document are also in `other`, which has `passages`."""

    other: Document
    shared: int
    own: int
    passages: int

    def __str__(self) -> str:
        if self.passages <= self.own:
            return f"{self.shared} of the {self.passages} passages of {self.other.title} are also in this document"
        return f"{self.shared} of this document's {self.own} passages are also in {self.other.title}"


def overlaps_of(document: Document) -> list[Overlap]:
    """The other documents of its library in force that have half of its passages, or half of theirs from it; the most
    in common first. Three queries; none for a document that is not in force."""
    in_force = {
        "status": DocumentStatus.PUBLISHED,
        "deprecated_at": None,
        "superseded_by": None,
        "tenant": document.tenant_id,
    }
    if document.status != DocumentStatus.PUBLISHED or document.deprecated_at or document.superseded_by_id:
        return []
    hashes = document.chunks.order_by().values("content_hash")
    elsewhere = Chunk.objects.filter(content_hash__in=hashes).exclude(document=document)
    sizes = Count("content_hash", distinct=True)
    same = dict(elsewhere.order_by().values("document").annotate(n=sizes).values_list("document", "n"))
    own = hashes.distinct().count() if same else 0
    others = Document.objects.filter(pk__in=same, **in_force).defer("body")
    found = [
        Overlap(one, same[one.pk], own, one.passages)
        for one in others.annotate(
            passages=Count("chunks__content_hash", filter=Q(chunks__retired_at=None), distinct=True)
        )
    ]
    alike = [one for one in found if one.shared >= LEAST_SHARE * min(one.own, one.passages)]
    return sorted(alike, key=lambda one: (-one.shared, one.other.title))
