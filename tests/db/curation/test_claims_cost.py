"""A list of claims costs the same few queries, however long it is."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from curation.models import Claim
from tests.doubles.claims import make_claims, make_user

pytestmark = pytest.mark.django_db


def test_the_number_of_queries_does_not_rise_with_the_claims() -> None:
    make_claims()
    client = Client()
    client.force_login(make_user("reviewer1"))
    client.get("/api/v1/claims/")
    asked = []
    for size in (1, Claim.objects.count()):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            rows = client.get("/api/v1/claims/", {"page_size": size}).json()["results"]
        assert len(rows) == size
        assert all(row["quote"] and row["document"] for row in rows)
        asked.append(len(queries))
    assert size > 2
    assert asked[0] == asked[1]
