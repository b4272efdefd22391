"""What both legs say becomes one score; what has no direction and no word becomes nothing."""

from uuid import UUID

import numpy as np
import pytest

from knowledge import conf
from knowledge.retrieval.scoring import Candidates, cosine_with, rank_candidates, trust_in_vectors
from knowledge.retrieval.values import Arm, Ranked

ASKED = np.array([1.0, 0.0])
EVEN = (0.5, 0.5)


def ids(count: int) -> tuple[UUID, ...]:
    return tuple(UUID(int=number) for number in range(count))


def candidates(
    vectors: list[list[float]], lexical: list[float], exact: list[bool] | None = None
) -> Candidates:
    return Candidates(
        ids=ids(len(vectors)),
        vectors=np.array(vectors, float),
        lexical=np.array(lexical, float),
        exact=np.array(exact or [False] * len(vectors), bool),
    )


def order(found: Candidates, arm: Arm = "hybrid", floor: float = 0.0, k: int = 10) -> list[int]:
    return [one.chunk_id.int for one in rows(found, arm, floor, k)]


def rows(found: Candidates, arm: Arm = "hybrid", floor: float = 0.0, k: int = 10) -> tuple[Ranked, ...]:
    return rank_candidates(found, ASKED, arm=arm, blend=EVEN, company=False, floor=floor, k=k)


TWO = candidates([[1, 0], [1, 1]], [0.1, 0.5])


def test_each_arm_orders_by_its_own_measure() -> None:
    assert order(TWO, "vector") == [0, 1]
    assert order(TWO, "lexical") == [1, 0]


def test_a_section_asked_for_by_number_is_given_though_many_score_more() -> None:
    found = candidates([[1, 0], [1, 0.1], [0, 1]], [0.9, 0.9, 0.0], [False, False, True])
    assert order(found, k=1) == [2]
    assert order(found, k=2) == [2, 0]


def test_a_section_asked_for_by_number_leads() -> None:
    assert order(candidates([[1, 1], [0, 1]], [0.3, 0.0], [False, True])) == [1, 0]
    assert rows(candidates([[0, 1]], [0.0], [True]))[0].score == pytest.approx(conf.EXACT_SCORE)


def test_it_leads_whatever_the_others_say() -> None:
    assert order(candidates([[1, 0.1], [0, 1]], [1.0, 0.0], [False, True])) == [1, 0]


def test_the_others_keep_their_order_below_it() -> None:
    found = candidates([[0.9, 0.3], [1, 0], [0, 1]], [0.0, 0.0, 0.0], [False, False, True])
    assert order(found, "vector") == [2, 1, 0]
    assert [one.score < conf.EXACT_SCORE - conf.NEAR_EQUAL for one in rows(found, "vector")] == [
        False,
        True,
        True,
    ]


def test_words_count_more_where_several_things_are_asked() -> None:
    near = candidates([[1, 0]], [0.0])
    scores = [
        rank_candidates(near, ASKED, arm="hybrid", blend=blend, company=False, floor=0.0, k=1)[0].score
        for blend in conf.BLENDS
    ]
    assert scores == pytest.approx([0.6, 0.55])


def test_what_is_below_the_floor_is_not_given() -> None:
    assert order(TWO, "vector", floor=0.8) == [0]


@pytest.mark.parametrize("k", [0, -1])
def test_none_are_none(k: int) -> None:
    assert order(TWO, k=k) == []


def test_no_candidates_are_no_ranking() -> None:
    assert (
        rows(Candidates(ids=(), vectors=np.empty((0, 2)), lexical=np.empty(0), exact=np.empty(0, bool))) == ()
    )


def test_a_vector_without_direction_is_near_to_nothing() -> None:
    assert cosine_with(np.array([[0.0, 0.0], [1.0, 0.0]]), ASKED).tolist() == [0, 1]
    assert cosine_with(np.array([[1.0, 0.0]]), np.zeros(2)).tolist() == [0]


def test_an_opposite_is_not_below_nothing() -> None:
    assert cosine_with(np.array([[-1.0, 0.0]]), ASKED).tolist() == [0]


def test_the_leg_whose_best_leads_is_trusted_more() -> None:
    sure, unsure = np.array([0.9, 0.1, 0.1]), np.array([0.5, 0.5, 0.5])
    trusts = [trust_in_vectors(*legs, EVEN) for legs in ((sure, unsure), (sure, sure), (unsure, sure))]
    assert trusts == sorted(trusts, reverse=True)
    assert len(set(trusts)) == 3


def test_equal_scores_come_in_the_order_of_their_ids() -> None:
    assert order(candidates([[1, 0]] * 5, [0.2] * 5)) == [0, 1, 2, 3, 4]
