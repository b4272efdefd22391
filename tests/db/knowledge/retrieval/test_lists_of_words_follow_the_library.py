"""Words are found in what is in force, from the moment on, whether or not their lists have been written since."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.management import call_command
from django.db import connections, transaction
from django.utils import timezone

from knowledge.documents.lifecycle import archive_document, deprecate_document, publish_document
from knowledge.library_version import (
    generations_of,
    index_words,
    last_index_state,
    library_changed,
    read_index_state,
)
from knowledge.models import Chunk, Document, Posting, StaleBlock
from knowledge.retrieval.candidates import Search, rank_passages
from knowledge.retrieval.query.builder import Asked, build_query
from knowledge.retrieval.searchable import Scope
from knowledge.retrieval.values import Filters, Ranked
from tests.doubles.library import LIGHTS, MODEL, WEATHER, make_chunk, make_document, make_tenant

pytestmark = pytest.mark.django_db


def ranking(text: str, tenant: int | None = None, *, shared: bool = True, k: int = 5) -> tuple[Ranked, ...]:
    search = Search(
        scope=Scope(tenant=tenant, model=MODEL.name, shared=shared),
        vector=MODEL.embed_query(text),
        terms=build_query(Asked(text=text)).terms,
        numbers=(),
        filters=Filters(),
        arm="lexical",
        k=k,
        floor=0.0,
    )
    return rank_passages(search)


def found(text: str) -> list[str]:
    return [Chunk.every.get(pk=one.chunk_id).text for one in ranking(text) if one.lexical > 0]


def test_a_change_makes_its_block_stale_and_indexing_writes_it() -> None:
    make_chunk(WEATHER)
    assert StaleBlock.objects.exists()
    assert index_words() == 1
    assert not StaleBlock.objects.exists()
    assert Posting.objects.filter(lexeme="airspac", owner=0, passages=1).exists()
    assert index_words() == 0


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("most_compared", [0, 160])
def test_a_process_that_met_another_state_of_the_lists_searches_again(
    monkeypatch: pytest.MonkeyPatch, most_compared: int
) -> None:
    monkeypatch.setattr("knowledge.conf.EXACT_ROWS", most_compared)
    make_chunk(WEATHER)
    index_words()
    before = read_index_state()
    assert found("position lights") == []
    make_chunk(LIGHTS)
    with transaction.atomic():
        index_words()
    assert last_index_state() == before  # as where another process has written them
    assert found("position lights") == [LIGHTS]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("listed", [True, False])
def test_lists_that_are_not_committed_yet_are_nobody_elses(*, listed: bool) -> None:
    make_chunk(WEATHER)
    library_changed(None)
    assert found("flight visibility") == [WEATHER]
    draft = make_document("Draft", status="draft" if listed else "published")
    make_chunk(LIGHTS, draft)
    with transaction.atomic():
        Document.objects.filter(pk=draft.pk).update(status="published")
        library_changed(None)
        library_changed(None)  # as where a document brings a new abbreviation
        assert beside(lambda: found("steady green light")) == ([] if listed else [LIGHTS])
    assert found("steady green light") == [LIGHTS]


def beside(searched: Callable[[], list[str]]) -> list[str]:
    """In another thread, whose connection sees what is committed."""

    def run() -> list[str]:
        try:
            return searched()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()


def test_lists_that_were_rolled_back_are_forgotten() -> None:
    make_chunk(WEATHER)
    index_words()
    assert found("statute mile") == [WEATHER]
    with transaction.atomic():
        Document.objects.update(status="archived")
        index_words()
        assert found("statute mile") == []
        transaction.set_rollback(True)
    assert found("statute mile") == [WEATHER]


def test_a_library_older_than_its_lists_gets_them_with_the_tables() -> None:
    library_changed(None)
    before = generations_of(None)
    make_chunk(WEATHER)
    call_command("migrate", verbosity=0)
    assert not StaleBlock.objects.exists()
    assert Posting.objects.filter(lexeme="airspac").exists()
    assert generations_of(None) > before  # what was found without them is not met again


def test_where_the_tables_of_the_lists_are_gone_nothing_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    make_chunk(WEATHER)
    monkeypatch.setattr("knowledge.library_version.has_word_index", lambda: False)
    call_command("migrate", verbosity=0)
    assert StaleBlock.objects.exists()


@pytest.mark.parametrize("most_compared", [0, 160])
def test_owners_whose_passages_lie_between_each_others_lose_none(
    monkeypatch: pytest.MonkeyPatch, most_compared: int
) -> None:
    monkeypatch.setattr("knowledge.conf.EXACT_ROWS", most_compared)
    school = make_tenant()
    owners = [make_document("Before"), make_document("House rules", tenant=school), make_document("Behind")]
    for at, document in enumerate(owners):
        for number in range(4):
            make_chunk(f"A green hangar door, number {10 * at + number}.", document)
    index_words()
    assert [one.lexical > 0 for one in ranking("green door", school.pk, k=20)] == [True] * 12


def test_in_one_state_each_owner_has_lists_of_its_own() -> None:
    school = make_tenant()
    make_chunk("A green hangar door.")
    make_chunk("The green door of our own.", make_document("House rules", tenant=school))
    index_words()
    shares = [[one.lexical for one in ranking("green door", owner)] for owner in (None, school.pk, None)]
    assert list(map(len, shares)) == [1, 2, 1]
    assert all(share > 0 for share in shares[1])
    assert shares[0] == shares[2] != shares[1][:1]


def test_lists_that_are_not_written_yet_say_the_same() -> None:
    make_chunk(WEATHER, heading="Minimums")
    make_chunk(LIGHTS)
    before = ranking("visibility minimums of class G by a green light")
    index_words()
    assert ranking("visibility minimums of class G by a green light") == before


def test_a_library_that_changes_in_between_is_found_as_it_is() -> None:
    make_chunk(WEATHER)
    library_changed(None)
    make_chunk(LIGHTS)
    assert found("green light") == [LIGHTS]
    library_changed(None)
    assert found("green light") == [LIGHTS]
    assert found("flight visibility")[0] == WEATHER


def test_a_draft_stands_in_no_list_until_it_is_published() -> None:
    document = make_document("Draft", status="draft")
    make_chunk(LIGHTS, document)
    assert not StaleBlock.objects.exists()
    publish_document(document)
    assert Posting.objects.filter(lexeme="green").exists()


def test_what_is_withdrawn_leaves_its_lists() -> None:
    document = make_chunk(LIGHTS).document
    library_changed(None)
    assert Posting.objects.filter(lexeme="green").exists()
    archive_document(document)
    assert not Posting.objects.filter(lexeme="green").exists()
    publish_document(document)
    deprecate_document(document, "old", timezone.now())
    assert not Posting.objects.filter(lexeme="green").exists()


def test_what_is_deleted_leaves_its_lists() -> None:
    chunk = make_chunk(LIGHTS)
    index_words()
    chunk.delete()
    library_changed(None)
    assert not Posting.objects.exists()


def test_rarity_is_that_of_the_shared_library_and_ones_own() -> None:
    make_chunk(WEATHER)
    make_chunk(LIGHTS)
    index_words()
    before = ranking("green visibility")
    other = make_document("Elsewhere", tenant=make_tenant("other"))
    for number in range(20):
        make_chunk(f"A green hangar door number {number}.", other)
    index_words()
    assert ranking("green visibility") == before


def test_a_schools_own_passages_count_for_it() -> None:
    school = make_tenant()
    make_chunk(WEATHER)
    make_chunk(LIGHTS)
    before = {one.chunk_id: one.lexical for one in ranking("green visibility", school.pk)}
    own = make_document("House rules", tenant=school)
    for number in range(20):
        make_chunk(f"A green hangar door number {number}.", own)
    index_words()
    after = {one.chunk_id: one.lexical for one in ranking("green visibility", school.pk)}
    weather = Chunk.objects.get(text=WEATHER).pk
    assert after[weather] > before[weather]  # "visibility" has become the rarer word of the two


def test_one_words_run_is_not_anothers() -> None:
    make_chunk("Class G airspace begins at the surface.")
    make_chunk("A G load is felt by the class of pilots.")
    index_words()
    first, *others = ranking("class G")
    assert first.lexical > 0
    assert all(one.lexical == 0 for one in others)
