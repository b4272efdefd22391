"""The FAA's own documents agree with each other: hardly a conflict is seen among all of their passages."""

from pathlib import Path

import pytest

from knowledge.ingestion.chunking import chunk_pages
from knowledge.ingestion.markup import markdown_document
from knowledge.retrieval.conflicts import Said, conflicts_between

FAA = Path(__file__).resolve().parents[3] / "shared" / "data" / "faa"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not FAA.is_dir(), reason="../shared/data/faa is not here"),
]


def passages() -> list[Said]:
    return [
        Said(
            chunk_id=f"{path.stem} {at}",
            document=path.stem,
            label=draft.section,
            doc_type="cfr" if path.parent.name == "cfr" else "aim",
            heading=draft.heading,
            text=draft.text,
        )
        for path in sorted((*FAA.glob("cfr/*091.md"), *FAA.glob("aim/03*/*.md"), *FAA.glob("aim/05*/*.md")))
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
