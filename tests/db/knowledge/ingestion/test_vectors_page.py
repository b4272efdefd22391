"""Operations, “Search vectors” and the upload that is estimated first, as an operator of the house uses them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from knowledge.ingestion.jobs.jobs import next_job, submit_file
from knowledge.ingestion.pipeline import run_job
from knowledge.library_version import model_in_use
from knowledge.models import IngestionJob, Membership, Tenant, VectorSet
from tests.doubles.vector_models import LOCAL, REMOTE, two_models
from tests.doubles.vendors import Vectors

pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]

TEXT = (
    "# Rules\n\n## Rule 1\n\nAircraft of the club are washed by whoever flew them last and dried by hand.\n"
)


@pytest.fixture(autouse=True)
def _models() -> Iterator[None]:
    with two_models(Vectors()):
        yield


def signed_in(tenant: Tenant | None) -> Client:
    user = User.objects.create_user("op", password="x")
    Membership.objects.create(user=user, tenant=tenant, role="operator")
    client = Client()
    client.force_login(user)
    return client


def page_of(client: Client, address: str = "/operations/vectors/") -> str:
    return client.get(address).content.decode()


def act(client: Client, what: str, model: str) -> str:
    answer = client.post("/operations/vectors/change/", {"act": what, "model": model}, follow=True)
    return answer.content.decode()


def test_from_building_to_removing(tmp_path: Path) -> None:
    client = signed_in(None)
    path = tmp_path / "rules.md"
    path.write_text(TEXT)
    run_job(submit_file(path, options={"doc_type": "sop"}, wake=False).pk)
    page = page_of(client)
    assert f'aria-label="Build vectors of {REMOTE}"' in page
    assert "1 request, for less than $0.0001" in page
    assert "are being built" in act(client, "build", REMOTE)
    assert "Waiting for a worker" in page_of(client)
    assert "have no vector" in act(client, "switch", REMOTE)
    run_job(IngestionJob.objects.get(kind="vectors").pk)
    assert "Searches work as before until you switch" in page_of(client, "/operations/jobs/now/")
    assert f'aria-label="Switch to {REMOTE}"' in page_of(client)
    assert f"Searches now use {REMOTE}" in act(client, "switch", REMOTE)
    assert model_in_use() == REMOTE
    assert "1 vectors of all-MiniLM-L6-v2 were removed" in act(client, "remove", LOCAL)
    assert f"Searches use {REMOTE}" in act(client, "remove", REMOTE)
    assert client.post("/operations/vectors/change/", {"act": "burn"}).status_code == 404


def test_where_the_model_in_use_is_not_set_up_pages_say_so_and_the_operator_can_switch() -> None:
    client = signed_in(None)
    VectorSet.objects.create(model=LOCAL, dimensions=384)
    VectorSet.objects.create(model="lost", dimensions=3, in_use=True)
    for address in ("/library/search/?q=rules", "/api/v1/search/?q=rules"):
        answer = client.get(address)
        assert answer.status_code == 503
        assert "Searches use a model that is not set up on this machine" in answer.content.decode()
    assert "Retry-After" not in client.get("/library/search/?q=rules")  # an operator has to act first
    assert f"Searches now use {LOCAL}" in act(client, "switch", LOCAL)
    assert client.get("/library/search/?q=rules").status_code == 200


def test_an_operator_of_one_school_does_not_change_the_house() -> None:
    client = signed_in(Tenant.objects.create(slug="school", name="School"))
    assert client.get("/operations/vectors/").status_code == 403
    assert client.post("/operations/vectors/change/", {"act": "build", "model": REMOTE}).status_code == 403
    assert "Search vectors" not in page_of(client, "/operations/")


def test_an_upload_that_is_estimated_first_waits_for_its_operator() -> None:
    client = signed_in(None)
    file = SimpleUploadedFile("rules.md", TEXT.encode())
    said = client.post(
        "/operations/upload/", {"files": [file], "estimate": "1"}, follow=True
    ).content.decode()
    assert "rules.md waits for you: see its estimate below" in said
    assert "Expected: 1 passage" in said
    assert 'aria-label="Start rules.md"' in said
    job = IngestionJob.objects.get()
    assert (job.held, next_job()) == (True, None)
    assert job.estimate["cost_usd"] == 0
    assert (
        "The job is queued" in client.post(f"/operations/jobs/{job.pk}/start/", follow=True).content.decode()
    )
    assert next_job() == job.pk
    run_job(job.pk)
    assert f"1 text embedded by {LOCAL}" in page_of(client, "/operations/jobs/now/")


def test_an_estimate_that_foresees_a_refusal_offers_no_start() -> None:
    client = signed_in(None)
    lost = b"<html><head><title>404 Not Found</title></head><body><h1>Page not found</h1></body></html>"
    said = client.post(
        "/operations/upload/",
        {"files": [SimpleUploadedFile("lost.html", lost)], "estimate": "1"},
        follow=True,
    ).content.decode()
    assert "It would be refused: " in said
    assert ".." not in said
    assert "Start lost.html" not in said
    assert "Cancel lost.html" in said


def test_a_job_that_waits_says_how_many_are_before_it_and_can_be_put_first() -> None:
    client = signed_in(None)
    jobs = [
        IngestionJob.objects.create(source_name=name, content_hash=name) for name in ("one", "two", "three")
    ]
    page = page_of(client, "/operations/jobs/now/")
    assert "It is next." in page
    assert "2 jobs before it." in page
    client.post(f"/operations/jobs/{jobs[2].pk}/first/")
    assert next_job() == jobs[2].pk
