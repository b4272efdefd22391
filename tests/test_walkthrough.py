"""One story from a PDF to a grade: the five becomings, on the FAA's own files and on a file of our own, offline.

A page becomes chunks, a chunk becomes claims, a claim becomes approved, an element becomes a context bundle, an answer
becomes an assessment; and what the student is shown opens on the page, lit.
"""

import io
import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pymupdf
import pytest
from django.conf import LazySettings
from django.core.management import call_command
from django.test import Client

from curation.models import Claim
from curation.review import approve_claim
from exams.models import Exam
from knowledge.graph.bundle import bundle_for_element
from knowledge.graph.identity import node_key
from knowledge.graph.skeleton import load_standard
from knowledge.models import Chunk, Document
from knowledge.models.tenancy import Role
from tests.doubles.caches import cache_of_its_own
from tests.doubles.claims import make_user
from tests.doubles.pdfs import rule_pdf
from tests.doubles.rooms import Enter, Room, enter, new_exam, right_answer
from tests.doubles.standards import small_standard

__all__ = ["cache_of_its_own", "enter"]
pytestmark = pytest.mark.django_db(transaction=True)

FAA = Path(__file__).parents[2] / "shared" / "data" / "faa"
needs_faa = pytest.mark.skipif(not FAA.exists(), reason="the FAA's files are not there (../shared/data/faa)")
CLAIMS_APPROVED = 12
ELEMENTS_ASKED = 3

OWN_RULES = """Airspace classes and their requirements and limitations

No person may operate an aircraft in Class B airspace unless the operator receives an ATC clearance
before entering Class B airspace. Each aircraft in Class C airspace must establish two-way radio communications
with the ATC facility before entering Class C airspace. In Class G airspace at 1,200 feet or less above the surface, a
pilot must have a flight visibility of at least 1 statute mile by day.

Light signals

A pilot who receives a steady red air traffic control light signal in flight must give way to other aircraft and
continue circling. A pilot who receives a flashing red air traffic control light signal on the ground must taxi clear of
the runway in use."""


@dataclass(frozen=True)
class Story:
    """What the commands said, and who takes part."""

    ingested: list[dict[str, Any]]
    extracted: dict[str, Any]
    reviewer: Any
    student: Any


def told(command: str, *arguments: str) -> Any:
    out = io.StringIO()
    call_command(command, "--json", *arguments, stdout=out)
    return json.loads(out.getvalue())


