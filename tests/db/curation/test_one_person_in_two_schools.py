"""Who is operator or reviewer of one school and student of another acts for the first only as staff, and for the second
only as a student; every page, every route and the admin ask for the role in the school that is meant."""

from collections.abc import Callable, Collection

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from curation.models import Claim
from exams.models import Exam
from knowledge.models import Abbreviation, Document, IngestionJob, Membership, Note, Tenant
from knowledge.models.tenancy import Role
from rules.models import RuleQuestion
from tests.doubles.demo_library import Demo
from tests.doubles.library import make_chunk, make_document, make_figure, make_node
from tests.doubles.schools import Schools

SAVED = {
    "note": (
        "/admin/knowledge/note/add/",
        {"role": "examiner", "text": "Speak slowly.", "active": "on"},
        Note,
    ),
    "abbreviation": (
        "/admin/knowledge/abbreviation/add/",
        {"short": "ZZTOP", "long": "zulu zone terminal operations", "active": "on"},
        Abbreviation,
    ),
    "question": (
        "/admin/rules/rulequestion/add/",
        {"text": "May one fly by night?", "category": "Night", "tags": "", "reason": ""},
        RuleQuestion,
    ),
    "document": (
        "/admin/knowledge/document/add/",
        {"title": "House rules", "doc_type": "sop", "body": "# Rules", "category": "", "tags": ""},
        Document,
    ),
}


def file(name: str = "rules.md") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, f"# {name}\n\nEach pilot checks the fuel.\n".encode())


def stored(model: type, before: Collection[object]) -> Tenant | None:
    """The school of the one row that is new."""
    return model.objects.exclude(pk__in=before).get().tenant  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize("kind", SAVED)
@pytest.mark.parametrize(
    ("who", "school"),
    [("both", "first"), ("reversed", "second"), ("operator-of-shared", None), ("superuser", None)],
)
def test_what_is_written_is_of_the_school_of_the_role(
    schools: Schools, kind: str, who: str, school: str | None
) -> None:
    address, sent, model = SAVED[kind]
    before = set(model.objects.values_list("pk", flat=True))  # type: ignore[attr-defined]
    answer = schools.client(who).post(address, sent)
    assert answer.status_code == 302, answer.content.decode()
    assert stored(model, before) == (getattr(schools, school) if school else None)


@pytest.mark.parametrize("kind", SAVED)
@pytest.mark.parametrize("who", ["reviewer-and-student", "student-of-second", "stranger"])
def test_without_the_role_nothing_is_written(schools: Schools, kind: str, who: str) -> None:
    address, sent, model = SAVED[kind]
    before = model.objects.count()  # type: ignore[attr-defined]
    assert schools.client(who).post(address, sent).status_code in (302, 403)
    assert model.objects.count() == before  # type: ignore[attr-defined]


UPLOADS: dict[str, Callable[[Client], int]] = {
    "page": lambda client: client.post("/operations/upload/", {"files": [file()]}).status_code,
    "api": lambda client: client.post("/api/v1/documents/", {"file": file()}).status_code,
}


@pytest.mark.parametrize("way", UPLOADS)
def test_an_upload_is_of_the_school_of_the_role(schools: Schools, way: str) -> None:
    for who, school in (("both", schools.first), ("reversed", schools.second), ("operator-of-shared", None)):
        before = set(IngestionJob.objects.values_list("pk", flat=True))
        assert UPLOADS[way](schools.client(who)) in (202, 302)
        assert stored(IngestionJob, before) == school
    number = IngestionJob.objects.count()
    for who in ("reviewer-and-student", "student-of-second", "stranger"):
        assert UPLOADS[way](schools.client(who)) == 403
    assert IngestionJob.objects.count() == number


def test_rows_of_the_school_where_one_is_a_student_are_not_changed(schools: Schools) -> None:
    theirs = make_document("Their rules", tenant=schools.second, doc_type="sop")
    job = IngestionJob.objects.create(
        tenant=schools.second, source_name="x", content_hash="0" * 64, state="failed"
    )
    claim = make_node("Their claim", tenant=schools.second)
    for who in ("both", "reviewer-and-student"):
        client = schools.client(who)
        for step in ("archive", "publish", "deprecate", "rechunk"):
            answer = client.post(f"/api/v1/documents/{theirs.pk}/{step}/", {"reason": "x"})
            assert answer.status_code == 403
            assert client.post(f"/operations/documents/{theirs.pk}/{step}/").status_code in (403, 404)
        assert client.post(f"/api/v1/jobs/{job.pk}/retry/").status_code in (403, 404)
        assert client.post(f"/operations/jobs/{job.pk}/retry/").status_code in (403, 404)
        assert client.post(f"/operations/extract/{theirs.pk}/").status_code in (403, 404)
        assert client.post(f"/api/v1/claims/{claim.pk}/approve/", {"version": 1}).status_code in (403, 404)
        assert client.get(f"/admin/curation/claim/queue/{claim.pk}/").status_code in (403, 404)
    theirs.refresh_from_db()
    assert (theirs.status, theirs.deprecated_at) == ("published", None)
    assert Claim.objects.get(pk=claim.pk).version == 1


