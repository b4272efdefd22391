"""What serves the Task that is tested goes before what scores higher, unless it says too little."""

import pytest
from waffle.testutils import override_flag

from knowledge.flags import FILTER
from knowledge.graph.skeleton import load_standard
from knowledge.models import Chunk, ChunkTask
from knowledge.retrieval.explain import explain_missing
from knowledge.retrieval.search import search
from knowledge.retrieval.values import SearchRequest, SearchResponse
from tests.doubles.library import MODEL, make_chunk, make_document, make_tenant
from tests.doubles.standards import small_standard

pytestmark = pytest.mark.django_db
ELEMENT, TASK = "PA.III.A.K5", "PA.III.A"


@pytest.fixture(autouse=True)
def standard() -> None:
    load_standard(small_standard())


def ask(**options: object) -> SearchResponse:
    return search(SearchRequest(**{"element": ELEMENT, "threshold": 0.0, **options}), MODEL)  # type: ignore[arg-type]


def passage(text: str, *, serves: str = "", **fields: object) -> Chunk:
    chunk = make_chunk(text, make_document(text[:20], **fields))
    if serves:
        ChunkTask.objects.create(chunk=chunk, task_code=serves, origin="references")
    return chunk


def order(response: SearchResponse) -> list[object]:
    return [one.chunk_id for one in response.results]


def of_the_task() -> tuple[Chunk, Chunk]:
    """Two that say enough of it."""
    return (
        passage("ATC light signals of the tower to an airplane in the air.", serves=TASK),
        passage("Light signals to ATC from the ground without a radio.", serves=TASK),
    )


def best_of_another() -> Chunk:
    return passage("ATC light signals. Communications and light signals. Light signals.", serves="PA.I.A")


def test_they_go_first_and_others_fill_what_is_left() -> None:
    first, other = of_the_task(), best_of_another()
    plain = ask(flags=())
    assert order(plain)[0] == other.id
    found = ask()
    assert set(order(found)[:2]) == {one.id for one in first}
    assert order(found)[2] == other.id
    assert found.filters["task"] == TASK
    assert not found.fallback


def test_where_they_say_too_little_all_compete() -> None:
    passage("The propeller of the airplane turns clockwise.", serves=TASK)
    other = best_of_another()
    found = ask()
    assert order(found)[0] == other.id
    assert found.fallback
    assert "task" not in found.filters


def test_without_the_flag_nothing_goes_first() -> None:
    of_the_task()
    other = best_of_another()
    with override_flag(FILTER, active=False):
        assert order(ask())[0] == other.id


def test_a_schools_own_papers_count_as_the_tasks() -> None:
    school, elsewhere = make_tenant(), make_tenant("elsewhere")
    of_the_task()
    own = passage("Light signals of our own tower: ATC light signals for students.", tenant=school)
    theirs = passage("Light signals of their own tower: ATC light signals.", tenant=elsewhere)
    other = best_of_another()
    found = order(ask(tenant=school.pk))
    assert found.index(own.id) < found.index(other.id)
    assert theirs.id not in found


def test_what_is_kept_of_a_search_keeps_the_order() -> None:
    of_the_task()
    best_of_another()
    first, again = ask(), ask()
    assert again.cached
    assert order(first) == order(again)


def test_words_name_more_than_the_task_does() -> None:
    of_the_task()
    rule = make_chunk("Fuel for light signals.", make_document(), section="91.151")
    assert order(ask(question="What does 14 CFR 91.151 say of light signals?"))[0] == rule.id


def test_a_standard_says_what_is_asked_and_not_what_is_right() -> None:
    printed = passage("K5. Air Traffic Control (ATC) light signals.", doc_type="acs", serves=TASK)
    assert printed.id not in order(ask())
    assert printed.id in order(ask(element="", query="ATC light signals"))
    (why,) = explain_missing(SearchRequest(element=ELEMENT), printed, MODEL).reasons
    assert "certification standard" in why
