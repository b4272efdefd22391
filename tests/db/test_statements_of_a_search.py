"""What a search asks is prepared on its connection; a statement that fails takes none of the others with it."""

import pytest
from django.db import connection
from django.db.utils import DataError

from knowledge.retrieval.legs import results_of
from knowledge.retrieval.searchable import Condition

pytestmark = pytest.mark.django_db(transaction=True)

SETTINGS = "SELECT set_config('jit', 'off', true)"
GOOD = Condition("SELECT %(one)s::int + 1", {"one": 1})
BAD = Condition("SELECT 1 / %(none)s::int", {"none": 0})


@pytest.fixture(autouse=True)
def new_connection() -> None:
    connection.close()
    connection.close_pool()


@pytest.mark.parametrize("before", range(8))
def test_what_failed_before_it_was_prepared_is_prepared_the_next_time(before: int) -> None:
    for _ in range(before):
        assert results_of([GOOD], SETTINGS) == [[(2,)]]
    with pytest.raises(DataError, match="division by zero"):
        results_of([BAD, GOOD], SETTINGS)
    assert results_of([GOOD], SETTINGS) == [[(2,)]]


def test_behind_a_pooler_nothing_is_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    connection.ensure_connection()
    monkeypatch.setattr(connection.connection, "prepare_threshold", None)
    for _ in range(3):
        results_of([GOOD], SETTINGS)
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%%+ 1%%'")
        assert cursor.fetchone() == (0,)
