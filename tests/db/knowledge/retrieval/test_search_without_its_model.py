"""An embedding provider that is away, slow or wrong: words alone are searched, and everybody is told."""

import io
import json
from typing import Any

import pytest
from django.core.management import call_command

from knowledge.models import RetrievalLog
from knowledge.retrieval.search import search
from knowledge.retrieval.values import SearchRequest
from llm import registry
from llm.errors import BadKey, ModelError, TimedOut, Unreachable
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.library import FUEL, LIGHTS, MODEL, make_chunk
from tests.doubles.vector_models import two_models
from tests.doubles.vendors import Fails

pytestmark = pytest.mark.django_db


class Failing(HashingEmbedding):
    """Its vectors are in the library; a question gets none."""

    def __init__(self, error: type[ModelError]) -> None:
        super().__init__()
        self.error = error

    def embed_query(self, text: str) -> list[float]:
        raise self.error("the vendor said nothing")


@pytest.fixture(autouse=True)
def library() -> None:
    make_chunk(LIGHTS, section="4-3-13")
    make_chunk(FUEL, section="91.151")


@pytest.mark.parametrize("error", [Unreachable, TimedOut, BadKey])
def test_the_keyword_leg_answers_and_says_so(error: type[ModelError]) -> None:
    found = search(SearchRequest(query="green light signal"), Failing(error))
    assert found.results[0].section == "4-3-13"
    assert error.code in found.degraded
    assert "words alone" in found.to_dict()["degraded"]
    assert RetrievalLog.objects.get().degraded == found.degraded


def test_it_is_not_kept_for_when_the_provider_is_back() -> None:
    asked = SearchRequest(query="green light signal")
    search(asked, Failing(Unreachable))
    after = search(asked, MODEL)
    assert (after.cached, after.degraded) == (False, "")
    assert search(asked, MODEL).cached


def test_an_exact_section_is_found_all_the_same() -> None:
    found = search(SearchRequest(query="§ 91.151"), Failing(Unreachable))
    assert found.results[0].section == "91.151"


def test_the_command_says_it_too() -> None:
    registry.configure_models(chat={}, embedding=lambda: Failing(TimedOut))
    stdout = io.StringIO()
    call_command("search", "green light", "--json", stdout=stdout)
    answer: dict[str, Any] = json.loads(stdout.getvalue())
    assert answer["results"]
    assert "words alone" in answer["degraded"]
    call_command("search", "green light", stdout=stdout)
    assert "words alone" in stdout.getvalue()


def test_a_vendors_failure_over_the_wire() -> None:
    with two_models(*[Fails(500)] * 9):
        model = registry.embedding_model("text-embedding-3-small")
        found = search(SearchRequest(query="green light signal"), model)
    assert found.degraded
