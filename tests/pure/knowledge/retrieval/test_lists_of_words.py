"""Lists of passages become BM25 as the books have it, whatever is read of them and in whatever order."""

from math import log

import numpy as np
import pytest

from knowledge import conf
from knowledge.retrieval import scoring
from knowledge.retrieval.query.builder import Term
from knowledge.retrieval.scoring import (
    PostingList,
    WeightedTerm,
    WordingPostings,
    affordable_terms,
    decode_postings,
    find_best_passages,
    intersect_postings,
    score_words,
    unite_postings,
    weigh_terms,
)

PASSAGES = 1000


def packed(*entries: tuple[int, int, bool, int]) -> bytes:
    """Place in the block, how often, in the heading, different words of the passage."""
    numbers = [
        place * conf.WORDS_PLACE + often * conf.WORDS_OFTEN + headed * conf.WORDS_HEADED + long
        for place, often, headed, long in entries
    ]
    return np.array(numbers, ">u4").tobytes()


def found(*numbers: int, strength: float = 1.0) -> PostingList:
    return PostingList(
        np.array(numbers, np.int64), np.full(len(numbers), strength / (1 + strength), np.float32)
    )


def terms(*lists: PostingList, passages: int = PASSAGES) -> tuple[WeightedTerm, ...]:
    asked = [(Term((f"word{at}",)), (WordingPostings(one),)) for at, one in enumerate(lists)]
    return weigh_terms(asked, passages)


def bm25(often: float, long: int) -> float:
    usual = 1 - conf.BM25_LENGTH_SHARE + conf.BM25_LENGTH_SHARE * long / conf.BM25_USUAL_LENGTH
    return often / (often + conf.BM25_SATURATION * usual)


def test_numbers_come_from_block_and_place() -> None:
    read = decode_postings(
        [(2, packed((5, 1, False, 90))), (0, packed((7, 1, False, 90), (8191, 1, False, 90)))]
    )
    assert read.numbers.tolist() == [7, 8191, 2 * conf.WORDS_BLOCK + 5]


def test_lists_of_two_owners_in_one_block_become_one_in_order() -> None:
    read = decode_postings(
        [(0, packed((1, 1, False, 90), (40, 2, False, 90))), (0, packed((10, 3, False, 90)))]
    )
    assert read.numbers.tolist() == [1, 10, 40]
    assert read.strength.tolist() == pytest.approx([1 / 1.2, 3 / 1.2, 2 / 1.2])


@pytest.mark.parametrize(("often", "headed", "long"), [(1, False, 90), (3, False, 20), (63, True, 2047)])
def test_one_word_has_the_score_of_bm25(often: int, headed: bool, long: int) -> None:
    read = decode_postings([(0, packed((1, often, headed, long)))])
    score = score_words(terms(read), read.numbers, {})[0]
    assert score == pytest.approx(bm25(often + conf.HEADING_TIMES * headed, long), rel=1e-5)


def test_a_run_stands_where_all_its_words_do_and_as_often_as_the_rarest() -> None:
    run = intersect_postings([found(1, 2, 3, 9, strength=2), found(2, 9, 11, strength=5)])
    assert run.numbers.tolist() == [2, 9]
    assert run.strength.tolist() == pytest.approx([2, 2])


def test_a_run_with_a_word_that_stands_nowhere_stands_nowhere() -> None:
    assert len(intersect_postings([found(1, 2), found()])) == 0


def test_two_wordings_of_one_term_count_together() -> None:
    one = unite_postings([found(1, 2), found(2, 3)])
    strengths = dict(zip(one.numbers.tolist(), one.strength.tolist(), strict=True))
    assert strengths == pytest.approx({1: 1, 2: 2, 3: 1})


def test_a_run_that_does_not_stand_there_after_all_counts_nothing() -> None:
    asked = weigh_terms([(Term(("class g",)), (WordingPostings(found(1, 2), "'class' <-> 'g'"),))], PASSAGES)
    numbers = np.array([1, 2])
    scores = score_words(asked, numbers, {"'class' <-> 'g'": np.array([True, False])})
    assert scores[0] > 0 == scores[1]


