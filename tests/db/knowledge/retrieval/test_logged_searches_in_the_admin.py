"""The logged searches in the admin, as operators and reviewers read them."""

import pytest
from django.test import Client

from knowledge.models import RetrievalLog
from knowledge.models.tenancy import Role
from tests.doubles.claims import make_user

pytestmark = pytest.mark.django_db
PLACE = "/admin/knowledge/retrievallog/"


def test_scores_and_times_are_rounded(client: Client) -> None:
    result = {"chunk_id": "00000000-0000-0000-0000-000000000001", "score": 0.5966348204575005}
    log = RetrievalLog.objects.create(
        query="fuel",
        arm="hybrid",
        quality="good",
        top=0.5966348204575005,
        latency_ms=1460.66449,
        results=[result],
    )
    RetrievalLog.objects.create(query="nothing", arm="hybrid", quality="none", latency_ms=3.2)
    client.force_login(make_user("operator", Role.OPERATOR))
    for page in (PLACE, f"{PLACE}{log.pk}/change/"):
        text = client.get(page).content.decode()
        assert "0.60" in text
        assert "1,461 ms" in text
        assert "0.5966" not in text
        assert "1460.66" not in text
