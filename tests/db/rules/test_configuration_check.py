"""A wrong configuration of the rules desk is a system check with an id."""

from typing import Any

import pytest

from rules.checks import check_configuration


def test_nothing_set_is_nothing_wrong() -> None:
    assert check_configuration(None) == []


@pytest.mark.parametrize("values", [{"comparison": {"min_difference": -1}}, {"unknown": 1}, ["routing"]])
def test_a_wrong_value_is_an_error(settings: Any, values: Any) -> None:
    settings.RULES = values
    assert [message.id for message in check_configuration(None)] == ["rules.E001"]
