"""What an operator sees: what is due, what the standards cite and nobody has, what was refused and why."""

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from knowledge.documents.edition_checks import overdue_editions, report_overdue
from knowledge.documents.maintenance_report import missing_references, refused_files
from knowledge.graph.skeleton import load_standard
from knowledge.ingestion.editions.overlaps import overlaps_of
from knowledge.ingestion.jobs.jobs import submit_file
from knowledge.ingestion.pipeline import run_job
from knowledge.models import Chunk, CurrencyReport, Document, IngestionJob
from knowledge.models.tenancy import Role
from knowledge.tasks import list_overdue
from tests.doubles.claims import make_user
from tests.doubles.library import WEATHER, make_chunk, make_document, make_node, make_tenant
from tests.doubles.standards import small_standard
from tests.doubles.vector_models import two_models
from tests.doubles.vendors import Vectors

pytestmark = pytest.mark.django_db
TODAY = date(2026, 11, 22)
BEFORE = TODAY - timedelta(days=1)


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(make_user("olga", Role.OPERATOR))
    return client


def test_overdue_is_what_is_in_force_and_past_its_day() -> None:
    due = make_document("Due", check_by=BEFORE)
    make_document("Today", check_by=TODAY)
    make_document("No day")
    make_document("Draft", check_by=BEFORE, status="draft")
    make_document("Deprecated", check_by=BEFORE, deprecated_at=timezone.now())
    make_document("Superseded", check_by=BEFORE, superseded_by=due)
    assert list(overdue_editions(Document.objects.all(), TODAY)) == [due]


def test_the_job_lists_them_once_a_day_for_all_schools() -> None:
    make_document("Shared", check_by=BEFORE)
    make_document("Own", check_by=BEFORE, tenant=make_tenant())
    report_overdue(TODAY)
    assert report_overdue(TODAY) == CurrencyReport.objects.get()
    listed = [(one["title"], one["tenant"]) for one in CurrencyReport.objects.get().overdue]
    assert sorted(listed) == [("Own", "school"), ("Shared", "")]


def test_beat_runs_it(settings: Any) -> None:
    entry = settings.CELERY_BEAT_SCHEDULE["list-overdue"]
    assert entry["task"] == list_overdue.name
    list_overdue()
    assert CurrencyReport.objects.get().day == timezone.now().date()


def test_what_the_standard_cites_is_missing_until_it_can_be_found() -> None:
    load_standard(small_standard())
    cited = {gap.reference for gap in missing_references(None)}
    assert any(reference.startswith("14 CFR part 91") for reference in cited)
    make_chunk(WEATHER)
    held = {gap.reference for gap in missing_references(None)}
    assert cited - held
    assert all(reference.startswith("14 CFR") for reference in cited - held)
    Document.objects.update(status="archived")
    assert {gap.reference for gap in missing_references(None)} == cited


def test_a_file_turned_away_at_the_door_is_listed_with_its_reason(operator: Client) -> None:
    bad = SimpleUploadedFile("menu.pdf", b"not a PDF at all")
    operator.post("/operations/upload/", {"files": [bad]})
    answer = operator.post(
        "/api/v1/documents/", {"file": SimpleUploadedFile("empty.md", b"")}, format="multipart"
    )
    assert answer.status_code == 400
    found = {one.name: one.why for one in refused_files(IngestionJob.objects.all())}
    assert set(found) == {"menu.pdf", "empty.md"}
    assert "empty" in found["empty.md"]
    page = operator.get("/operations/editions/").content.decode()
    assert "menu.pdf" in page
    assert found["menu.pdf"].split(".")[0] in page
    job = IngestionJob.objects.get(source_name="menu.pdf")
    assert operator.post(f"/api/v1/jobs/{job.pk}/retry/").status_code == 409


def test_a_file_that_got_in_later_is_no_longer_refused() -> None:
    for state in ("failed", "succeeded"):
        IngestionJob.objects.create(source_name="phak.pdf", content_hash="", state=state, error="locked")
    assert refused_files(IngestionJob.objects.all()) == []


