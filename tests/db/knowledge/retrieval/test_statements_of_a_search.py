"""What a search asks is prepared on its connection; a statement that fails takes none of the others with it."""

from typing import Any

import pytest
from django.db import connection, connections
from django.db.backends.postgresql.base import DatabaseWrapper
from django.db.utils import DataError

from heydpe.env import read_environment
from knowledge.models import Tenant
from knowledge.retrieval.candidates import Search, rank_passages, run_statements
from knowledge.retrieval.searchable import Condition, Scope, searchable_chunks
from knowledge.retrieval.values import Filters
from tests.doubles.library import MODEL, make_chunk, make_searchable, make_vectors

pytestmark = pytest.mark.django_db(transaction=True)

SCAN = Condition("SELECT set_config('jit', 'off', true)")
GOOD = Condition("SELECT %(one)s::int + 1", {"one": 1})
BAD = Condition("SELECT 1 / %(none)s::int", {"none": 0})


@pytest.fixture(autouse=True)
def new_connection() -> None:
    here = connections[connection.alias]
    assert isinstance(here, DatabaseWrapper)
    here.close()
    here.close_pool()


def prepared() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%%+ 1'")
        return int(cursor.fetchone()[0])


@pytest.mark.parametrize("before", range(8))
def test_what_failed_before_it_was_prepared_is_prepared_the_next_time(before: int) -> None:
    for _ in range(before):
        assert run_statements([GOOD], SCAN) == [[(2,)]]
    with pytest.raises(DataError, match="division by zero"):
        run_statements([BAD, GOOD], SCAN)
    assert run_statements([GOOD], SCAN) == [[(2,)]]


@pytest.mark.parametrize("pooler", ["", "yes"])
def test_behind_a_pooler_nothing_is_prepared(settings: Any, pooler: str) -> None:
    settings.PREPARED_STATEMENTS = not read_environment({"DATABASE_POOLER": pooler}).database_pooler
    for _ in range(3):
        run_statements([GOOD], SCAN)
    assert prepared() == (0 if pooler else 1)


def test_of_other_statements_nothing_is_kept() -> None:
    """The text of a statement of Django's holds its values."""
    run_statements([GOOD], SCAN)
    list(Tenant.objects.filter(slug="a-secret"))
    kept = connection.connection._prepared
    assert not [key for key in (*kept._counts, *kept._names) if b"a-secret" in key[0]]


@pytest.mark.parametrize("name", ["50% of 'it'", "x%(tenant)s", "back\\slash; --", "ü“%s”"])
def test_any_name_of_a_model_stands_in_a_statement(name: str) -> None:
    chunk = make_chunk("Fuel for the flight.", embed=False)
    make_vectors([chunk], model=name)
    make_searchable()
    scope = Scope(tenant=None, model=name)
    assert [one.pk for one in searchable_chunks(scope)] == [chunk.pk]
    found = rank_passages(
        Search(
            scope=scope,
            vector=MODEL.embed_query("fuel"),
            terms=(),
            numbers=(),
            filters=Filters(),
            arm="vector",
            k=5,
            floor=0.0,
        )
    )
    assert [one.chunk_id for one in found] == [chunk.pk]
