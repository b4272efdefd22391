"""The operator's tables: documents and jobs by the thousand are searched, filtered, and changed many at once."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from desk import conf
from exams.models import Exam, Turn
from knowledge.documents.lifecycle import InUse, publish_document, trash_document
from knowledge.ingestion.editions.editions import edition_before
from knowledge.ingestion.jobs.jobs import waiting_jobs
from knowledge.library_version import read_index_state
from knowledge.models import (
    Concept,
    ConceptRelation,
    Document,
    DocumentEvent,
    IngestionJob,
    Membership,
)
from knowledge.models.tenancy import Role
from tests.doubles.claims import make_claims, make_user
from tests.doubles.library import make_chunk, make_document, make_node
from tests.doubles.schools import Schools

pytestmark = pytest.mark.django_db
QUERIES = 12
LIBRARY, JOBS = "/operations/library/", "/operations/jobs/"


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(make_user("olga", Role.OPERATOR))
    return client


def titles(client: Client, query: str = "") -> list[str]:
    return [document.title for document in client.get(f"{LIBRARY}?{query}").context["rows"]]


def names(client: Client, query: str = "") -> list[str]:
    return [shown.job.source_name for shown in client.get(f"{JOBS}?{query}").context["rows"]]


def make_job(name: str, **fields: Any) -> IngestionJob:
    return IngestionJob.objects.create(source_name=name, content_hash="", **fields)


def change(client: Client, act: str, *rows: Any, address: str = LIBRARY, **sent: str) -> list[str]:
    ids = [str(row.pk) for row in rows]
    page = client.post(f"{address}change/", {"act": act, "row": ids, **sent}, follow=True)
    assert page.status_code == 200
    return [str(message) for message in page.context["messages"]]


@pytest.mark.parametrize(("page", "label"), [("graph", "In force"), ("jobs", "Requested")])
def test_a_figure_says_on_a_phone_what_it_counts(operator: Client, page: str, label: str) -> None:
    make_job("A job")
    text = operator.get(f"/operations/{page}/").content.decode()
    assert '<table class="stack labeled">' in text
    assert f'data-label="{label}"' in text
    assert '<td class="num">' not in text


# --- how they are found ------------------------------------------------------------


@pytest.mark.long
def test_a_thousand_documents_and_five_thousand_jobs_take_few_queries(operator: Client) -> None:
    Document.objects.bulk_create(
        Document(
            title=f"Book {n}", content_hash=f"{n:064}", status="published", doc_type="handbook", tags=["t"]
        )
        for n in range(1000)
    )
    kinds = ("document", "claims", "items", "vectors")
    states = ("succeeded", "failed", "cancelled", "queued")
    IngestionJob.objects.bulk_create(
        IngestionJob(source_name=f"job {n}", content_hash="", kind=kinds[n % 4], state=states[n // 4 % 4])
        for n in range(5000)
    )
    for address in (LIBRARY, f"{LIBRARY}?page=20&sort=title", JOBS, f"{JOBS}?q=99&sort=-ended&page=2"):
        with CaptureQueriesContext(connection) as seen:
            page = operator.get(address)
        assert page.status_code == 200
        assert len(seen) <= QUERIES, address
    assert "951–1,000 of 1,000" in operator.get(f"{LIBRARY}?page=20").content.decode()


def test_documents_are_found_by_words_status_kind_category_tag_and_edition(operator: Client) -> None:
    day = timezone.now().date()
    make_document(
        "Alpha handbook", doc_type="handbook", category="books", tags=["night", "fuel"], edition_date=day
    )
    make_document("Bravo rules", status="draft", source_name="bravo-2020.pdf", edition_date=day)
    make_document("Charlie", check_by=day - timedelta(days=1), edition_date=date(2020, 1, 1))
    make_document("Delta", deprecated_at=timezone.now(), edition_date=day, check_by=date(2020, 1, 1))
    old = make_document("Echo", edition_date=day)
    Document.objects.filter(pk=old.pk).update(superseded_by=make_document("Foxtrot"))
    assert titles(operator, "q=hand alpha") == ["Alpha handbook"]
    assert titles(operator, "q=2020.pdf") == ["Bravo rules"]
    assert titles(operator, "status=draft") == ["Bravo rules"]
    assert titles(operator, "status=superseded") == ["Echo"]
    assert titles(operator, "status=deprecated") == ["Delta"]
    assert titles(operator, "kind=handbook") == titles(operator, "category=books") == ["Alpha handbook"]
    assert titles(operator, "tag=fuel") == ["Alpha handbook"]
    assert titles(operator, "edition=overdue") == ["Charlie"]  # not the one that is out of force
    assert titles(operator, "edition=undated") == ["Foxtrot"]
    assert titles(operator, "sort=title")[:2] == ["Alpha handbook", "Bravo rules"]
    assert titles(operator, "sort=-edition")[-2:] == ["Charlie", "Foxtrot"]  # without a date come last
    everything = "status=song&kind=song&sort=song&page=999&school=song&edition=song"
    assert len(titles(operator, everything)) == 6  # what means nothing is passed over


def test_jobs_are_found_by_words_kind_and_state(operator: Client) -> None:
    make_job("a.pdf", state="failed", error="It is locked with a password.")
    make_job("Claims of B", kind="claims", state="running")
    make_job("c.pdf", state="succeeded")
    assert names(operator, "q=password") == ["a.pdf"]
    assert names(operator, "kind=claims") == names(operator, "state=open") == ["Claims of B"]
    assert names(operator, "state=succeeded") == ["c.pdf"]
    assert names(operator, "sort=name") == ["a.pdf", "c.pdf", "Claims of B"]


def test_the_table_of_jobs_reloads_itself_while_one_is_open(operator: Client) -> None:
    job = make_job("open.md", state="running")
    assert ' hx-select=".choosing"' in operator.get("/operations/jobs/?state=failed").content.decode()
    IngestionJob.objects.filter(pk=job.pk).update(state="failed")
    assert ' hx-select=".choosing"' not in operator.get("/operations/jobs/").content.decode()


def test_jobs_say_their_school_and_are_found_by_it(schools: Schools) -> None:
    make_job("own.pdf", tenant=schools.first, state="succeeded")
    make_job("shared.pdf", state="succeeded")
    client = schools.client("superuser")
    assert names(client, f"school={schools.first.pk}") == ["own.pdf"]
    assert names(client, "school=*") == ["shared.pdf"]
    for address in (JOBS, "/operations/", "/operations/jobs/now/"):
        assert f'<span class="soft">{schools.first}</span>' in client.get(address).content.decode(), address
    one = schools.client("operator-of-first").get(JOBS).content.decode()
    assert 'id="of-school"' not in one  # there is nothing to choose


@pytest.mark.long
def test_put_first_passes_over_jobs_of_the_same_school_alone(schools: Schools) -> None:
    for name, school in {"foreign": schools.second, "one": schools.first, "two": schools.first}.items():
        make_job(name, tenant=school)
    client = schools.client("operator-of-first")
    foreign, one, two = IngestionJob.objects.order_by("created_at")
    address = f"{JOBS}{two.pk}/first/"
    assert address not in client.get(JOBS).content.decode()
    said = [str(message) for message in client.post(address, follow=True).context["messages"]]
    assert "behind one of another school" in said[0]
    assert waiting_jobs() == [foreign.pk, one.pk, two.pk]
    foreign.delete()
    assert address in client.get(JOBS).content.decode()
    client.post(address)
    assert waiting_jobs() == [two.pk, one.pk]


@pytest.mark.long
def test_a_row_says_what_the_document_holds_and_serves(operator: Client) -> None:
    claims = make_claims()
    make_chunk("Something else.", Document.objects.get(), embed=False, section="7.13")
    element = make_node("PA.I.A.K1", category="acs_element")
    for claim in claims[:2]:
        ConceptRelation.objects.create(source=claim, target=element, relation_type="applies_in_scenario")
    held = operator.get(LIBRARY).context["rows"][0]
    assert (held.passages, held.figures, held.claims, held.elements) == (2, 0, 4, 1)
    make_document("Nothing read yet")
    for name in ("passages", "claims", "elements"):
        assert titles(operator, f"sort={name}")[0] == "Nothing read yet"
        assert titles(operator, f"sort=-{name}")[0] == held.title
    assert len(titles(operator, "sort=figures")) == 2


def test_an_operator_sees_and_changes_nothing_of_another_school(schools: Schools) -> None:
    own = make_document("Own", tenant=schools.first)
    other = make_document("Other", tenant=schools.second)
    job = make_job("other.pdf", tenant=schools.second, state="queued")
    client = schools.client("operator-of-first")
    assert titles(client) == ["Own"]
    assert names(client) == []
    assert change(client, "archive", own, other) == ["1 document is archived."]
    assert change(client, "cancel", job, address=JOBS) == ["Choose at least one job."]
    assert change(client, "trash", everything="1", query="") == ["1 document is moved to the trash."]
    other.refresh_from_db()
    job.refresh_from_db()
    assert (other.status, other.trashed_at, job.state) == ("published", None, "queued")


# --- many at once ------------------------------------------------------------


@pytest.mark.long
def test_many_editions_are_still_in_force_at_once(operator: Client) -> None:
    yesterday = timezone.now().date() - timedelta(days=1)
    due = [make_document(f"Due {n}", check_by=yesterday) for n in range(2)]
    draft = make_document("Draft", status="draft", abbreviation="", check_by=yesterday)
    said = change(operator, "checked", *due, draft)
    assert said == [
        "2 documents are still in force and will be due for a check again later.",
        "Draft: it is not in force.",
    ]
    for one in due:
        one.refresh_from_db()
        assert one.check_by
        assert one.check_by > timezone.now().date()
    assert change(operator, "checked", everything="1", query="edition=overdue") == [
        "No document that fits needs this."
    ]


def test_an_operator_is_led_to_no_page_of_reviewers(operator: Client) -> None:
    done = make_job("Claims of 14 CFR 91", kind="claims", state="succeeded", counts={"new": 3})
    queue = "/admin/curation/claim/queue/"
    for address in ("/operations/", f"{JOBS}{done.pk}/", "/admin/curation/claim/guidelines/"):
        page = operator.get(address).content.decode()
        assert queue not in page
        assert "/admin/curation/claim/board/" not in page
    Membership.objects.create(user=User.objects.get(username="olga"), tenant=None, role=Role.REVIEWER)
    assert queue in operator.get("/operations/").content.decode()


@pytest.mark.long
def test_the_admin_writes_days_as_the_desk_does(operator: Client) -> None:
    make_job("A job")
    pages = [operator.get(address).content.decode() for address in (JOBS, "/admin/knowledge/ingestionjob/")]
    day = f"{timezone.now():%b} {timezone.now().day}, {timezone.now().year}, "
    assert all(day in page and "p.m." not in page and "a.m." not in page for page in pages)


def test_many_are_changed_and_those_that_cannot_be_are_named(operator: Client) -> None:
    ready = make_document("Ready", status="draft")
    unknown = make_document("Unknown", status="draft", doc_type="other", abbreviation="")
    said = change(operator, "publish", ready, unknown)
    assert said[0] == "1 document is published."
    assert said[1].startswith("Unknown: its kind is unknown.")
    ready.refresh_from_db()
    assert ready.status == "published"
    assert change(operator, "publish") == ["Choose at least one document."]
    assert operator.post(f"{LIBRARY}change/", {"act": "explode"}).status_code == 404
    assert change(operator, "archive", row="no id")[0].startswith("Choose")


@pytest.mark.long
def test_claims_of_all_that_fit_the_filter_are_extracted_as_jobs(operator: Client) -> None:
    for n in range(3):
        make_document(f"Book {n}", category="books", abbreviation=f"B{n}")
    make_document("Another")
    said = change(operator, "extract", everything="1", query="category=books")
    assert said == ["3 documents are queued for the extraction of claims."]
    assert IngestionJob.objects.filter(kind="claims").count() == 3


@pytest.mark.long
def test_all_that_fit_are_changed_and_their_words_indexed_once(operator: Client) -> None:
    make_chunk("Look first.", make_document("Book of words"), embed=False)
    Document.objects.bulk_create(Document(title=f"Book {n}", content_hash=f"{n:064}") for n in range(250))
    Document.objects.update(status="published")
    with CaptureQueriesContext(connection) as seen:
        assert change(operator, "archive", everything="1", query="") == ["251 documents are archived."]
    assert sum("INSERT INTO knowledge_wordindex" in query["sql"] for query in seen) == 1
    assert not read_index_state().stale
    assert change(operator, "archive", everything="1", query="") == ["No document that fits needs this."]


@pytest.mark.long
def test_what_is_not_reached_in_time_goes_on_with_the_next_press(
    operator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conf, "BULK_SECONDS", -1)  # each press reaches one
    for n in range(3):
        make_document(f"Book {n}", status="draft", abbreviation=f"B{n}")
    for left in (2, 1, 0):
        said = change(operator, "publish", everything="1", query="")
        assert said[0] == "1 document is published."
        assert [line.split(" were ")[0] for line in said[1:]] == [f"{left} more of them"] * bool(left)
    assert not Document.objects.filter(status="draft").exists()


@pytest.mark.long
def test_jobs_are_cancelled_retried_and_dismissed_many_at_once(operator: Client) -> None:
    waiting = make_job("waiting", kind="claims", state="queued")
    refused = make_job("refused.pdf", state="failed")
    said = change(operator, "cancel", waiting, refused, address=JOBS)
    assert said[0] == "1 job is stopping."
    assert "already over" in said[1]
    said = change(operator, "retry", waiting, refused, address=JOBS)
    assert said[0] == "1 job is queued again."
    assert "Upload it again" in said[1]
    said = change(operator, "dismiss", waiting, refused, address=JOBS)
    assert said[0] == "1 job is dismissed."
    assert "not over yet" in said[1]
    assert names(operator) == ["waiting"]
    assert names(operator, "state=dismissed") == ["refused.pdf"]
    change(operator, "bring-back", refused, address=JOBS)
    assert len(names(operator)) == 2


# --- the trash ------------------------------------------------------------


def test_what_is_in_the_trash_is_on_no_list_and_comes_back_as_it_was(operator: Client) -> None:
    document = make_document("A handbook")
    change(operator, "trash", document)
    assert titles(operator) == []
    assert titles(operator, "status=trash") == ["A handbook"]
    assert "A handbook" not in operator.get("/library/").content.decode()
    assert operator.get(f"/library/{document.pk}/").status_code == 200  # its citations open
    document.refresh_from_db()
    assert document.status == "archived"
    with pytest.raises(InUse, match="trash"):
        publish_document(document)
    change(operator, "restore", document)
    document.refresh_from_db()
    assert (document.status, document.trashed_at) == ("published", None)
    acts = list(DocumentEvent.objects.order_by("pk").values_list("act", "made_by__username"))
    assert acts == [("trashed", "olga"), ("restored", "olga")]
    page = operator.get(f"/operations/documents/{document.pk}/").content.decode()
    assert "Brought back from the trash" in page


@pytest.mark.long
def test_a_document_with_an_open_job_stays_out_of_the_trash(operator: Client) -> None:
    document = make_document("A handbook", abbreviation="AH")
    make_job("a.pdf", document=document, state="running")
    assert change(operator, "trash", document) == [
        "AH: A job works on it. Cancel that job, or wait until it ends."
    ]


@pytest.mark.long
def test_a_new_edition_does_not_supersede_what_is_in_the_trash() -> None:
    old = make_document("Handbook A", abbreviation="AC 90-66A", doc_type="ac")
    new = make_document("Handbook B", abbreviation="AC 90-66B", doc_type="ac", status="draft")
    assert edition_before(new) == old
    trash_document(old, timezone.now())
    assert edition_before(new) is None


def test_only_what_nothing_rests_on_is_deleted_for_good(operator: Client) -> None:
    free, cited = make_document("Free"), make_claims()[0].evidence.get().chunk.document
    change(operator, "trash", free, cited)
    Document.objects.filter(pk=cited.pk).update(title="Cited", abbreviation="")
    Concept.objects.update(validation_status="validated")
    said = change(operator, "delete", free, cited)
    assert said == [
        "1 document is deleted for good.",
        "Cited: it stays in the trash, since claims that a reviewer decided rest on it.",
    ]
    assert list(Document.objects.values_list("title", flat=True)) == ["Cited"]
    kept = make_document("Kept")
    assert "move it to the trash first" in change(operator, "delete", kept)[0]


def test_what_an_exam_cites_is_never_deleted(operator: Client) -> None:
    chunk = make_chunk("Look first.", make_document("Cited", abbreviation=""), embed=False)
    exam = Exam.objects.create(student=make_user("stu", Role.STUDENT), certificate="private", standard="6C")
    cited = [{"n": 1, "chunk_id": str(chunk.pk)}]
    Turn.objects.create(exam=exam, number=1, element="PA.I.A.K1", task="PA.I.A", citations=cited)
    change(operator, "trash", chunk.document)
    assert "verdicts of exams cite it" in change(operator, "delete", chunk.document)[0]