def test_the_page_shows_each_list_and_its_buttons_work(operator: Client) -> None:
    due = make_document("Old rules", doc_type="sop", check_by=BEFORE)
    former = make_document("Former rules", doc_type="sop", superseded_by=due)
    make_document("Withdrawn", deprecated_at=timezone.now(), deprecated_reason="The club sold the airplane.")
    make_document("Unread", status="draft", doc_type="other")
    make_node("A rule that changed.", stale=True, stale_reason="Its quote is no longer in “Old rules”.")
    page = operator.get("/operations/editions/").content.decode()
    for said in (
        "Old rules",
        "Former rules",
        "The club sold the airplane.",
        "its kind could not be determined",
    ):
        assert said in page
    assert (
        operator.post(
            f"/operations/documents/{due.pk}/checked/", {"back": "/operations/editions/"}
        ).status_code
        == 302
    )
    due.refresh_from_db()
    assert due.check_by == timezone.now().date() + timedelta(days=365)
    assert operator.get(f"/operations/documents/{former.pk}/").status_code == 200


CHANGES = [
    ("deprecate", {"reason": "A newer rule."}, {"deprecated_reason": "A newer rule."}),
    (
        "label",
        {"category": "club", "tags": "fuel, night,, fuel"},
        {"category": "club", "tags": ["fuel", "night"]},
    ),
    ("checked", {"check_by": "2031-02-03"}, {"check_by": date(2031, 2, 3)}),
    ("archive", {}, {"status": "archived"}),
]


@pytest.mark.parametrize(("what", "said", "after"), CHANGES)
def test_each_change_of_a_document_is_made(
    operator: Client, what: str, said: dict[str, str], after: dict[str, Any]
) -> None:
    document = make_document("Rules", doc_type="sop")
    operator.post(f"/operations/documents/{document.pk}/{what}/", said)
    document.refresh_from_db()
    assert {name: getattr(document, name) for name in after} == after


@pytest.mark.parametrize(
    ("what", "said", "told"),
    [
        ("deprecate", {"reason": "  "}, "Give the reason"),
        ("checked", {"check_by": "2031-13-45"}, "Write the day as"),
        ("checked", {"check_by": "tomorrow"}, "Write the day as"),
        ("bring-back", {}, "not superseded"),
        ("edition-of", {"before": "x"}, "Choose the document"),
        ("rechunk", {}, "no file"),
    ],
)
def test_a_change_that_cannot_be_made_says_why(
    operator: Client, what: str, said: dict[str, str], told: str
) -> None:
    document = make_document("Rules", doc_type="sop")
    answer = operator.post(f"/operations/documents/{document.pk}/{what}/", said, follow=True)
    assert told in answer.content.decode()
    assert operator.post(f"/operations/documents/{document.pk}/no-such-change/").status_code == 404


def test_nobody_else_gets_in(client: Client) -> None:
    document = make_document("Ropes", tenant=make_tenant("theirs"), check_by=BEFORE)
    client.force_login(make_user("olga", Role.OPERATOR))  # of the shared library
    assert "Ropes" not in client.get("/operations/editions/").content.decode()
    assert client.get(f"/operations/documents/{document.pk}/").status_code == 404
    assert client.post(f"/operations/documents/{document.pk}/archive/").status_code == 404
    client.force_login(make_user("stu", Role.STUDENT))
    assert client.get("/operations/editions/").status_code == 403
    assert client.post(f"/operations/documents/{document.pk}/archive/").status_code == 403


