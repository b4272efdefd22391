"""A school writes a short document in the admin; publishing it takes the way of every file."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from knowledge.ingestion.pipeline import run_job
from knowledge.models import Document, IngestionJob, Membership
from knowledge.models.tenancy import Role
from knowledge.retrieval.searchable import Scope, searchable_chunks
from llm import registry
from tests.doubles import editions
from tests.doubles.claims import EXTRACTOR, make_user
from tests.doubles.editions import claim_on, sentence
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.library import MODEL, make_tenant

pytestmark = [pytest.mark.long, pytest.mark.django_db]
ADD = "/admin/knowledge/document/add/"
BODY = f"## 1.1 Fuel\n\n{editions.FUEL}\n\n## 1.2 Oxygen\n\n{editions.OXYGEN}\n"


@pytest.fixture(autouse=True)
def _models() -> Iterator[None]:
    before = registry._door.wiring
    registry.configure_models(chat=lambda: EXTRACTOR, embedding=HashingEmbedding)
    yield
    registry._door.wiring = before


@pytest.fixture
def writer(client: Client) -> Client:
    user = make_user("olga", Role.OPERATOR)
    Membership.objects.filter(user=user).update(tenant=make_tenant())
    client.force_login(user)
    return client


def sent(body: str = BODY, **more: str) -> dict[str, str]:
    return {"title": "Club rules", "abbreviation": "", "doc_type": "sop", "edition": "", "edition_date": "",
            "category": "club", "tags": "fuel, night", "body": body, **more}  # fmt: skip


def publish(client: Client, address: str, **fields: str) -> IngestionJob:
    client.post(address, sent(**fields, knowledge_document_save_and_publish="1"))
    job = IngestionJob.objects.latest("created_at")
    run_job(job.pk)
    job.refresh_from_db()
    assert job.state == "succeeded", job.error
    return job


def found() -> set[Any]:
    scope = Scope(tenant=make_tenant().pk, model=MODEL.name)
    return set(searchable_chunks(scope).values_list("section", "document"))


def test_a_draft_is_kept_and_not_found(writer: Client) -> None:
    assert writer.get(ADD).status_code == 200
    assert writer.post(ADD, sent()).status_code == 302
    document = Document.objects.get()
    assert (document.status, document.origin, document.tenant) == ("draft", "written", make_tenant())
    assert (document.tags, IngestionJob.objects.count()) == (["fuel", "night"], 0)
    writer.post(f"/admin/knowledge/document/{document.pk}/change/", sent(title="Rules of the club"))
    assert Document.objects.get().title == "Rules of the club"


def test_publishing_runs_the_pipeline_and_the_next_edition_supersedes_it(writer: Client) -> None:
    job = publish(writer, ADD)
    first = Document.objects.get()
    assert (job.document, first.status, first.paged, first.page_count) == (first, "published", False, 0)
    assert found() == {("1.1", first.pk), ("1.2", first.pk)}
    kept, lost = claim_on(first, sentence(editions.FUEL)), claim_on(first, sentence(editions.OXYGEN))
    page = writer.get("/admin/knowledge/document/").content.decode()
    address = f"{ADD}?follows={first.pk}"
    assert address in page
    assert editions.OXYGEN[:40] in writer.get(address).content.decode()
    publish(writer, address, body=BODY.replace(editions.OXYGEN, editions.OXYGEN_CHANGED))
    second = Document.objects.exclude(pk=first.pk).get()
    assert (second.follows, second.superseded_by) == (first, None)
    assert {document for _, document in found()} == {second.pk}
    kept.refresh_from_db()
    lost.refresh_from_db()
    assert (kept.stale, lost.stale) == (False, True)


def test_what_is_published_is_not_edited(writer: Client) -> None:
    publish(writer, ADD)
    document = Document.objects.get()
    writer.post(f"/admin/knowledge/document/{document.pk}/change/", sent(title="Another"))
    assert Document.objects.get().title == "Club rules"


def test_an_empty_text_is_not_published(writer: Client) -> None:
    answer = writer.post(ADD, sent(body=" ", knowledge_document_save_and_publish="1"), follow=True)
    assert "has no text yet" in answer.content.decode()
    assert not IngestionJob.objects.exists()


def test_only_operators_write_and_each_for_the_own_school(writer: Client, client: Client) -> None:
    publish(writer, ADD)
    first = Document.objects.get()
    reader = make_user("rita", Role.REVIEWER)
    client.force_login(reader)
    assert client.get(ADD).status_code == 403
    other = make_user("otto", Role.OPERATOR)
    client.force_login(other)
    client.post(f"{ADD}?follows={first.pk}", sent(title="Mine"))
    mine = Document.objects.get(title="Mine")
    assert (mine.follows, mine.tenant) == (None, None)
