"""One story from a PDF to a passed oral, offline: on the FAA's own files, on the demo, and on a file of our own.

Documents become passages, items find the passages that bear their points, a reviewer accepts them, a student is asked,
answers in a student's words, and passes; and what is shown opens on the page, lit.
"""

import io
import json
import re
from collections import Counter
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
from exams.bank.files import ITEMS
from exams.models import Exam, Turn
from knowledge.graph.bundle import bundle_for_element
from knowledge.graph.identity import node_key
from knowledge.graph.skeleton import load_standard
from knowledge.models import Chunk, Document
from knowledge.models.tenancy import Role
from tests.doubles.caches import cache_of_its_own
from tests.doubles.claims import make_user
from tests.doubles.demo_library import Demo, demo, demo_rows
from tests.doubles.item_files import write_file
from tests.doubles.pdfs import rule_pdf
from tests.doubles.rooms import Enter, Room, enter, new_exam
from tests.doubles.standards import small_standard
from tests.sampling import WHOLE

__all__ = ["cache_of_its_own", "demo", "demo_rows", "enter"]
pytestmark = pytest.mark.django_db(transaction=True)

FAA = Path(__file__).parents[2] / "shared" / "data" / "faa"
needs_faa = pytest.mark.skipif(not FAA.exists(), reason="the FAA's files are not there (../shared/data/faa)")
CLAIMS_APPROVED = 12
TASK = ITEMS / "private" / "pa_i_a.yaml"
SAMPLE_ITEMS = 5
"""The first items of a Task, whose part of the library is read: the whole takes minutes (`make soak`)."""

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
def our_own(files_of_its_own: None, tmp_path: Path) -> Story:
    load_standard(small_standard())
    path = rule_pdf(tmp_path / "handbook.pdf", OWN_RULES)
    named = ["--type", "handbook", "--abbreviation", "FAA-H-8083-25", "--title", "Practice Handbook"]
    ingested = told("ingest", str(path), *named, "--status", "published")["documents"]
    extracted = told("extract_claims")
    return Story(ingested, extracted, make_user("reviewer"), make_user("student", Role.STUDENT))


# --- an oral on the FAA's own pages, and on the demo ------------------------------------------------------------


@needs_faa
@pytest.mark.shared
def test_the_faas_own_pages_end_in_a_passed_oral(
    files_of_its_own: None, enter: Enter, client: Client, tmp_path: Path
) -> None:
    standard = told("load_acs", str(FAA / "pdf" / "FAA-S-ACS-6C_Private_Pilot_ACS.pdf"))
    assert (standard["certificate"], standard["areas"]) == ("private", 12)
    files = [FAA / "cfr", FAA / "aim", FAA / "phak", FAA / "pdf" / "ac_90-66c.pdf"]
    items = [] if WHOLE else [sample_of_the_items(tmp_path)]
    paths = files if WHOLE else sample_of_the_library(tmp_path, items[0].read_text())
    assert not any(one["error"] for one in told("ingest", *map(str, paths))["documents"])
    loaded = told("load_items", *map(str, items))
    assert loaded["errors"] == []
    assert not told("coverage")["completable"]  # pending is not approved
    make_user("reviewer")
    assert told("accept_items", "--reviewer", "reviewer")["accepted"] > (1000 if WHOLE else 12)
    board = told("coverage")
    completable = [task["task"] for task in board["tasks"] if task["completable"]]
    assert len(completable) >= (26 if WHOLE else 1), board["missing"]
    exam = new_exam(make_user("student", Role.STUDENT), questions=66 if WHOLE else 4)
    check_passed(exam, enter, client, len(completable))


def test_the_demo_ends_in_a_passed_oral(demo: Demo, enter: Enter, client: Client) -> None:
    exam = new_exam(demo.student, questions=24 if WHOLE else 8)
    check_passed(exam, enter, client, 8)


def check_passed(exam: Exam, enter: Enter, client: Client, tasks: int) -> None:
    """Each question is answered in the words of a student, and the result is a pass for the whole scope."""
    room = enter(exam, exam.student)
    number, cited = 0, []
    while (frame := room.hear("question", "finished"))["type"] == "question":
        number += 1
        found = room.answer(students_answer(exam), f"a{number}")
        cited += found["citations"]
        assert frame["text"][-1] in ".?!"
    assert frame["result"] == "pass", frame
    assert len([task for area in frame["areas"] for task in area["tasks"]]) >= min(tasks, 2)
    check_report(exam, client)
    client.force_login(exam.student)
    assert cited
    for citation in cited[:20]:
        assert client.get(citation["url"]).status_code == 200


