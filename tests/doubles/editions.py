"""Two small editions of one handbook, made by the test: what changed between them is said here.

Facts are true, sentences our own. Edition A has five sections; B changes a number in one, words one another way, leaves
one out and adds one.
"""

from pathlib import Path
from typing import Any

import pymupdf

from curation.models import Claim
from knowledge.graph.identity import node_key
from knowledge.grounding.citations import find_quote
from knowledge.ingestion.jobs.jobs import submit_file
from knowledge.ingestion.pipeline import run_job
from knowledge.models import Chunk, Concept, ConceptChunkEvidence, Document, IngestionJob
from tests.doubles.embedding import HashingEmbedding

FUEL = (
    "No person may begin a flight by day unless there is fuel for 30 minutes beyond the first landing at cruise. "
    "The reserve is counted at normal cruising speed and not at the speed of best range."
)
NIGHT = (
    "By night the reserve of fuel is 45 minutes at normal cruising speed. "
    "The pilot plans the reserve before the flight and writes it into the log."
)
PARKING = (
    "Members park their airplanes on the grass beside the hangar and tie them down. "
    "The north row of the apron belongs to visitors from other fields."
)
PARKING_MOVED = PARKING.replace("the north row", "The south row").replace("The north row", "The south row")
LIGHTS = (
    "A steady green light from the tower tells an airplane in flight that it is cleared to land. "
    "A steady red light tells it to give way to other aircraft and to go on circling."
)
OXYGEN = (
    "Above 12,500 feet of cabin pressure altitude the crew must use oxygen for what is longer than 30 minutes. "
    "Above 14,000 feet the crew uses it all the time."
)
OXYGEN_CHANGED = OXYGEN.replace("longer than 30 minutes", "longer than 20 minutes")
RADIO = (
    "Where no frequency has been assigned, pilots announce their position on 122.9 MHz. "
    "The first call is made ten miles from the airport."
)
LOGBOOK = (
    "Each flight is entered into the book of the airplane before the keys are hung up. "
    "Hours are written in tenths, landings as figures."
)

FIRST = (
    ("4.1", "Fuel by day", FUEL),
    ("4.2", "Fuel by night", NIGHT),
    ("4.3", "Parking", PARKING),
    ("4.4", "Light signals", LIGHTS),
    ("4.5", "Oxygen", OXYGEN),
    ("4.6", "Logbook", LOGBOOK),
)
SECOND = (
    ("4.1", "Fuel by day", FUEL),
    ("4.2", "Fuel by night", NIGHT),
    ("4.3", "Parking", PARKING_MOVED),
    ("4.4", "Light signals", LIGHTS),
    ("4.5", "Oxygen", OXYGEN_CHANGED),
    ("4.7", "Radio", RADIO),
)
Sections = tuple[tuple[str, str, str], ...]


def markdown(path: Path, sections: Sections = FIRST, title: str = "Club Handbook") -> Path:
    text = "\n\n".join(f"## {number} {heading}\n\n{body}" for number, heading, body in sections)
    path.write_text(f"# {title}\n\n{text}\n")
    return path


def pdf(path: Path, sections: Sections = FIRST, title: str = "Club Handbook", front: int = 0) -> Path:
    """One section a page, behind `front` pages of something else."""
    document = pymupdf.open()
    for at in range(front):
        document.new_page().insert_textbox(
            (72, 100, 540, 300), f"Foreword, part {at + 1}. This handbook is of our own club.", fontsize=11
        )
    for number, heading, body in sections:
        page = document.new_page()
        page.insert_text((72, 90), f"{number} {heading}", fontname="hebo", fontsize=16)
        page.insert_textbox((72, 110, 540, 400), body, fontsize=11)
    document.set_metadata({"title": title})
    document.save(path)
    document.close()
    return path


class CountingEmbedding(HashingEmbedding):
    """Remembers which passages it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.passages: list[str] = []

    def embed_passages(self, texts: Any) -> list[list[float]]:
        self.passages += texts
        return super().embed_passages(texts)


OPTIONS = {"title": "Club Handbook", "doc_type": "handbook", "abbreviation": "CH"}


def feed(path: Path, model: HashingEmbedding | None = None, **options: Any) -> IngestionJob:
    """Run the file through the pipeline; the job as it ended."""
    owned = {name: options.pop(name, None) for name in ("tenant", "created_by")}
    job = submit_file(path, options={**OPTIONS, **options}, **owned, wake=False)
    run_job(job.pk, model=model or HashingEmbedding())
    job.refresh_from_db()
    return job


def document_of(job: IngestionJob) -> Document:
    assert job.state == "succeeded", job.error
    assert job.document_id is not None
    return Document.objects.get(pk=job.document_id)


def claim_on(document: Document, quote: str, status: str = "validated", **fields: Any) -> Claim:
    """A claim whose evidence is this quote of a passage of the document."""
    chunk = next(chunk for chunk in document.chunks.all() if find_quote(chunk.text, quote))
    claim = Concept.objects.create(
        key=node_key("regulatory_claim", quote),
        name=quote,
        category="regulatory_claim",
        validation_status=status,
        tenant=document.tenant,
        **fields,
    )
    ConceptChunkEvidence.objects.create(
        concept=claim, chunk=chunk, quote=quote, page=chunk.page_start, confidence=0.9
    )
    return Claim.objects.get(pk=claim.pk)


def sentence(text: str, at: int = 0) -> str:
    """One of the two sentences of a section above."""
    first = text.index(". ") + 1
    return text[:first] if at == 0 else text[first:].strip()


def ids_by_text(document: Document) -> dict[str, Any]:
    return {chunk.text: chunk.pk for chunk in Chunk.objects.filter(document=document)}
