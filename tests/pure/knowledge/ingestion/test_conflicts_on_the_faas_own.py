"""The FAA's own documents agree with each other: hardly a conflict is seen among all of their passages."""

import pytest

from knowledge.ingestion.chunking.chunker import chunk_pages
from knowledge.ingestion.formats.markdown import markdown_document
from knowledge.retrieval.authority import SourceText, conflicts_between
from tests.doubles import faa_files

pytestmark = [
    pytest.mark.long,
    pytest.mark.shared,
    pytest.mark.skipif(not faa_files.FAA.is_dir(), reason="../shared/data/faa is not here"),
]


def passages() -> list[SourceText]:
    return [
        SourceText(
            chunk_id=f"{path.stem} {at}",
            document=path.stem,
            label=draft.section,
            doc_type="cfr" if path.parent.name == "cfr" else "aim",
            heading=draft.heading,
            text=draft.text,
        )
        for path in sorted((*faa_files.cfr(91), *faa_files.aim(3, 5)))
        for at, draft in enumerate(
            chunk_pages(
                markdown_document(path.read_text(), file_name=path.name),
                count_tokens=lambda text: len(text) // 4,
            )
        )
    ]


def test_all_passages_together_have_hardly_a_conflict() -> None:
    read = passages()
    assert len(read) > 300
    assert len(conflicts_between(read)) <= 1
