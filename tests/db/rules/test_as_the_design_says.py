"""The three tests of the rules desk's design (seed 003), as they stand there."""

from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from rules.query.router import QueryRouter
from rules.search.search import RulesRAG
from tests.doubles.rule_files import question, rule_file, two_questions

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


@pytest.fixture
def rules(tmp_path: Path) -> None:
    customs = question(
        "What are the customs requirements on arrival?", "International", [], FR="24 h.", DE="None."
    )
    call_command("load_rules", str(rule_file(tmp_path, [*two_questions(), customs])), stdout=StringIO())


@pytest.mark.usefixtures("rules")
def test_rag_retrieval() -> None:
    rag = RulesRAG()
    results = rag.retrieve("customs requirements", countries=["FR"])
    assert len(results) > 0
    assert all(r["country_code"] == "FR" for r in results)
