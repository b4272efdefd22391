"""An edition that was superseded is brought back: exactly what was, and the other way again."""

from pathlib import Path
from typing import Any

import pytest

from knowledge.ingestion.editions.editions import WrongEdition, bring_back, editions_of
from knowledge.models import Chunk, ChunkImageLink, ConceptChunkEvidence, Document
from knowledge.retrieval.searchable import Scope, searchable_chunks
from tests.doubles import editions
from tests.doubles.editions import CountingEmbedding, claim_on, document_of, feed, sentence
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.library import MODEL
from tests.doubles.source_files import handbook

pytestmark = [pytest.mark.long, pytest.mark.django_db]


def served() -> set[Any]:
    scope = Scope(tenant=None, model=MODEL.name)
    return set(
        searchable_chunks(scope).values_list(
            "id", "document_id", "index", "section", "page_start", "page_label", "text"
        )
    )


def claims() -> set[Any]:
    return set(
        ConceptChunkEvidence.objects.values_list(
            "concept_id", "chunk_id", "page", "concept__stale", "concept__stale_reason"
        )
    )


def test_back_and_forth_ends_in_the_same_rows_claims_and_pages(tmp_path: Path) -> None:
    first = document_of(feed(editions.pdf(tmp_path / "a.pdf")))
    for text in (editions.FUEL, editions.OXYGEN, editions.LOGBOOK):
        claim_on(first, sentence(text))
        claim_on(first, sentence(text, 1))
    of_first = served(), claims()
    second = document_of(feed(editions.pdf(tmp_path / "b.pdf", editions.SECOND, front=1)))
    of_second = served(), claims()
    assert of_first != of_second
    model = CountingEmbedding()
    told = bring_back(Document.objects.get(pk=first.pk), model)
    assert (told.superseded, model.passages) == (second.pk, [])
    assert (served(), {row[:3] for row in claims()}) == (of_first[0], {row[:3] for row in of_first[1]})
    assert not any(row[3] or row[4] for row in claims())
    bring_back(Document.objects.get(pk=second.pk), model)
    assert (served(), claims()) == of_second


def test_figures_and_their_links_come_back(tmp_path: Path) -> None:
    first = document_of(feed(handbook(tmp_path / "a.pdf", 3), abbreviation="PHAK", title="PHAK chapter 7"))
    before = set(ChunkImageLink.objects.values_list("chunk_id", "image_id", "strategy", "relevance"))
    second = document_of(feed(handbook(tmp_path / "b.pdf", 4), abbreviation="PHAK", title="PHAK chapter 7"))
    assert second.follows == first
    links = ChunkImageLink.objects.filter(chunk__document=second)
    assert {link.image.document_id for link in links} == {second.pk}
    bring_back(Document.objects.get(pk=first.pk), HashingEmbedding())
    now = ChunkImageLink.objects.filter(chunk__document=first)
    assert set(now.values_list("chunk_id", "image_id", "strategy", "relevance")) == before


@pytest.mark.long
def test_three_editions_any_of_which_may_come_back(tmp_path: Path) -> None:
    third = (*editions.SECOND[:4], ("4.5", "Oxygen", editions.OXYGEN), ("4.8", "Book", editions.LOGBOOK))
    made = [
        document_of(feed(editions.markdown(tmp_path / f"{at}.md", sections)))
        for at, sections in enumerate((editions.FIRST, editions.SECOND, third))
    ]
    texts = [{section[2] for section in sections} for sections in (editions.FIRST, editions.SECOND, third)]
    for at in (0, 2, 1, 0):
        bring_back(Document.objects.get(pk=made[at].pk), HashingEmbedding())
        found = {row[-1].split("\n\n")[-1] for row in served()}
        assert found == texts[at]
        assert {row[1] for row in served()} == {made[at].pk}
        assert {row.pk for row in editions_of(made[0])} == {row.pk for row in made}
        assert editions_of(made[1])[0].pk == made[at].pk
    assert Chunk.objects.count() == Chunk.every.count()


def test_only_a_superseded_edition_comes_back(tmp_path: Path) -> None:
    first = document_of(feed(editions.markdown(tmp_path / "a.md")))
    with pytest.raises(WrongEdition, match="not superseded"):
        bring_back(first, HashingEmbedding())
