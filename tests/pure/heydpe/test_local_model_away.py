"""A command that needs the local model where it is not installed says in one line what to do, with status 3."""

import pytest

from heydpe.runtime.cli import ServiceAway, translated_outages
from llm.errors import LocalModelUnavailable


def test_a_missing_model_is_a_service_that_is_away() -> None:
    with pytest.raises(ServiceAway, match="install it"), translated_outages():
        raise LocalModelUnavailable("the model is not here: install it")
