"""`manage.py search` and its neighbours: one JSON document, and a line for what is wrong."""

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from knowledge.graph.skeleton import load_standard
from llm import registry
from tests.doubles.library import LIGHTS, MODEL, make_chunk, make_document
from tests.doubles.standards import small_standard

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def models() -> Any:
    registry.configure_models(chat={}, embedding=lambda: MODEL)
    yield
    registry.reset_models()


def output(*arguments: str) -> Any:
    stdout = io.StringIO()
    call_command(*arguments, "--json", stdout=stdout)
    return json.loads(stdout.getvalue())


def test_a_search_as_json() -> None:
    make_chunk(LIGHTS, section="91.125")
    answer = output("search", "green light signal", "-k", "3")
    assert set(answer) >= {"query", "quality", "filters", "fallback", "latency_ms", "results"}
    assert answer["quality"]["verdict"] in {"strong", "weak"}
    names = {"chunk_id", "document", "abbreviation", "doc_type", "heading", "label", "page_start", "page_end"}
    assert set(answer["results"][0]) >= {*names, "score", "similarity", "text", "images"}


def test_where_sources_disagree_is_told() -> None:
    text = (
        "By day the airplane carries fuel for at least {} minutes beyond the first point of intended landing."
    )
    for kind, minutes in (("cfr", 30), ("handbook", 45)):
        make_chunk(text.format(minutes), make_document(kind, doc_type=kind, abbreviation=kind.upper()))
    query = "fuel by day beyond the first point of landing"
    (told,) = output("search", query)["conflicts"]
    assert len(told["chunks"]) == 2
    stdout = io.StringIO()
    call_command("search", query, stdout=stdout)
    assert f"Two sources disagree: {told['what']}" in stdout.getvalue()


def test_a_question_and_its_answer_are_searched_together() -> None:
    make_chunk(LIGHTS, section="91.125")
    make_chunk("Pancakes need flour and milk.", section="0.1")
    answer = output("search", "green light", "--question", "And in flight?", "--answer", "Flour and milk.")
    assert {one["label"].split()[-1] for one in answer["results"]} >= {"91.125"}
    assert answer["results"][0]["text"] == LIGHTS


def test_a_question_that_is_far_too_long_is_refused() -> None:
    with pytest.raises(CommandError, match="answer may have"):
        output("search", "green light", "--answer", "word " * 5000)


def test_nothing_found_is_no_error() -> None:
    assert output("search", "chocolate cake")["results"] == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("search", "fuel", "--tenant", "nobody"),
        ("search", "fuel", "--element", "PA.I.A.K99"),
        ("search", "fuel", "-k", "0"),
        ("search", "fuel", "--threshold", "7"),
        ("search", "fuel", "--arm", "magic"),
        ("bundle", "PA.I.A.K99"),
        ("bundle", "PA.I.E.K1", "--depth", "99"),
        ("load_acs", "/nowhere.pdf"),
    ],
)
def test_a_wrong_argument_is_status_2_and_one_line(arguments: tuple[str, ...]) -> None:
    load_standard(small_standard())
    with pytest.raises(CommandError) as refused:
        output(*arguments)
    assert refused.value.returncode == 2
    assert "\n" not in str(refused.value)


def test_a_bundle_as_json() -> None:
    load_standard(small_standard())
    answer = output("bundle", "PA.I.E.K1")
    assert answer["element"] == "PA.I.E.K1"
    assert set(answer["sections"]) == {
        "requirements",
        "concepts",
        "definitions",
        "errors",
        "follow_ups",
        "references",
    }
    assert answer["nodes"][0]["depth"] == 0


def test_elements_as_json() -> None:
    load_standard(small_standard())
    answer = output("elements", "PA.I.E.K2")
    assert [one["code"] for one in answer] == ["PA.I.E.K2", "PA.I.E.K2a", "PA.I.E.K2b"]
    assert output("elements", "XX") == []
