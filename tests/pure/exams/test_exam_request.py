"""What is asked for and not built is refused by its name, and never passed over in silence."""

import uuid
from typing import Any

import pytest

from exams.domain.exam_request import OrderRefused, order_from


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("manner", "checkride"),
        ("mode", "mock"),
        ("aircraft", str(uuid.uuid4())),
        ("continues", str(uuid.uuid4())),
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
