"""Whatever is typed into a search, by page, API or command: passages, or one clear line, never a fault of ours."""

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client, override_settings
from rest_framework.test import APIClient

from knowledge.graph.skeleton import load_standard
from knowledge.models import Document
from knowledge.models.tenancy import Role
from llm import registry
from llm.offline import OfflineChatModel
from tests.doubles.caches import caches_in_memory
from tests.doubles.claims import make_user
from tests.doubles.library import FUEL, LIGHTS, MODEL, WEATHER, make_chunk
from tests.doubles.standards import small_standard
from tests.sampling import sample_of

pytestmark = pytest.mark.django_db

ODD = [
    "x",
    "the of and to a",
    "?!…,;:()",
    "'; DROP TABLE knowledge_document; --",
    "fuel & | ! <-> :* ( ) 'fuel':A",
    "a:* & !b | (c <2> d)",
    "\\' \\\\ %s %(vector)s {} $1",
    "燃料は何分必要ですか",
    "Сколько топлива днём?",
    "كم من الوقود",
    "\u202e\u0000fuel\u0000",
    "🛩️ fuel",
    "fuel " * 1900,
    "<script>alert(1)</script> fuel",
]
REFUSED: list[tuple[dict[str, str], str, str]] = [
    ({"q": ""}, "q", "Say what to look for."),
    ({"q": "  \n "}, "q", "Say what to look for."),
    ({"q": "x" * 100_000}, "q", "10,000 characters; this has 100,000"),
    ({"q": "fuel", "answer": "y" * 10_001}, "answer", "10,000 characters"),
    ({"q": "fuel", "k": "0"}, "k", "A whole number from 1 to 50."),
    ({"q": "fuel", "k": "-1"}, "k", "A whole number from 1 to 50."),
    ({"q": "fuel", "k": "1000000"}, "k", "A whole number from 1 to 50."),
    ({"q": "fuel", "k": "null"}, "k", "A whole number from 1 to 50."),
    ({"q": "fuel", "type": "novel"}, "type", "One of cfr, aim"),
    ({"q": "fuel", "arm": "magic"}, "arm", "One of lexical, vector"),
    ({"q": "fuel", "element": "PA.I.Z.K1"}, "element", "PA.I.Z.K1"),
    ({"q": "fuel", "element": "E" * 61}, "element", "at most 60"),
    ({"q": "fuel", "abbreviation": "A" * 61}, "abbreviation", "at most 60"),
]


@pytest.fixture(autouse=True)
def library() -> Iterator[None]:
    load_standard(small_standard())
    for text, section in ((LIGHTS, "4-3-13"), (FUEL, "91.151"), (WEATHER, "91.155")):
        make_chunk(text, section=section)
    registry.configure_models(chat=lambda: OfflineChatModel({}), embedding=lambda: MODEL)
    yield
    registry.reset_models()
    assert Document.objects.exists()


@pytest.fixture
def operator() -> Any:
    return make_user("olga", Role.OPERATOR)


def page_of(operator: Any, given: dict[str, str]) -> str:
    client = Client()
    client.force_login(operator)
    answer = client.get("/operations/search/", given)
    assert answer.status_code == 200
    return answer.content.decode()


def api_of(operator: Any, given: dict[str, str]) -> Any:
    client = APIClient()
    client.force_authenticate(operator)
    return client.get("/api/v1/search/", given)


@pytest.mark.parametrize("text", sample_of([*ODD], 3))
def test_odd_questions_on_all_three_doors(operator: Any, text: str) -> None:
    plain = text.replace("\0", "")  # an address cannot hold one: tests/db/desk/test_bad_requests.py
    page = page_of(operator, {"q": plain, "expected": plain})
    assert 'class="problem"' not in page or "No passage has this address" in page
    assert "<script>alert" not in page
    answer = api_of(operator, {"q": plain})
    assert answer.status_code == 200
    assert isinstance(answer.json()["results"], list)
    stdout = io.StringIO()
    call_command("search", text, "--json", stdout=stdout)
    assert json.loads(stdout.getvalue())["quality"]["verdict"] in ("strong", "weak", "none")


@pytest.mark.parametrize(("given", "name", "said"), sample_of([*REFUSED], 3))
def test_what_cannot_be_searched_is_said_in_one_line(
    operator: Any, given: dict[str, str], name: str, said: str
) -> None:
    answer = api_of(operator, given)
    assert answer.status_code == 400
    assert said in " ".join(answer.json()["fields"][name])
    page = page_of(operator, given)
    if any(value.strip() for value in given.values()):
        assert 'role="alert"' in page
        assert said.replace("’", "&#x27;") in page or said in page


COMMANDS = [
    ("", "Say what to look for."),
    (" ", "Say what to look for."),
    ("x" * 100_000, "10,000 characters; this has 100,000"),
    ("fuel", "-k", "0", "1 to 100"),
    ("fuel", "-k=-1", "1 to 100"),
    ("fuel", "-k", "1000000", "1 to 100"),
    ("fuel", "--type", "novel", "novel"),
    ("fuel", "--tenant", "nobody", "nobody"),
    ("fuel", "--element", "PA.I.Z.K1", "PA.I.Z.K1"),
]


@pytest.mark.parametrize("arguments", COMMANDS)
def test_the_command_ends_with_status_2_and_one_line(arguments: tuple[str, ...]) -> None:
    *given, said = arguments
    with pytest.raises(CommandError) as refused:
        call_command("search", *given, "--json", stdout=io.StringIO())
    assert refused.value.returncode == 2
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


AWAY = {
    **caches_in_memory(),
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": "redis://127.0.0.1:1/0",
    },
}


def test_with_redis_away_all_three_answer(operator: Any) -> None:
    client = Client()
    client.force_login(operator)
    with override_settings(CACHES=AWAY):
        assert "4-3-13" in client.get("/operations/search/", {"q": "green light"}).content.decode()
        stdout = io.StringIO()
        call_command("search", "green light", "--json", stdout=stdout)
        assert json.loads(stdout.getvalue())["results"]
