"""Evaluations wait for each other, also where a search gives its connection back in between."""

import pytest

from desk.evaluation.beir import Text
from desk.evaluation.scratch import Busy, scratch_library
from knowledge.db.connections import give_connection_back
from tests.doubles.library import FUEL, MODEL

pytestmark = pytest.mark.django_db(transaction=True)
TEXTS = (Text("fuel", "Fuel", FUEL),)


def test_a_second_one_is_refused() -> None:
    with scratch_library(TEXTS, MODEL), pytest.raises(Busy), scratch_library(TEXTS, MODEL):
        pass


def test_one_after_the_other_is_served_whatever_became_of_the_connection() -> None:
    for _ in range(3):
        with scratch_library(TEXTS, MODEL) as (_, names):
            give_connection_back()
            assert list(names.values()) == ["fuel"]
            give_connection_back()


def test_it_is_still_refused_after_the_connection_was_given_back() -> None:
    with scratch_library(TEXTS, MODEL):
        give_connection_back()
        with pytest.raises(Busy), scratch_library(TEXTS, MODEL):
            pass
