"""The accepted wordings of the project's own items, as the judge reads them."""

from exams.bank.files import ITEMS, parse_items
from exams.offline.findings import find_pressing_on


def test_no_accepted_wording_is_taken_for_pressing_on() -> None:
    points = [point for item in parse_items([ITEMS]).items for point in item.points]
    assert not [one for point in points for one in (point.text, *point.accept) if find_pressing_on(one)]
