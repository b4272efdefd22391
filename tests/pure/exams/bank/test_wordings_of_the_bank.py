"""The accepted wordings of the project's own items, as the judge reads them."""

from exams.offline.findings import find_pressing_on
from tests.doubles.bank import bank_items


def test_no_accepted_wording_is_taken_for_pressing_on() -> None:
    points = [point for item in bank_items() for point in item.points]
    assert not [one for point in points for one in (point.text, *point.accept) if find_pressing_on(one)]