def a_document_of_each_kind(number: int) -> None:
    """A document in force without a date, a due one, one to chunk again, a draft, a former edition, a refused file, and
    one with refused pictures."""
    current = make_document(f"Current {number}", chunking="fixed-512-50", file="library/a.pdf")
    make_document(f"Due {number}", check_by=BEFORE)
    make_document(f"Draft {number}", status="draft", doc_type="ac", chunking="fixed-800-100")
    make_document(f"Former {number}", superseded_by=current)
    kept = {"source_name": f"{number}.pdf", "content_hash": f"{number}"}
    IngestionJob.objects.create(**kept, state="failed", error="It is empty.", counts={"code": "empty"})
    IngestionJob.objects.create(
        **kept | {"source_name": "c"},
        document=current,
        state="succeeded",
        counts={"skipped_for": {"junk": 2}},
    )


def test_the_page_of_editions_asks_the_database_as_often_for_many_documents(operator: Client) -> None:
    load_standard(small_standard())
    a_document_of_each_kind(0)
    operator.get("/operations/editions/")
    with CaptureQueriesContext(connection) as few:
        operator.get("/operations/editions/")
    for number in range(1, 61):
        a_document_of_each_kind(number)
    with CaptureQueriesContext(connection) as many:
        page = operator.get("/operations/editions/")
    assert len(many) <= len(few) + 6  # a count for each list that is longer than the page shows
    assert len(many) <= 30
    text = page.content.decode()
    assert "<b>61</b> to check" in text
    assert "<b>61</b> drafts" in text
    assert "<b>61</b> refused" in text
    assert text.count("Still in force") <= 2 * 50
    assert "And 11 more" in text


RULES = [f"Rule {n}: whoever flew the club's glider number {n} last washes it and says so." for n in range(6)]


def test_documents_that_hold_the_same_passages_are_told_and_one_press_archives_one(operator: Client) -> None:
    """By their words, not their titles; in no other library, and not if only a few are the same."""
    school = make_tenant()
    whole, part, few = make_document("Handbook"), make_document("Leaflet"), make_document("Poster")
    apart = make_document("The school's", tenant=school)
    for document, told in ((whole, RULES), (part, RULES[:3]), (few, [RULES[0], "a", "b"]), (apart, RULES)):
        for text in told:
            make_chunk(text, document, embed=False)
    (of_whole,), (of_part,) = overlaps_of(whole), overlaps_of(part)
    assert str(of_whole) == "3 of the 3 passages of Leaflet are also in this document"
    assert str(of_part) == "3 of this document's 3 passages are also in Handbook"
    assert overlaps_of(few) == overlaps_of(apart) == []
    page = f"/operations/documents/{whole.pk}/"
    assert "3 of its 3 passages" in operator.get(page).content.decode()
    answer: Any = operator.post(f"/operations/documents/{part.pk}/archive/", {"back": page})
    assert answer.url == page
    part.refresh_from_db()
    assert part.status == "archived"
    assert overlaps_of(whole) == overlaps_of(part) == []
    assert 'id="overlaps"' not in operator.get(page).content.decode()


def test_the_same_passages_are_looked_up_by_an_index() -> None:
    """In a large library all passages are read for each document otherwise."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")  # so few are read whole
    assert "chunk_content_hash" in Chunk.objects.order_by().filter(content_hash="a").explain()


@pytest.mark.long
def test_a_job_tells_what_it_brought_a_second_time(tmp_path: Path, operator: Client) -> None:
    jobs = []
    with two_models(Vectors()):
        for name, told in (("leaflet", RULES[:3]), ("handbook", RULES)):
            path = tmp_path / f"{name}.md"
            path.write_text("\n\n".join(f"# {rule.split(':')[0]}\n\n{rule}" for rule in told))
            jobs.append(submit_file(path, options={"title": name, "doc_type": "handbook"}, wake=False))
            run_job(jobs[-1].pk)
    first, second = (operator.get(f"/operations/jobs/{job.pk}/").content.decode() for job in jobs)
    assert "also in this document" not in first
    assert "3 of the 3 passages of leaflet are also in this document." in second
    assert f"/operations/documents/{Document.objects.get(title='handbook').pk}/#overlaps" in second
