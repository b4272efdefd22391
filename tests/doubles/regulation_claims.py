"""Claims of the FAA's own regulations, drawn without a database: chunks, whole sections, the offline extractor."""

import hashlib
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path

from curation.extraction import extract_from
from curation.offline.extractor import extract_drafts
from curation.offline.section_text import join_passages
from curation.values import ClaimFound, Material
from knowledge.grounding.applicability import subpart_in
from knowledge.ingestion.chunking.chunker import ChunkDraft, chunk_pages
from knowledge.ingestion.formats.markdown import markdown_document
from llm.offline import OfflineChatModel

CFR = Path(__file__).resolve().parents[3] / "shared" / "data" / "faa" / "cfr"
MODEL = OfflineChatModel({"extractor": extract_drafts})


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def part_file(part: int) -> Path:
    return CFR / f"14cfr_part{part:03d}.md"


@cache
def claims_of_part(part: int, *, every: int = 1) -> tuple[tuple[Material, ClaimFound], ...]:
    """Each claim of a part once, with the material that it was drawn from; of every n-th section alone."""
    found: dict[str, tuple[Material, ClaimFound]] = {}
    materials = materials_of_part(part)
    sections = set(list(dict.fromkeys(one.section for one in materials))[::every])
    for material in materials:
        if material.section not in sections:
            continue
        for claim in extract_from(material, MODEL).claims:
            found.setdefault(claim.statement, (material, claim))
    return tuple(found.values())


@cache
def materials_of_part(part: int) -> tuple[Material, ...]:
    path = part_file(part)
    document = markdown_document(path.read_text(), file_name=path.name)
    chunks = chunk_pages(document, count_tokens=lambda text: int(len(text) / 4.3))
    return tuple(_materials(list(chunks), f"14 CFR {part}"))


def _materials(chunks: list[ChunkDraft], document: str) -> Iterator[Material]:
    subparts: dict[str, str] = {}
    for path, group in groupby(chunks, key=lambda chunk: tuple(chunk.section_path)):
        section = list(group)
        whole, starts = join_passages([chunk.text for chunk in section])
        subpart = subpart_in(path)
        applicability = subparts.setdefault(subpart, whole) if subpart and section[0].section else ""
        for chunk, start in zip(section, starts, strict=True):
            yield Material(
                text=chunk.text,
                heading=chunk.heading,
                section=chunk.section,
                doc_type="cfr",
                document=document,
                section_path=path,
                section_text=whole if chunk.section or subpart else "",
                start=start if chunk.section or subpart else 0,
                applicability=applicability,
            )
