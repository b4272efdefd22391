"""Images attached by page alone appeared beside unrelated questions."""

import pytest

from knowledge.retrieval.results import figures_for
from tests.doubles.library import WEATHER, make_chunk, make_figure

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("strategy", "is_evidence"), [("figure_ref", True), ("caption_match", True), ("same_page", False)]
)
def test_a_link_by_page_alone_is_no_evidence(strategy: str, is_evidence: bool) -> None:
    chunk = make_chunk(WEATHER)
    make_figure(chunk, "Figure 1", strategy, relevance=1.0)
    (figure,) = figures_for([chunk.id])[chunk.id]
    assert figure.is_evidence is is_evidence
    assert figure.to_dict()["is_evidence"] is is_evidence
