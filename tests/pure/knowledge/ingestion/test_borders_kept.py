"""Chunks of an edition that is much like the one before it begin where those of that one began."""

from hypothesis import given
from hypothesis import strategies as st

from knowledge.ingestion.chunking.chunker import ChunkDraft, chunk_pages
from knowledge.ingestion.chunking.stable_boundaries import Borders, Place, Stretch, begins_at, borders_between
from knowledge.ingestion.chunking.strategies import Strategy
from knowledge.ingestion.document_model import Description, Paragraph, ParsedDocument, Section

WORDS = [
    "tower",
    "runway",
    "circuit",
    "altitude",
    "visibility",
    "cloud",
    "landing",
    "taxi",
    "signal",
    "frequency",
]
RULES = [
    f"Rule {number} of the {WORDS[number % 10]} asks for {number + 20} feet of room." for number in range(40)
]


def count(text: str) -> int:
    return len(text.split())


def document(*texts: str, kind: str = "body") -> ParsedDocument:
    rows = tuple(Paragraph(text=text, kind=kind) for text in texts)  # type: ignore[arg-type]
    section = Section(heading="Room", level=1, path=("Book", "Room"), number="4.1", paragraphs=rows)
    return ParsedDocument(description=Description(title="Book"), paged=False, sections=(section,))


def chunks(
    found: ParsedDocument, overlap: int = 12, borders: Borders | None = None
) -> tuple[ChunkDraft, ...]:
    return chunk_pages(found, strategy=Strategy("fixed", 60, overlap), count_tokens=count, borders=borders)


def borders_of(found: tuple[ChunkDraft, ...]) -> Borders:
    return borders_between(Stretch(Place(one.section, one.heading), one.text) for one in found)


def hashes(found: tuple[ChunkDraft, ...]) -> list[str]:
    return [one.content_hash for one in found]


def test_a_sentence_more_at_the_head_of_a_section_changes_one_chunk() -> None:
    before = chunks(document(*RULES))
    after = document("One more rule stands before all the others of this section now.", *RULES)
    plain, kept = chunks(after), chunks(after, borders=borders_of(before))
    assert len(set(hashes(plain)) & set(hashes(before))) < len(before) / 2
    assert hashes(kept)[-(len(before) - 1) :] == hashes(before)[1:]


def test_what_grows_beyond_the_limit_is_divided_and_the_rest_stands() -> None:
    before = chunks(document(*RULES))
    more = [f"A new rule, number {number}, speaks of lights and of signs at night." for number in range(8)]
    kept = chunks(document(*more, *RULES), borders=borders_of(before))
    assert all(one.tokens <= 60 for one in kept)
    assert hashes(kept)[-(len(before) - 1) :] == hashes(before)[1:]


def test_a_table_that_goes_on_keeps_its_borders_behind_its_head() -> None:
    rows = [f"Signal {number} | meaning {number} | when the tower says it" for number in range(30)]
    head = Paragraph(text="Signal | Meaning | When", kind="header")
    found = document(*rows, kind="row")
    section = found.sections[0]
    table = ParsedDocument(
        description=found.description,
        paged=False,
        sections=(
            Section(
                heading=section.heading,
                level=1,
                path=section.path,
                number="4.1",
                paragraphs=(head, *section.paragraphs),
            ),
        ),
    )
    before = chunks(table)
    assert all(one.text.startswith("Signal | Meaning") for one in before)
    assert hashes(chunks(table, borders=borders_of(before))) == hashes(before)


def test_an_opening_that_stands_twice_tells_nothing() -> None:
    texts = ["See the figure.", "A rule of its own.", "See the figure.", "A rule of its own.", "The end."]
    assert begins_at(texts, frozenset({"See the figure."})) == [False] * 5
    assert begins_at(texts, frozenset({"The end."})) == [False, False, False, False, True]


def test_another_section_knows_nothing_of_these_borders() -> None:
    borders = borders_of(chunks(document(*RULES)))
    moved = {Place("9.9", "Elsewhere"): openings for openings in borders.values()}
    after = document("One more rule.", *RULES)
    assert hashes(chunks(after, borders=moved)) == hashes(chunks(after))


@given(st.lists(st.sampled_from(RULES), min_size=1, unique=True), st.integers(0, 20))
def test_the_same_text_with_its_own_borders_is_the_same(texts: list[str], overlap: int) -> None:
    found = document(*texts)
    before = chunks(found, overlap)
    assert hashes(chunks(found, overlap, borders_of(before))) == hashes(before)