def test_drafts_are_read_by_the_staff_of_their_school_only(schools: Schools) -> None:
    draft = make_document("Their draft", tenant=schools.second, doc_type="sop", status="draft")
    chunk = make_chunk("What is not out yet.", draft, embed=False)
    figure = make_figure(chunk, "Figure 1", "caption")
    pages = (
        f"/library/{draft.pk}/",
        f"/library/passages/{chunk.pk}/",
        f"/library/figures/{figure.pk}/",
        f"/api/v1/documents/{draft.pk}/",
    )
    for who in ("both", "reviewer-and-student", "operator-of-shared", "operator-of-first", "stranger"):
        client = schools.client(who)
        assert {page: client.get(page).status_code for page in pages} == dict.fromkeys(pages, 404), who
        assert "Their draft" not in client.get("/library/").content.decode()
        assert str(draft.pk) not in client.get("/api/v1/documents/").content.decode()
    assert schools.client("reviewer-of-second").get(pages[0]).status_code == 200


@pytest.mark.parametrize("page", ["/operations/searches/", "/operations/arms/", "/operations/search/"])
def test_reports_are_of_the_school_of_the_role(schools: Schools, page: str) -> None:
    assert schools.client("both").get(page).context["school"] == schools.first
    assert schools.client("reversed").get(page).context["school"] == schools.second
    assert schools.client("operator-of-shared").get(page).context["school"] is None
    assert schools.client("reviewer-and-student").get(page).status_code == 403


def test_an_exam_is_of_the_school_in_which_one_is_a_student(demo: Demo, schools: Schools) -> None:
    for who, school in (
        ("both", schools.second),
        ("reversed", schools.first),
        ("operator-of-first", schools.first),
    ):
        answer = schools.client(who).post("/api/v1/exams/", {"questions": 1}, content_type="application/json")
        assert answer.status_code == 201, answer.json()
        assert Exam.objects.get(pk=answer.json()["id"]).tenant == school


def test_who_has_the_role_twice_says_for_which_school(schools: Schools) -> None:
    client = schools.client("operator-of-two")
    refused = client.post("/api/v1/documents/", {"file": file()})
    assert refused.status_code == 400
    assert refused.json()["fields"] == {"X-School": ["first", "second"]}
    asked = client.get("/operations/")
    assert asked.status_code == 200
    assert "Which school do you act for?" in asked.content.decode()
    assert "Which school do you act for?" in client.get("/admin/knowledge/note/add/").content.decode()
    assert client.post("/operations/upload/", {"files": [file()]}).status_code == 400
    chosen = client.post("/school/", {"school": "second", "next": "/operations/"})
    assert (chosen.status_code, chosen["Location"]) == (302, "/operations/")
    assert client.get("/operations/").status_code == 200
    assert client.post("/operations/upload/", {"files": [file()]}).status_code == 302
    assert stored(IngestionJob, set()) == schools.second
    assert (
        client.post("/api/v1/documents/", {"file": file("b.md")}, headers={"X-School": "first"}).status_code
        == 202
    )
    assert IngestionJob.objects.latest("created_at").tenant == schools.first


def test_a_school_that_is_not_one_s_own_is_refused_by_name(schools: Schools) -> None:
    own = make_document("Own rules", tenant=schools.first, doc_type="sop")
    client, foreign = schools.client("both"), {"X-School": "second"}
    refused = client.post("/api/v1/documents/", {"file": file()}, headers=foreign)
    assert refused.status_code == 403
    assert "first" in refused.json()["message"]
    assert client.post(f"/api/v1/documents/{own.pk}/archive/", headers=foreign).status_code == 403
    assert client.get("/api/v1/jobs/", headers={"X-School": "nowhere"}).status_code == 403
    stranger = schools.client("stranger")
    assert stranger.get("/api/v1/search/", {"q": "fuel"}, headers=foreign).status_code == 403
    assert stranger.post("/school/", {"school": "second"}).status_code == 403
    assert not IngestionJob.objects.exists()


def test_a_choice_ends_with_the_membership(schools: Schools) -> None:
    client = schools.client("operator-of-two")
    client.post("/school/", {"school": "second"})
    Membership.objects.filter(
        user=schools.people["operator-of-two"], tenant=schools.second, role=Role.OPERATOR
    ).delete()
    assert client.get("/operations/searches/").context["school"] == schools.first


def test_a_choice_gives_no_role(schools: Schools) -> None:
    client = schools.client("both")
    assert (
        client.post("/school/", {"school": "second", "next": "https://elsewhere.example/"})["Location"] == "/"
    )
    assert client.get("/operations/searches/").context["school"] == schools.first
