"""Draw stored results as standalone SVG pictures for the pages of figures. Pure."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from desk.operations.charts import draw_bars

_STYLE: Final = (
    "<style>.plot{font:13px sans-serif}.name{text-anchor:end;fill:#333}.figure{fill:#333}"
    "rect{fill:#2f6f9f}rect.asked{fill:#c9821b}</style>"
)
_BESIDE: Final = {
    "text_beside_bare": "text",
    "figures_beside_bare_that_looks_at_all": "figures",
    "embedding_beside_bare": "embedding",
}


def ingestion(result: Mapping[str, Any]) -> str:
    """How quick each stage is beside its bare library, in all and by file."""
    rows = [
        (f"{name}, {one.get('file', 'all together')}", one[key])
        for key, name in _BESIDE.items()
        for one in (result["all"], *result["files"])
    ]
    return alone(draw_bars("Stages of ingestion beside bare libraries; 1 is as quick", rows))


def golden(result: Mapping[str, Any]) -> str:
    """nDCG@10 of the golden questions: of each way over all of them, of the hybrid arm by kind, and in earlier runs."""
    ways = [(way, figures["all"]["ndcg@10"]) for way, figures in result["ways"].items()]
    kinds = [
        (f"hybrid, {kind}", figures["ndcg@10"])
        for kind, figures in result["ways"]["hybrid"].items()
        if kind != "all"
    ]
    earlier = [
        (f"hybrid, {one['date']} {one['commit'][:8]}", one["ndcg@10"]["all"]) for one in result["earlier"]
    ]
    return alone(draw_bars("nDCG@10 of the golden questions", [*ways, *kinds, *earlier]))


def search(result: Mapping[str, Any]) -> str:
    """p50 of a search at each size, as many times that of a bare HNSW query; p95 under each filter."""
    rows = [
        (f"{way}, {size}", one["beside bare HNSW"][way])
        for way in ("search", "search, filtered")
        for size, one in result["passages"].items()
    ]
    filters = [
        (f"p95 under a filter of {share}, {size}", one["p95 beside bare HNSW"])
        for size, found in result["passages"].items()
        for share, one in found.get("filters", {}).items()
    ]
    return alone(draw_bars("Times that a bare HNSW query of the same database takes", [*rows, *filters]))


def alone(svg: str) -> str:
    """A drawing of a page as a file of its own."""
    head, _, body = svg.partition(">")
    return f'{head} xmlns="http://www.w3.org/2000/svg">{_STYLE}{body}\n'


PLOTS: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    "ingestion": ingestion,
    "golden": golden,
    "search": search,
}
