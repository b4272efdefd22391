"""How many passages a filter leaves decides whether all of them are compared or the index is followed."""

import pytest
from django.db import connection

from knowledge.library_version import index_words, read_index_state
from knowledge.models import Tenant
from knowledge.retrieval.candidates import Search, Selectivity, most_compared, rank_passages, selectivity_for
from knowledge.retrieval.searchable import Scope
from knowledge.retrieval.values import Filters
from tests.doubles.library import MODEL, make_chunk, make_document, make_tenant

pytestmark = pytest.mark.django_db


@pytest.fixture
def school() -> Tenant:
    school = make_tenant()
    for number in range(6):
        make_chunk(f"Shared passage {number}.", section=f"91.{number}")
    manual = make_document("Manual", abbreviation="AIM", doc_type="aim")
    for number in range(3):
        make_chunk(f"Passage {number} of the manual.", manual)
    make_chunk("The school's own.", make_document("House rules", tenant=school))
    make_chunk("Elsewhere.", make_document("Elsewhere", tenant=make_tenant("other")))
    return school


def counted(filters: Filters = Filters(), **scope: object) -> Selectivity:  # noqa: B008 - it is frozen
    told = Scope(**{"tenant": None, "model": MODEL.name, **scope})  # type: ignore[arg-type]
    return selectivity_for(told, filters, read_index_state())


@pytest.mark.parametrize("written", [False, True])
def test_passages_are_counted_by_owner_and_filter(school: Tenant, written: bool) -> None:
    if written:
        index_words()
    assert counted() == Selectivity(9, 9, 11)
    assert counted(tenant=school.pk) == Selectivity(10, 10, 11)
    assert counted(tenant=school.pk, shared=False) == Selectivity(1, 1, 11)
    assert counted(Filters(doc_types=("aim",))) == Selectivity(3, 9, 11)


def test_what_single_passages_meet_is_counted_where_it_matters(
    school: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("knowledge.conf.EXACT_ROWS", 1)
    assert most_compared(11) == 3
    assert counted(Filters(sections=("91.4",))).allowed == 1
    assert counted(Filters(sections=("91.*",))) == Selectivity(
        4, 9, 11
    )  # one more than would be read: that is enough


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (("91.4",), 1),
        (("91.*",), 6),
        (("91.4", "91.5", "14.*"), 2),
        (("9%*",), 0),
        (("91_*",), 0),
        (("9*.3",), 1),
    ],
)
def test_sections_are_named_one_by_one_or_by_how_they_begin(
    school: Tenant, asked: tuple[str, ...], found: int
) -> None:
    search = Search(
        scope=Scope(tenant=None, model=MODEL.name),
        vector=MODEL.embed_query("passage"),
        terms=(),
        numbers=(),
        filters=Filters(sections=asked),
        arm="vector",
        k=20,
        floor=0.0,
    )
    assert len(rank_passages(search)) == found


def test_another_state_of_the_library_is_counted_anew(school: Tenant) -> None:
    index_words()
    before = counted()
    make_chunk("One more.")
    assert counted().allowed == before.allowed + 1
    index_words()
    assert counted().allowed == before.allowed + 1


def test_settings_end_with_the_statement_that_they_are_for(school: Tenant) -> None:
    asked = Search(
        scope=Scope(tenant=None, model=MODEL.name),
        vector=MODEL.embed_query("passage"),
        terms=(),
        numbers=(),
        filters=Filters(),
        arm="vector",
        k=5,
        floor=0.0,
    )
    assert len(rank_passages(asked)) == 5
    with connection.cursor() as cursor:
        for name in ("enable_sort", "enable_seqscan", "enable_hashjoin", "enable_mergejoin", "jit"):
            cursor.execute(f"SHOW {name}")
            assert cursor.fetchone() == ("on",)
        cursor.execute("SHOW plan_cache_mode")
        assert cursor.fetchone() == ("auto",)


def test_few_are_compared_and_many_are_not() -> None:
    assert Selectivity(50, 50_000, 50_000).is_narrow
    assert not Selectivity(5_000, 50_000, 50_000).is_narrow
    assert Selectivity(0, 0, 0).is_narrow
