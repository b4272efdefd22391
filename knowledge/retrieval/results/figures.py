"""Passages bring their figures: those that the text names first, those of the same page last."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from knowledge import conf
from knowledge.db.prepared_statements import rows_of
from knowledge.models.documents import LinkStrategy
from knowledge.retrieval.values import Figure


class _Link(NamedTuple):
    """A link with what is shown of its figure, in the order of `_LINKS`."""

    chunk_id: UUID
    image_id: UUID
    strategy: str
    relevance: float
    page: int
    label: str
    caption: str


_LINKS = """
    SELECT link.chunk_id, link.image_id, link.strategy, link.relevance, i.page, i.figure_label, i.caption
    FROM knowledge_chunkimagelink link JOIN knowledge_image i ON i.id = link.image_id
    WHERE link.chunk_id = ANY(%(chunks)s)"""

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
    links = map(_Link._make, rows_of(_LINKS, {"chunks": list(chunk_ids)}))
    best: dict[UUID, _Link] = {}
    for link in sorted(links, key=lambda link: _order(link, place[link.chunk_id])):
        best.setdefault(link.image_id, link)
    figures: defaultdict[UUID, list[Figure]] = defaultdict(list)
    for link in list(best.values())[:most]:
        figures[link.chunk_id].append(_figure(link))
    return {chunk_id: tuple(shown) for chunk_id, shown in figures.items()}


def _order(link: _Link, place: int) -> tuple[Any, ...]:
    return PRIORITY[LinkStrategy(link.strategy)], place, -link.relevance, link.page, str(link.image_id)


def _figure(link: _Link) -> Figure:
    return Figure(
        image_id=link.image_id,
        figure_label=link.label,
        caption=link.caption,
        page=link.page,
        relevance=link.relevance,
        strategy=link.strategy,  # type: ignore[arg-type]
    )
