"""Passages bring their figures: those that the text names first, those of the same page last."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from knowledge import conf
from knowledge.models import ChunkImageLink
from knowledge.models.documents import LinkStrategy

from .values import Figure

PRIORITY = {LinkStrategy.FIGURE_REF: 0, LinkStrategy.CAPTION_MATCH: 1, LinkStrategy.SAME_PAGE: 2}


def figures_for(
    chunk_ids: Sequence[UUID], most: int = conf.IMAGES_PER_SEARCH
) -> dict[UUID, tuple[Figure, ...]]:
    """Figures by chunk, at most `most` over all, each beside the passage that it is best linked to.

    A link by page alone ranks last, whatever its relevance.
    """
    if not chunk_ids:
        return {}
    place = {chunk_id: at for at, chunk_id in enumerate(chunk_ids)}
    links = ChunkImageLink.objects.filter(chunk_id__in=chunk_ids).select_related("image")
    best: dict[UUID, ChunkImageLink] = {}
    for link in sorted(links, key=lambda link: _order(link, place[link.chunk_id])):
        best.setdefault(link.image_id, link)
    figures: defaultdict[UUID, list[Figure]] = defaultdict(list)
    for link in list(best.values())[:most]:
        figures[link.chunk_id].append(_figure(link))
    return {chunk_id: tuple(shown) for chunk_id, shown in figures.items()}


def _order(link: ChunkImageLink, place: int) -> tuple[Any, ...]:
    return PRIORITY[LinkStrategy(link.strategy)], place, -link.relevance, link.image.page, str(link.image_id)


def _figure(link: ChunkImageLink) -> Figure:
    return Figure(
        image_id=link.image_id,
        figure_label=link.image.figure_label,
        caption=link.image.caption,
        page=link.image.page,
        relevance=link.relevance,
        strategy=link.strategy,  # type: ignore[arg-type]
    )
