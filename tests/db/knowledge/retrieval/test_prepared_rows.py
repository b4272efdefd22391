"""A statement that every search makes is planned once a connection, and fails as Django's own do."""

from collections import Counter
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.db.utils import DataError

from knowledge.db.connections import fetch_prepared
from knowledge.models import Tenant
from knowledge.retrieval.search import search
from knowledge.retrieval.values import SearchRequest
from tests.doubles.library import MODEL, make_chunk, make_searchable

pytestmark = pytest.mark.django_db(transaction=True)


def prepared() -> Counter[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        return Counter(statement for (statement,) in cursor.fetchall())


def test_a_statement_with_other_values_is_not_prepared_again() -> None:
    with transaction.atomic():
        for one in range(3):
            assert fetch_prepared("SELECT %(one)s::int * 2", {"one": one}) == [(one * 2,)]
        kept = prepared()
    assert sum("* 2" in statement for statement in kept.elements()) == 1


def test_searches_prepare_each_of_their_statements_once_and_keep_nothing_of_a_question() -> None:
    make_chunk("A secret fuel reserve of thirty minutes by day.")
    make_searchable()
    with transaction.atomic():  # on one connection
        for words in ("secret fuel", "a reserve by day", "minutes of fuel"):
            search(SearchRequest(query=words, exam=uuid4()), MODEL)
        kept = prepared()
    told = [one for one in kept if "knowledge_retrievallog" in one or "FROM waffle_flag" in one]
    assert len(told) == 2
    assert not [one for one in kept if "secret" in one]


def test_what_fails_raises_djangos_error_and_the_next_one_is_answered() -> None:
    with pytest.raises(DataError, match="division by zero"):
        fetch_prepared("SELECT 1 / %(none)s::int", {"none": 0})
    assert fetch_prepared("SELECT 1 / %(none)s::int", {"none": 1}) == [(1,)]


def test_it_belongs_to_the_transaction_around_it() -> None:
    with transaction.atomic():
        fetch_prepared(
            "INSERT INTO knowledge_tenant (slug, name, created_at) VALUES ('a', 'A', now()) RETURNING id", {}
        )
        assert Tenant.objects.exists()
        transaction.set_rollback(True)
    assert not Tenant.objects.exists()
