"""How well the library could answer many texts, without logging a look-up for each: what coverage is read from."""

from collections.abc import Mapping

from knowledge import conf
from llm.interfaces import EmbeddingModel

from .hybrid import Search, rank
from .quality import quality_of
from .query import Asked, build_query
from .searchable import Scope
from .values import Filters, Quality


def qualities_for(texts: Mapping[str, str], tenant: int | None, model: EmbeddingModel) -> dict[str, Quality]:
    """The quality of the best passages for each text, by the text's key."""
    scope = Scope(tenant=tenant, model=model.name)
    return {key: _quality(text, scope, model) for key, text in texts.items()}


def _quality(text: str, scope: Scope, model: EmbeddingModel) -> Quality:
    query = build_query(Asked(text="", element=text, question="", answer=""))
    ranking = rank(
        Search(
            scope=scope,
            vector=model.embed_query(query.semantic),
            terms=query.terms,
            numbers=(),
            filters=Filters(),
            arm="hybrid",
            k=conf.SEARCH_K,
            floor=conf.SCORE_FLOOR,
        )
    )
    return quality_of([ranked.score for ranked in ranking], model.name)
