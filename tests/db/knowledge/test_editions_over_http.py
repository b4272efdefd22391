"""Editions over the API and as commands: the same acts as on the operator's page."""

import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from knowledge.documents.lifecycle import archive_document
from knowledge.models import Document, IngestionJob
from knowledge.models.tenancy import Role
from llm import registry
from tests.doubles import editions
from tests.doubles.claims import EXTRACTOR, make_user
from tests.doubles.editions import document_of, feed
from tests.doubles.embedding import HashingEmbedding

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _models() -> Iterator[None]:
    before = registry._door.wiring
    registry.configure_models(chat=lambda: EXTRACTOR, embedding=HashingEmbedding)
    yield
    registry._door.wiring = before


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(make_user("olga", Role.OPERATOR))
    return client


@pytest.fixture
def two(tmp_path: Path) -> tuple[Document, Document]:
    first = document_of(feed(editions.markdown(tmp_path / "a.md"), edition_date="2020-05-01"))
    second = document_of(
        feed(editions.markdown(tmp_path / "b.md", editions.SECOND), edition_date="2026-05-01")
    )
    return Document.objects.get(pk=first.pk), second


def _last_act(document: Document) -> Any:
    return document.events.values_list("act", "made_by__username").first()


def test_a_file_that_is_sent_again_to_be_published_says_who_published_it(tmp_path: Path) -> None:
    olga, file = make_user("olga", Role.OPERATOR), editions.markdown(tmp_path / "a.md")
    document = document_of(feed(file))
    archive_document(document)
    for _ in range(2):
        document_of(feed(file, created_by=olga, status="published"))
    assert _last_act(document) == ("published", "olga")
    assert document.events.count() == 3


def run(*arguments: str) -> Any:
    out = StringIO()
    call_command(*arguments, "--json", stdout=out)
    return json.loads(out.getvalue())


def test_deprecating_and_reinstating_by_the_api(operator: Client, two: tuple[Document, Document]) -> None:
    place = f"/api/v1/documents/{two[1].pk}"
    send: dict[str, Any] = {"content_type": "application/json"}
    assert operator.post(f"{place}/deprecate/", {"reason": "Withdrawn."}, **send).json()["deprecated_at"]
    answer = operator.post(f"{place}/reinstate/").json()
    assert (answer["deprecated_at"], answer["deprecated_reason"]) == (None, "")


def test_a_student_changes_no_document(client: Client, two: tuple[Document, Document]) -> None:
    client.force_login(make_user("stu", Role.STUDENT))
    assert client.get(f"/api/v1/documents/{two[0].pk}/").status_code == 200
    for act in ("publish", "archive", "deprecate", "rechunk", "reinstate"):
        assert client.post(f"/api/v1/documents/{two[0].pk}/{act}/").status_code == 403


def test_chunking_again_by_the_api_needs_a_reason(operator: Client, two: tuple[Document, Document]) -> None:
    place = f"/api/v1/documents/{two[1].pk}/rechunk/"
    assert operator.post(place).json() == {"id": str(two[1].pk), "reason": None, "job": None}
    before = IngestionJob.objects.count()
    answer = operator.post(place, {"force": True}, content_type="application/json")
    assert (answer.status_code, answer.json()["state"]) == (202, "queued")
    assert operator.post(place, {"force": True}, content_type="application/json").json() == answer.json()
    assert IngestionJob.objects.count() == before + 1
    wrong = operator.post(place, {"chunking": "wild"}, content_type="application/json")
    assert (wrong.status_code, list(wrong.json()["fields"])) == (400, ["chunking"])


def test_the_command_rechunks_where_it_is_needed_alone(two: tuple[Document, Document]) -> None:
    (idle,) = run("rechunk")["documents"]
    assert (idle["id"], idle["reason"], idle["chunks"], idle["kept"], idle["embedded"]) == (
        str(two[1].pk), None, 6, 6, 0,
    )  # fmt: skip
    Document.objects.filter(pk=two[1].pk).update(chunking="fixed-512-50")
    (done,) = run("rechunk")["documents"]
    assert (done["chunks"], done["kept"], done["error"]) == (6, 6, None)
    assert done["reason"].startswith("divided by fixed-512-50")
    assert run("rechunk")["documents"][0]["reason"] is None
    (forced,) = run("rechunk", "--document", str(two[1].pk), "--force")["documents"]
    assert forced["reason"] == "asked for"
    for wrong in (("--document", "nobody"), ("--chunking", "wild")):
        with pytest.raises(CommandError):
            run("rechunk", *wrong)


@pytest.mark.long
def test_the_commands_list_and_bring_back(two: tuple[Document, Document]) -> None:
    first, second = two
    listed = {one["id"]: one for one in run("editions")}
    assert listed[str(first.pk)]["superseded_by"] == str(second.pk)
    assert listed[str(second.pk)]["check_by"] == "2028-04-30"
    assert run("editions", "--overdue") == []
    assert run("bring_back", str(first.pk))["superseded"] == str(second.pk)
    assert [one["id"] for one in run("editions", "--overdue")] == [str(first.pk)]  # of 2020
    for wrong in (str(first.pk), "nobody"):
        with pytest.raises(CommandError):
            run("bring_back", wrong)
