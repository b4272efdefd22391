"""Names of strategies become limits and labels; the semantic one ends a chunk where the topic shifts."""

from collections.abc import Sequence

import pytest

from knowledge.ingestion.chunking.chunker import ChunkDraft, chunk_pages, topic_shifts
from knowledge.ingestion.chunking.strategies import Strategy, UnknownStrategy, strategy_named
from knowledge.ingestion.document_model import Description, Paragraph, ParsedDocument, Section
from tests.doubles.pages import plain


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("fixed", "fixed-800-100"),
        ("fixed-800-100", "fixed-800-100"),
        ("fixed-512-50", "fixed-512-50"),
        ("semantic", "semantic-0.35-800"),
        ("semantic-0.4", "semantic-0.4-800"),
        ("semantic-0.35-512", "semantic-0.35-512"),
    ],
)
def test_a_name_becomes_a_label_that_names_it_again(name: str, label: str) -> None:
    assert strategy_named(name).label == label
    assert strategy_named(label) == strategy_named(name)


@pytest.mark.parametrize(
    "name", ["", "smart", "fixed-512", "fixed-50-50", "fixed-4-0", "semantic-x", "semantic-1.9-2"]
)
def test_what_cannot_be_is_refused(name: str) -> None:
    with pytest.raises(UnknownStrategy):
        strategy_named(name)


def test_the_distance_measured_for_a_model_is_taken_where_it_is_asked_for() -> None:
    assert strategy_named("semantic-measured", "all-MiniLM-L6-v2").label == "semantic-0.7-800"
    assert strategy_named("semantic-measured", "text-embedding-3-small") == strategy_named("semantic")
    assert strategy_named("semantic", "all-MiniLM-L6-v2").label == "semantic-0.35-800"


# --- topics ------------------------------------------------------------

WEATHER = (
    "Clouds form when moist air rises.",
    "Fog is a cloud that touches the ground.",
    "Rain falls from clouds.",
) * 8
ENGINES = ("The engine turns the propeller.", "Oil cools the engine.", "A magneto feeds the spark plugs.") * 8


def embed(texts: Sequence[str]) -> list[tuple[float, float]]:
    """Weather to the right, all else upwards."""
    return [(1.0, 0.0) if any(word in text for word in ("loud", "Fog")) else (0.0, 1.0) for text in texts]


def document(*paragraphs: Paragraph) -> ParsedDocument:
    section = Section(heading="All", level=1, path=("All",), paragraphs=paragraphs)
    return ParsedDocument(description=Description(title="All"), paged=False, sections=(section,))


def semantic(*paragraphs: Paragraph, limit: int = 800) -> tuple[ChunkDraft, ...]:
    return chunk_pages(
        document(*paragraphs),
        strategy=Strategy("semantic", limit, 0, 0.35),
        count_tokens=lambda text: len(text.split()),
        embed=embed,
    )


def test_a_chunk_ends_where_the_next_sentence_speaks_of_something_else() -> None:
    text = " ".join((*WEATHER, *ENGINES))
    drafts = semantic(Paragraph(text=text))
    assert [draft.text for draft in drafts] == [" ".join(WEATHER), " ".join(ENGINES)]
    assert not any(draft.overlap for draft in drafts)


def test_neighbours_of_one_topic_stay_together_over_paragraphs() -> None:
    (draft,) = semantic(Paragraph(text=" ".join(WEATHER)), Paragraph(text=" ".join(WEATHER)))
    assert draft.text == "\n\n".join([" ".join(WEATHER)] * 2)


def test_a_topic_longer_than_the_limit_is_cut_between_sentences() -> None:
    drafts = semantic(Paragraph(text=" ".join(ENGINES)), limit=40)
    assert all(draft.tokens <= 40 and draft.text.endswith(".") for draft in drafts)
    assert plain([draft.text for draft in drafts]) == plain([" ".join(ENGINES)])


def test_a_table_and_a_list_are_one_topic() -> None:
    rows = [Paragraph(text=text, kind="row") for text in (*WEATHER, *ENGINES)]
    assert len(semantic(*rows)) == 1


def test_the_distance_decides() -> None:
    assert topic_shifts(["Fog.", "Clouds.", "Oil."], embed, 0.35) == [False, False, True]
    assert topic_shifts(["Fog.", "Oil."], embed, 1.0) == [False, False]
    assert topic_shifts([], embed, 0.35) == []


def test_it_needs_a_model() -> None:
    with pytest.raises(ValueError, match="needs a model"):
        chunk_pages(document(Paragraph(text="A.")), strategy=strategy_named("semantic"), count_tokens=len)
