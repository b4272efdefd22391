"""What is asked for and not built is refused by its name, and never passed over in silence."""

from typing import Any

import pytest

from exams.domain.exam_request import OrderRefused, order_from

ANY_ID = "6f1c0c6e-3c2f-4d4e-9a3e-0d9a5b7c2f11"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("aircraft", ANY_ID),
    ],
)
def test_what_is_not_built_yet_is_refused_by_name(field: str, value: Any) -> None:
    with pytest.raises(OrderRefused) as refused:
        order_from({field: value})
    assert list(refused.value.fields) == [field]
    assert "not built yet" in refused.value.fields[field][0]


@pytest.mark.parametrize("field", ["manner", "mode", "aircraft", "continues"])
def test_null_is_the_default(field: str) -> None:
    assert order_from({field: None}) == order_from({})
