"""The three tests of the rules desk's design (seed 003), as they stand there."""

from dataclasses import dataclass

import pytest

from rules.routing import QueryRouter

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class HumanMessage:
    content: str


def test_rules_query_routing() -> None:
    router = QueryRouter()
    decision = router.route([HumanMessage("VFR rules in France")])
    assert decision.path == "rules"
    assert "FR" in decision.countries


def test_icao_country_extraction() -> None:
    router = QueryRouter()
    decision = router.route([HumanMessage("Can I land at LFMD?")])
    assert "FR" in decision.countries
