"""Operators see what the concept graph holds, what is empty, and which elements are thin."""

import pytest
from django.test import Client

from desk.graph_upkeep import refresh_graph
from knowledge.graph.skeleton import load_standard
from knowledge.models.tenancy import Role
from tests.doubles.claims import make_user
from tests.doubles.standards import small_standard

pytestmark = pytest.mark.django_db
PLACE = "/operations/graph/"


def test_empty_types_and_thin_elements_are_named(client: Client) -> None:
    load_standard(small_standard())
    assert set(refresh_graph()) == {"documents", "standards", "claims", "definitions", "item bank"}
    assert refresh_graph() == {}
    client.force_login(make_user("op", Role.OPERATOR))
    text = client.get(PLACE).content.decode()
    assert "Mitigates <span" in text
    assert "Empty: " in text
    assert "Is part of</td>" in text
    assert "ACS element</td>" in text
    assert "the standard 1" in text
    for code in ("acs_element", "regulatory_claim", "is_component_of", "mitigates_risk_of"):
        assert code not in text
    assert "PA.III.A.K5" in text


def test_page_is_for_operators(client: Client) -> None:
    client.force_login(make_user("stu", Role.STUDENT))
    assert client.get(PLACE).status_code == 403
