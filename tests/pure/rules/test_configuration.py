"""The rules desk's configuration: the design's defaults, and nothing that cannot be used."""

from typing import Any

import pytest

from rules.configuration import Configuration, WrongConfiguration, configuration_from


def test_the_defaults_are_those_of_the_design() -> None:
    said = configuration_from({})
    retrieval, comparison = said.rag.retrieval, said.comparison
    assert (retrieval.top_k, retrieval.similarity_threshold) == (5, 0.3)
    assert retrieval.rerank_candidates_multiplier == 2
    assert (comparison.max_questions, comparison.min_difference) == (15, 0.1)
    assert said.routing.enabled
    assert said.query_reformulation.enabled
    assert said == Configuration()


@pytest.mark.parametrize(
    ("values", "place"),
    [
        ({"comparison": {"max_questions": 0}}, "comparison.max_questions"),
        ({"comparison": {"max_questions": "15"}}, "comparison.max_questions"),
        ({"rag": {"retrieval": {"similarity_threshold": 3}}}, "rag.retrieval.similarity_threshold"),
        ({"reranking": {"provider": "nobody"}}, "reranking.provider"),
        ({"rooting": {}}, "rooting"),
    ],
)
def test_a_wrong_value_is_said_with_its_place(values: dict[str, Any], place: str) -> None:
    with pytest.raises(WrongConfiguration) as refused:
        configuration_from(values)
    assert [where for where, _ in refused.value.faults] == [place]
