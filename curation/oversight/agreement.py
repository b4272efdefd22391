"""How far reviewers agree beyond chance: Cohen's kappa for a pair, Krippendorff's alpha for any number of them.

Judgments are names without an order ("approve", "edit", "reject"). Both measures are 1 for agreement without exception
and 0 for what chance gives; None where chance alone explains everything, as when all judgments are the same. Pure.

Cohen, J. (1960): A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20, 37-46.
Krippendorff, K. (2011): Computing Krippendorff's alpha-reliability. University of Pennsylvania, sections B and C.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations

Judgments = Mapping[str, str]
"""Of one claim: what each reviewer judged."""


def cohens_kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """(observed - expected) / (1 - expected) over the judgments of two reviewers on the same claims."""
    total = len(pairs)
    if not total:
        return None
    observed = sum(one == other for one, other in pairs) / total
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    expected = sum(first[name] * second[name] for name in first) / total**2
    return None if expected == 1 else (observed - expected) / (1 - expected)


def krippendorffs_alpha(units: Iterable[Sequence[str]]) -> float | None:
    """1 - observed / expected disagreement, over the judgments of each claim. One judgment alone counts for nothing."""
    coincidences: defaultdict[tuple[str, str], float] = defaultdict(float)
    for judgments in units:
        for pair in permutations(judgments, 2):
            coincidences[pair] += 1 / (len(judgments) - 1)
    totals: defaultdict[str, float] = defaultdict(float)
    for (name, _), count in coincidences.items():
        totals[name] += count
    observed = sum(count for (one, other), count in coincidences.items() if one != other)
    expected = sum(totals[one] * totals[other] for one, other in permutations(totals, 2))
    return 1 - (sum(totals.values()) - 1) * observed / expected if expected else None


def pairs_of(one: str, other: str, claims: Iterable[Judgments]) -> list[tuple[str, str]]:
    """What two reviewers judged of the claims that both read."""
    return [(said[one], said[other]) for said in claims if one in said and other in said]