@pytest.fixture
def files_of_its_own(settings: LazySettings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.DATA_DIR = tmp_path


@pytest.fixture
def faas_own(files_of_its_own: None) -> Story:
    standard = told("load_acs", str(FAA / "pdf" / "FAA-S-ACS-6C_Private_Pilot_ACS.pdf"))
    assert (standard["certificate"], standard["areas"]) == ("private", 12)
    files = [FAA / "pdf" / "ac_90-66c.pdf", FAA / "phak" / "phak_ch15.pdf"]
    return _fed(files)


@pytest.fixture
def our_own(files_of_its_own: None, tmp_path: Path) -> Story:
    load_standard(small_standard())
    path = rule_pdf(tmp_path / "handbook.pdf", OWN_RULES)
    named = ["--type", "handbook", "--abbreviation", "FAA-H-8083-25", "--title", "Practice Handbook"]
    return _fed([path], *named, "--status", "published")


def _fed(files: Iterable[Path], *options: str) -> Story:
    ingested = told("ingest", *map(str, files), *options)["documents"]
    assert not any(one["error"] for one in ingested)
    extracted = told("extract_claims")
    return Story(ingested, extracted, make_user("reviewer"), make_user("student", Role.STUDENT))


@needs_faa
@pytest.mark.shared
def test_the_faas_own_pages_become_a_grade(faas_own: Story, enter: Enter, client: Client) -> None:
    circular, chapter = faas_own.ingested
    assert (circular["pages"], circular["abbreviation"], circular["doc_type"]) == (28, "AC 90-66C", "ac")
    assert circular["images"] >= 8
    assert circular["links"] >= 8
    assert chapter["chunks"] >= 10
    assert faas_own.extracted["claims"] >= 50
    assert faas_own.extracted["refused"]
    walk(faas_own, "phak_ch15.pdf", enter, client)


def test_our_own_pages_become_a_grade(our_own: Story, enter: Enter, client: Client) -> None:
    assert our_own.ingested[0]["pages"] == 1
    assert our_own.extracted["claims"] == 5
    walk(our_own, "handbook.pdf", enter, client)


def walk(story: Story, file: str, enter: Enter, client: Client) -> None:
    document = Document.objects.get(source_name=file)
    check_chunks(document)
    claims = approved(story, document)
    codes = elements_of(claims)
    check_bundles(codes, claims)
    exam = new_exam(
        story.student, mode="drill", codes=codes[:ELEMENTS_ASKED], questions=len(codes[:ELEMENTS_ASKED])
    )
    citations = examined(enter(exam, story.student), exam)
    check_report(exam, client)
    client.force_login(story.student)
    assert {citation["document"] for citation in citations} == {document.title}
    for citation in citations:
        check_lit(client, document, citation)


# --- a page becomes chunks, a chunk becomes claims ------------------------------------------------------------


def check_chunks(document: Document) -> None:
    chunks = list(Chunk.objects.filter(document=document))
    assert chunks
    assert all(1 <= one.page_start <= one.page_end <= document.page_count for one in chunks)
    assert all(one.lines and one.embeddings.filter(state="current").count() == 1 for one in chunks)
    assert all(claim.validation_status == "pending" for claim in Claim.objects.all())


# --- a claim becomes approved ---------------------------------------------------------------------------------


def approved(story: Story, document: Document) -> list[Claim]:
    """The first of the queue that rest on the document, decided on as they stand."""
    waiting = Claim.objects.filter(validation_status="pending", evidence__chunk__document=document).distinct()
    found = [
        approve_claim(claim.pk, story.reviewer, version=claim.version)
        for claim in waiting.order_by("priority", "created_at", "key")[:CLAIMS_APPROVED]
    ]
    assert {claim.validation_status for claim in found} == {"validated"}
    return found


def elements_of(claims: list[Claim]) -> list[str]:
    """Knowledge elements of the ground portion that approved claims were linked to, the most claims first."""
    known = {node_key("acs_element", element["code"]): element for element in told("elements")}
    edges = [
        edge for claim in claims for edge in claim.relations_out.filter(relation_type="applies_in_scenario")
    ]
    counted = Counter(edge.target.key for edge in edges)
    linked = [known[key] for key, _ in counted.most_common()]
    codes = [one["code"] for one in linked if (one["kind"], one["where"]) == ("knowledge", "table")]
    assert codes
    return codes


# --- an element becomes a context bundle ----------------------------------------------------------------------


def check_bundles(codes: list[str], claims: list[Claim]) -> None:
    statements = {claim.name for claim in claims}
    for code in codes:
        found = bundle_for_element(code, tenant=None)
        assert found.requirements
        assert {node.name for node in found.requirements} <= statements  # what is pending is no requirement
        assert all(node.evidence and node.evidence[0].quote for node in found.requirements)
        sections = told("bundle", code)["sections"]
        assert len(sections["requirements"]) == len(found.requirements)


# --- an answer becomes an assessment --------------------------------------------------------------------------


def examined(room: Room, exam: Exam) -> list[dict[str, Any]]:
    """The first element is answered wrongly to its end, the rest rightly. The citations that were shown."""
    assert "seq" in room.hear("question")
    wrong = room.answer("I do not know.", "w1")
    if not wrong["final"]:
        assert room.hear("question")["form"] == "probe"
        wrong = room.answer("I still do not know.", "w2")
    assert (wrong["verdict"], wrong["final"]) == ("unsatisfactory", True)
    number, found = 0, [wrong]
    while room.hear("question", "finished")["type"] == "question":
        found.append(room.answer(right_answer(exam), f"r{(number := number + 1)}"))
        assert (found[-1]["verdict"], found[-1]["degraded"]) == ("satisfactory", "")
    assert all(point["citations"] for one in found for point in one["points"])
    return [citation for one in found for citation in one["citations"]]


def check_report(exam: Exam, client: Client) -> None:
    client.force_login(exam.student)
    page = client.get(f"/exams/{exam.pk}/report/").content.decode()
    assert "Study these first" in page
    assert "%" not in re.sub(r"<[^>]*>", " ", page.split("<main")[1].split("</main")[0])


# --- the citation opens its page, lit -------------------------------------------------------------------------

RECTANGLE = re.compile(r'<rect class="lit" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"')


def check_lit(client: Client, document: Document, citation: dict[str, Any]) -> None:
    """The words under the rectangles, over all pages that the quote goes over, are the quote."""
    under = ""
    address = citation["url"]
    quote = parse_qs(urlsplit(address).query)["quote"][0]
    shown = client.get(address)
    assert shown.status_code == 200
    pages = [shown.context["page"].number, *shown.context["passage"].other_pages]
    assert citation["page"] in pages
    for number in pages:
        page = client.get(f"{address}&page={number}").content.decode()
        under += " " + words_under(document, number, RECTANGLE.findall(page))
    assert squeezed(under) == squeezed(quote), citation["label"]


def words_under(document: Document, number: int, found: list[tuple[str, ...]]) -> str:
    assert found
    with pymupdf.open(document.file.path) as pdf:
        page = pdf[number - 1]
        words = page.get_text("words")
    lit = [pymupdf.Rect(x, y, x + w, y + h) for x, y, w, h in (map(float, one) for one in found)]
    return " ".join(
        word[4]
        for box in lit
        for word in words
        if box.contains(pymupdf.Point((word[0] + word[2]) / 2, (word[1] + word[3]) / 2))
    )


def squeezed(text: str) -> str:
    """Letters and figures alone: a file breaks lines and words its own way."""
    return "".join(character for character in text.lower() if character.isalnum())