def test_a_word_in_another_form_counts_for_less() -> None:
    asked = weigh_terms([(Term(("operator",)), (WordingPostings(found(1, 2)),))], PASSAGES)
    numbers = np.array([1, 2])
    as_asked, other = score_words(asked, numbers, {"operator": np.array([True, False])})
    assert other == pytest.approx(conf.OTHER_FORM * as_asked)
    assert (
        score_words(asked, numbers, {})[1] == as_asked
    )  # before the passages are read, the stem alone is known


@pytest.mark.parametrize(
    ("wordings", "form"),
    [
        (("operator",), "operator"),
        (("vfr", "visual flight rules"), ""),
        (("class g",), ""),
        (("91.155",), ""),
    ],
)
def test_only_a_single_word_has_a_form(wordings: tuple[str, ...], form: str) -> None:
    assert Term(wordings).form == form


def test_the_rarer_word_weighs_more_as_bm25_says() -> None:
    rare, common = terms(found(1), found(*range(100)))
    assert rare.weight / common.weight == pytest.approx(log(1001 / 1.5) / log(1001 / 100.5))


def test_what_stands_nowhere_keeps_scores_from_the_whole() -> None:
    numbers = np.array([1])
    assert (
        score_words(terms(found(1), found()), numbers, {})[0] < score_words(terms(found(1)), numbers, {})[0]
    )


def test_the_best_are_those_with_the_highest_scores() -> None:
    chance = np.random.default_rng(7)
    lists = [
        PostingList(np.sort(chance.choice(50_000, size, replace=False)), chance.random(size, np.float32))
        for size in (60, 900, 7000, 20_000)
    ]
    asked = terms(*lists, passages=50_000)
    everything = np.arange(50_000)
    scores = score_words(asked, everything, {})
    best = find_best_passages(asked, 50)
    assert scores[best].tolist() == pytest.approx(np.sort(scores)[::-1][:50].tolist(), rel=1e-5)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("most", [1, 7, 50])
def test_lists_that_are_not_summed_change_nothing(seed: int, most: int) -> None:
    chance = np.random.default_rng(seed)
    lists = []
    for size in chance.integers(1, 30_000, chance.integers(1, 9)):
        numbers = np.sort(chance.choice(40_000, size, replace=False)) * int(chance.choice([1, 50]))
        lists.append(PostingList(numbers, chance.random(size, np.float32)))
    asked = terms(*lists, passages=40_000)
    everything = np.unique(np.concatenate([one.numbers for one in lists]))
    scores = score_words(asked, everything, {})
    best = find_best_passages(asked, most)
    assert len(set(best.tolist())) == len(best)
    found = scores[np.searchsorted(everything, best)]
    assert found.tolist() == pytest.approx(np.sort(scores)[::-1][:most].tolist(), rel=1e-4)


def test_long_lists_are_asked_only_about_what_can_still_be_best(monkeypatch: pytest.MonkeyPatch) -> None:
    rare, everywhere = found(*range(0, 4000, 40)), found(*range(4000))
    asked: list[int] = []
    plain = scoring.shares_at
    monkeypatch.setattr(
        scoring,
        "shares_at",
        lambda numbers, one: asked.append(len(one)) or plain(numbers, one),  # type: ignore[func-returns-value]
    )
    assert find_best_passages(terms(everywhere, rare, passages=4001), 50).tolist() == list(range(0, 2000, 40))
    assert asked == [4000]


def test_fewer_passages_than_wanted_are_all_there_are() -> None:
    assert sorted(find_best_passages(terms(found(5), found(9_000_000)), 50).tolist()) == [5, 9_000_000]


def test_no_word_brings_no_passage() -> None:
    assert find_best_passages((), 5).tolist() == find_best_passages(terms(found()), 5).tolist() == []


def test_of_lists_that_are_too_long_together_the_longest_are_left_out() -> None:
    passages = {"rare": 5, "usual": conf.LEXICAL_POSTINGS - 5, "everywhere": conf.LEXICAL_POSTINGS}
    assert affordable_terms(passages, [["everywhere"], ["usual"], ["rare"]]) == [False, True, True]


def test_the_rarest_is_always_read() -> None:
    assert affordable_terms({"one": 10**9, "other": 10**9 + 1}, [["other"], ["one"]]) == [False, True]
