"""A school's documents, jobs, claims and disputes are its own; the shared library is changed by its own people."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from exams.models import Dispute, Exam, Turn
from knowledge.models import Document, IngestionJob, Membership, Tenant
from knowledge.models.telemetry import JobState
from knowledge.models.tenancy import Role
from tests.doubles.claims import make_claims
from tests.doubles.demo_library import Demo
from tests.doubles.library import make_chunk, make_document, make_tenant

pytestmark = pytest.mark.django_db


def person(name: str, role: Role, tenant: Tenant | None) -> Client:
    user = get_user_model().objects.create_user(name, password="x")
    Membership.objects.create(user=user, role=role, tenant=tenant)
    client = Client()
    client.force_login(user)
    return client


def job(tenant: Tenant | None, name: str) -> IngestionJob:
    return IngestionJob.objects.create(
        tenant=tenant, source_name=name, content_hash="0" * 64, state=JobState.FAILED
    )


def test_jobs_of_another_school_are_not_there() -> None:
    theirs, shared = job(make_tenant("theirs"), "secret.pdf"), job(None, "shared.pdf")
    own_school = make_tenant("ours")
    own = job(own_school, "own.pdf")
    operator = person("operator1", Role.OPERATOR, own_school)
    listed = operator.get("/api/v1/jobs/").json()["results"]
    assert [row["id"] for row in listed] == [str(own.pk)]
    for foreign in (theirs, shared):
        assert operator.post(f"/api/v1/jobs/{foreign.pk}/retry/").status_code == 404
        assert operator.post(f"/operations/jobs/{foreign.pk}/retry/").status_code == 404
        assert operator.post(f"/operations/jobs/{foreign.pk}/cancel/").status_code == 404
    for page in ("/operations/", "/operations/jobs/", "/admin/knowledge/ingestionjob/"):
        shown = operator.get(page).content.decode()
        assert "own.pdf" in shown
        assert "secret.pdf" not in shown


def test_documents_of_another_school_are_not_there() -> None:
    theirs = make_document("Their secret rules", tenant=make_tenant("theirs"), doc_type="sop")
    chunk = make_chunk("Their secret words are these.", theirs, embed=False)
    operator = person("operator1", Role.OPERATOR, make_tenant("ours"))
    for page in ("/operations/", "/library/", "/admin/knowledge/document/", "/admin/knowledge/chunk/"):
        assert "Their secret" not in operator.get(page).content.decode()
    assert operator.get(f"/library/passages/{chunk.pk}/").status_code == 404
    assert operator.get(f"/library/{theirs.pk}/").status_code == 404
    assert operator.get(f"/api/v1/documents/{theirs.pk}/").status_code == 404
    assert operator.post(f"/operations/extract/{theirs.pk}/").status_code == 404


def test_a_school_s_operator_does_not_change_the_shared_library() -> None:
    shared, school = make_document("14 CFR Part 91"), make_tenant("ours")
    own = make_document("House rules", tenant=school, doc_type="sop")
    operator = person("operator1", Role.OPERATOR, school)
    for step in ("archive", "publish", "deprecate"):
        answer = operator.post(f"/api/v1/documents/{shared.pk}/{step}/", {"reason": "old"})
        assert answer.status_code == 403
        assert operator.post(f"/api/v1/documents/{own.pk}/{step}/", {"reason": "old"}).status_code == 200
    assert operator.post(f"/operations/extract/{shared.pk}/").status_code == 404
    shared.refresh_from_db()
    assert (shared.status, shared.deprecated_at) == ("published", None)


def test_the_shared_library_s_operator_changes_it() -> None:
    shared = make_document("14 CFR Part 91")
    operator = person("operator1", Role.OPERATOR, None)
    assert operator.post(f"/api/v1/documents/{shared.pk}/archive/").status_code == 200
    assert Document.objects.get(pk=shared.pk).status == "archived"


def test_a_school_s_reviewer_decides_on_its_own_claims() -> None:
    shared, *others = make_claims()
    school = make_tenant("ours")
    own = others[0]
    own.tenant = school
    own.save()
    reviewer = person("reviewer1", Role.REVIEWER, school)
    assert [row["id"] for row in reviewer.get("/api/v1/claims/").json()["results"]] == [str(own.pk)]
    assert reviewer.post(f"/api/v1/claims/{shared.pk}/approve/", {"version": 1}).status_code == 404
    assert reviewer.get(f"/admin/curation/claim/queue/{shared.pk}/").status_code == 404
    assert shared.name not in reviewer.get("/admin/curation/claim/").content.decode()
    assert own.name[:30] in reviewer.get("/admin/curation/claim/").content.decode()


def disputed(student: Any, tenant: Tenant | None, note: str) -> Dispute:
    exam = Exam.objects.create(student=student, tenant=tenant, certificate="private", standard="x")
    turn = Turn.objects.create(
        exam=exam, number=1, element="PA.I.A.K1", task="PA.I.A", kind="knowledge", text="?"
    )
    return Dispute.objects.create(exam=exam, turn=turn, note=note)


def test_disputes_of_another_school_are_not_shown() -> None:
    student = get_user_model().objects.create_user("student1")
    theirs = disputed(student, make_tenant("theirs"), "their student's words")
    disputed(student, make_tenant("ours"), "our student's words")
    reviewer = person("reviewer1", Role.REVIEWER, make_tenant("ours"))
    shown = reviewer.get("/admin/exams/dispute/").content.decode()
    assert "our student&#x27;s words" in shown
    assert "their student" not in shown
    assert reviewer.get(f"/admin/exams/dispute/{theirs.pk}/change/").status_code == 302
    assert reviewer.get("/admin/exams/exam/").content.decode().count("student1") == 1


def test_the_demo_s_operator_makes_nobody_a_reviewer(demo: Demo) -> None:
    operator = Client()
    operator.force_login(demo.operator)
    assert operator.get("/admin/knowledge/document/").status_code == 200
    school = make_tenant("ours")
    for page in ("add/", f"{school.pk}/change/", f"{school.pk}/delete/"):
        assert operator.post(f"/admin/knowledge/tenant/{page}", {"slug": "mine"}).status_code == 403
