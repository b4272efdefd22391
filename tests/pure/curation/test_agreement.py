"""Measures of agreement give what their authors and other publications computed."""

import pytest

from curation.oversight.agreement import cohens_kappa, krippendorffs_alpha, pairs_of


def pairs(table: list[list[int]]) -> list[tuple[str, str]]:
    """A table of counts: a row for each judgment of the first reviewer, a column for each of the second."""
    return [
        (str(row), str(column))
        for row, counts in enumerate(table)
        for column, count in enumerate(counts)
        for _ in range(count)
    ]


@pytest.mark.parametrize(
    ("table", "kappa"),
    [
        # Cohen 1960, table 1: two psychiatrists, three diagnoses, 200 patients; .492
        ([[88, 14, 18], [10, 40, 10], [2, 6, 12]], 0.492),
        # Viera and Garrett 2005 (Family Medicine 37): two residents on 100 lectures; .57
        ([[15, 10], [5, 70]], 0.571),
        ([[10, 0], [0, 10]], 1.0),
        ([[0, 10], [10, 0]], -1.0),
    ],
)
def test_cohens_kappa_of_published_examples(table: list[list[int]], kappa: float) -> None:
    assert cohens_kappa(pairs(table)) == pytest.approx(kappa, abs=0.0005)


def units(*readers: str) -> list[list[str]]:
    """A line for each reader, a column for each unit; a dot is no judgment."""
    return [[one for one in column if one != "."] for column in zip(*readers, strict=True)]


@pytest.mark.parametrize(
    ("readers", "alpha"),
    [
        # Krippendorff 2011, section A: binary data, two observers; .095
        (("0100000010", "1110010000"), 0.095),
        # section B: nominal data, two observers; .692
        (("aabbdcccedda", "babbbccceddd"), 0.692),
        # section C: nominal data, four observers, missing values; .743
        (("123321412...", "1233224125.3", ".3332342251.", "12332441251."), 0.743),
    ],
)
def test_krippendorffs_alpha_of_published_examples(readers: tuple[str, ...], alpha: float) -> None:
    assert krippendorffs_alpha(units(*readers)) == pytest.approx(alpha, abs=0.0005)


def test_what_cannot_be_computed_is_none() -> None:
    assert cohens_kappa([]) is None
    assert cohens_kappa([("approve", "approve")] * 5) is None
    assert krippendorffs_alpha([]) is None
    assert krippendorffs_alpha([["approve"], ["reject"]]) is None
    assert krippendorffs_alpha([["approve", "approve"]] * 5) is None


def test_pairs_are_of_claims_that_both_read() -> None:
    claims = [{"anna": "approve", "ben": "reject"}, {"anna": "edit"}, {"ben": "edit", "cleo": "edit"}]
    assert pairs_of("anna", "ben", claims) == [("approve", "reject")]