def sample_of_the_items(folder: Path) -> Path:
    head, *items = re.split(r"(?m)^(?=  - id: pa\.)", TASK.read_text())
    sample = folder / TASK.name
    sample.write_text("".join((head, *items[:SAMPLE_ITEMS])))
    return sample


def sample_of_the_library(folder: Path, named: str) -> list[Path]:
    """The chapter and the sections that the sample's items name, each part of 14 CFR as a file with fewer sections."""
    numbers = set(re.findall(r"14 CFR (\d+\.\d+)", named))
    paths = [FAA / "phak" / "phak_ch02.pdf"]
    for part in sorted({number.split(".")[0] for number in numbers}):
        whole = FAA / "cfr" / f"14cfr_part{int(part):03}.md"
        before, *sections = re.split(r"(?m)^(?=### §)", whole.read_text())
        title = before.split("<div>")[0]
        kept = [one for one in sections if one[len("### §") :].split(maxsplit=1)[0] in numbers]
        paths.append(folder / whole.name)
        paths[-1].write_text("".join((title, *kept)))
    return paths


def students_answer(exam: Exam) -> str:
    """What is expected of the turn that is waited on, in words that its author accepts of a student."""
    turn = Turn.objects.filter(exam=exam).order_by("-number")[0]
    wanted = [one for one in turn.expectations if one["importance"] == "must"]
    return ". ".join((one["also"] or [one["text"]])[0] for one in wanted)


# --- claims, on a file of our own ---------------------------------------------------------------------------------


def test_our_own_pages_become_claims_and_bundles(our_own: Story) -> None:
    assert our_own.ingested[0]["pages"] == 1
    assert our_own.extracted["claims"] == 5
    document = Document.objects.get(source_name="handbook.pdf")
    check_chunks(document)
    claims = approved(our_own, document)
    check_bundles(elements_of(claims), claims)


def test_our_own_items_are_asked_and_their_citations_lit(
    our_own: Story, enter: Enter, client: Client, tmp_path: Path
) -> None:
    document = Document.objects.get(source_name="handbook.pdf")
    told("load_items", str(write_file(tmp_path, *OWN_ITEMS, name="own.yaml")))
    told("accept_items", "--reviewer", "reviewer")
    exam = new_exam(our_own.student, mode="drill", codes=["PA.III.A.K5"], questions=1)
    citations = examined(enter(exam, our_own.student), exam)
    assert "Study these first" in check_report(exam, client)
    client.force_login(our_own.student)
    assert {citation["document"] for citation in citations} == {document.title}
    for citation in citations:
        check_lit(client, document, citation)


OWN_ITEMS = [
    {
        "id": "pa.iii.a.k5.steady-red",
        "elements": ["PA.III.A.K5"],
        "level": "apply",
        "stem": "Your radio is dead on downwind, and the tower shines a light at you that stays red. What do you do?",
        "again": "Put differently: how does a pilot in the air respond to a red light that does not flash?",
        "points": [
            {
                "id": "give-way",
                "text": "A steady red light signal in flight means give way to other aircraft and continue circling.",
                "source": "PHAK",
                "accept": ["give way to the others and keep circling"],
                "ask": "What does the tower want you to do?",
                "hint": "Think of who has to wait.",
            }
        ],
        "why": "Without a radio the light is all that keeps two airplanes apart.",
    }
]


# --- a page becomes chunks, a chunk becomes claims ------------------------------------------------------------


def check_chunks(document: Document) -> None:
    chunks = list(Chunk.objects.filter(document=document))
    assert chunks
    for one in chunks:
        assert one.page_start is not None
        assert one.page_end is not None
        assert 1 <= one.page_start <= one.page_end <= document.page_count
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
    """Answered wrongly to its end. The citations that were shown."""
    assert "seq" in room.hear("question")
    wrong = room.answer("I do not know.", "w1")
    if not wrong["final"]:
        assert room.hear("question")["form"] == "probe"
        wrong = room.answer("I still do not know.", "w2")
    assert (wrong["verdict"], wrong["final"]) == ("unsatisfactory", True)
    assert room.hear("question", "finished")["type"] == "finished"
    assert all(point["citations"] for point in wrong["points"])
    return list(wrong["citations"])


def check_report(exam: Exam, client: Client) -> str:
    client.force_login(exam.student)
    page = client.get(f"/exams/{exam.pk}/report/").content.decode().split("<main")[1].split("</main")[0]
    assert "%" not in re.sub(r"<[^>]*>", " ", page)
    return page


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
