"""A vendor's model reads passages as a job: it is estimated first, can be stopped, and pays for nothing twice."""

import io
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Barrier
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from curation.graph.relation_jobs import NothingToAsk, NoVendor, passages_to_ask, request_relations
from knowledge.ingestion.jobs.jobs import cancel_job, retry_job, start_job
from knowledge.ingestion.pipeline import run_job
from knowledge.models import Chunk, ConceptRelation, Document, IngestionJob
from knowledge.models.tenancy import Role
from llm.interfaces import ChatModel, ChatReply, ChatRequest
from tests.doubles.claims import make_user
from tests.doubles.library import make_chunk, make_document, make_evidence, make_node
from tests.doubles.models import Wire, wire
from tests.doubles.schools import Schools
from tests.doubles.vendor_orals import anthropic_at
from tests.doubles.vendors import EMPTY, Fails, Says, VendorServer

__all__ = ["wire"]

pytestmark = pytest.mark.django_db
PLACE = "/operations/graph/"
TEXTS = [f"A {one} follows a stall. The {one} costs height." for one in ("spin", "sink", "drop")]


def says(text: str) -> Says:
    """A relation between the two concepts of a passage."""
    words = text.partition(". ")[0] + "."
    return Says(
        {"relations": [{"source": 1, "relation": "leads_to_discussion_of", "target": 2, "quote": words}]}
    )


INVENTED = Says(
    {"relations": [{"source": 1, "relation": "contrasts_with", "target": 2, "quote": "Spins are fun."}]}
)


@pytest.fixture
def passages() -> list[Chunk]:
    """Three passages with two concepts each, and one without any."""
    document = make_document()
    found = [make_chunk(text, document=document, embed=False) for text in TEXTS]
    for chunk in found:
        for name in ("Stall", "Loss of height"):
            make_evidence(make_node(f"{name} {chunk.index}", "topic"), chunk, chunk.text)
    make_chunk("Nothing rests on this.", document=document, embed=False)
    return found


@pytest.fixture
def vendor(wire: Wire) -> Iterator[VendorServer]:
    with VendorServer(EMPTY) as server:
        server.script[:] = [says(text) for text in TEXTS]
        wire(grapher=anthropic_at(server))
        yield server


def run(job: IngestionJob) -> IngestionJob:
    run_job(job.pk)
    job.refresh_from_db()
    return job


def test_it_waits_with_its_estimate_and_then_reads_each_passage_once(
    passages: list[Chunk], vendor: VendorServer, settings: Any
) -> None:
    settings.CHAT_PRICE = (3.0, 15.0)
    job = request_relations(100, held=True, wake=False)
    assert (job.estimate["passages"], job.estimate["requests"]) == (3, 3)
    assert job.estimate["cost_usd"] == pytest.approx(
        (sum(one.tokens for one in passages) + 3 * 650) * 3e-6 + 3 * 200 * 15e-6
    )
    assert run_job(job.pk) is False  # nobody has started it
    assert start_job(job)
    assert run(job).state == "succeeded"
    assert {name: job.counts[name] for name in ("passages", "new", "refused", "failed_chunks")} == {
        "passages": 3,
        "new": 3,
        "refused": 0,
        "failed_chunks": 0,
    }
    assert (job.steps[0]["name"], job.steps[0]["done"], job.steps[0]["total"]) == ("ask", 3, 3)
    assert {one.status for one in ConceptRelation.objects.all()} == {"pending"}
    assert len(vendor.received) == 3
    with pytest.raises(NothingToAsk, match="read all of this library"):
        request_relations(100, wake=False)


@dataclass
class Interrupted:
    """A model at whose second call something else happens first."""

    inner: ChatModel
    happens: Callable[[], object]
    calls: int = 0
    provider: str = "anthropic"
    model: str = "interrupted"
    external: bool = True

    def complete(self, request: ChatRequest[Any]) -> ChatReply:
        self.calls += 1
        if self.calls == 2:
            self.happens()
        return self.inner.complete(request)


def test_cancelled_in_the_middle_it_goes_on_behind_what_was_stored(
    passages: list[Chunk], vendor: VendorServer, wire: Wire
) -> None:
    job = request_relations(3, wake=False)
    wire(grapher=Interrupted(anthropic_at(vendor), lambda: cancel_job(job)))
    assert run(job).state == "cancelled"
    assert ConceptRelation.objects.count() == 1
    assert request_relations(1, wake=False).options["passages"] == [str(passages[1].pk)]
    vendor.script[:] = [says(TEXTS[1]), says(TEXTS[2])]
    wire(grapher=anthropic_at(vendor))
    assert retry_job(job)
    assert run(job).state == "succeeded"
    assert (job.counts["passages"], job.counts["new"], ConceptRelation.objects.count()) == (3, 3, 3)


def test_a_vendor_that_is_away_is_waited_for(passages: list[Chunk], vendor: VendorServer) -> None:
    vendor.script[:] = [Fails(529)]
    job = run(request_relations(1, wake=False))
    assert job.state == "queued"
    assert "unavailable" in job.error


def test_a_passage_without_a_usable_answer_is_listed_and_stays_unread(
    passages: list[Chunk], vendor: VendorServer
) -> None:
    vendor.script[:] = [Says("?", stop="refused"), INVENTED, says(TEXTS[2])]
    job = run(request_relations(3, wake=False))
    assert (job.state, job.counts["new"], job.counts["failed_chunks"]) == ("succeeded", 1, 1)
    assert job.counts["examples"] == {"the passage does not say these words": ["Spins are fun."]}
    assert list(passages_to_ask(None)) == [passages[0]]


def test_one_job_at_a_time(passages: list[Chunk], vendor: VendorServer) -> None:
    job = request_relations(2, wake=False)
    assert request_relations(3, wake=False).pk == job.pk


def test_without_a_key_nothing_is_asked(passages: list[Chunk], wire: Wire) -> None:
    with pytest.raises(NoVendor, match="key"):
        request_relations(1, wake=False)
    with pytest.raises(CommandError, match="key"):
        call_command("graph", "--ask", "1")


def test_a_key_that_is_gone_when_it_starts_is_said(passages: list[Chunk], wire: Wire) -> None:
    with VendorServer(EMPTY) as server:
        wire(grapher=anthropic_at(server))
        job = request_relations(1, wake=False)
    wire()
    assert run(job).state == "failed"
    assert "key" in job.error


def test_the_command_runs_the_same_job(passages: list[Chunk], vendor: VendorServer) -> None:
    stdout = io.StringIO()
    call_command("graph", "--ask", "2", "--json", stdout=stdout)
    asked = json.loads(stdout.getvalue())["asked"]
    assert asked == {"passages": 2, "new": 2, "refused": 0, "failed": 0}
    assert IngestionJob.objects.get().state == "succeeded"


def test_the_operator_estimates_starts_and_reads_the_result(
    passages: list[Chunk], vendor: VendorServer, client: Client
) -> None:
    client.force_login(make_user("olga", Role.OPERATOR))
    text = client.get(PLACE).content.decode()
    assert "of 3 that it has not read" in text
    page = client.post(PLACE, {"passages": "3"}, follow=True)
    job = IngestionJob.objects.get()
    assert page.redirect_chain[-1][0] == reverse("desk:job", args=[job.pk])
    text = page.content.decode()
    assert "Nothing has been sent yet" in text
    assert "Expected: 3 passages" in text
    assert "set CHAT_PRICE" in text
    assert not vendor.received
    client.post(reverse("desk:start_job", args=[job.pk]))
    vendor.script[1] = INVENTED
    run(job)
    text = client.get(reverse("desk:job", args=[job.pk])).content.decode()
    for words in ("3 passages read, 2 new relations, 1 refused", "Spins are fun.", "relations and concepts"):
        assert words in text
    assert "It has read every passage" in client.get(PLACE).content.decode()


@pytest.mark.parametrize("number", ["", "0", "-1", "many", "1001", "²", "9" * 5000])
def test_a_number_that_makes_no_sense_is_refused(
    passages: list[Chunk], vendor: VendorServer, client: Client, number: str
) -> None:
    client.force_login(make_user("olga", Role.OPERATOR))
    page = client.post(PLACE, {"passages": number}, follow=True)
    assert "from 1 to 1,000" in page.content.decode()
    assert not IngestionJob.objects.exists()


def test_without_a_key_the_page_says_what_to_set(passages: list[Chunk], client: Client) -> None:
    client.force_login(make_user("olga", Role.OPERATOR))
    assert "LLM_PROVIDER" in client.get(PLACE).content.decode()
    assert "Set a vendor" in client.post(PLACE, {"passages": "1"}, follow=True).content.decode()


def test_a_schools_operator_asks_about_the_own_passages_alone(
    passages: list[Chunk], vendor: VendorServer, schools: Schools
) -> None:
    Document.objects.update(tenant=schools.first)
    other = schools.client("operator-of-second")
    assert "no passage" in other.post(PLACE, {"passages": "1"}, follow=True).content.decode()
    schools.client("operator-of-first").post(PLACE, {"passages": "1"})
    job = IngestionJob.objects.get()
    assert job.tenant == schools.first
    assert other.get(reverse("desk:job", args=[job.pk])).status_code == 404


def test_a_document_withdrawn_since_is_not_sent(passages: list[Chunk], vendor: VendorServer) -> None:
    job = request_relations(3, held=True, wake=False)
    Document.objects.update(deprecated_at=timezone.now())
    start_job(job)
    done = run(job)
    assert (done.state, done.counts["passages"], len(vendor.received)) == ("succeeded", 0, 0)


@pytest.mark.long
def test_a_job_that_is_retried_pays_for_nothing_that_another_read(
    passages: list[Chunk], vendor: VendorServer
) -> None:
    first = request_relations(2, wake=False)
    cancel_job(first)
    run(request_relations(3, wake=False))
    retry_job(first)
    done = run(first)
    assert (done.state, done.counts["passages"], len(vendor.received)) == ("succeeded", 0, 3)


@pytest.mark.long
def test_two_jobs_that_run_at_once_read_no_passage_twice(
    passages: list[Chunk], vendor: VendorServer, wire: Wire
) -> None:
    first = request_relations(2, wake=False)
    cancel_job(first)
    second = request_relations(3, wake=False)
    retry_job(first)
    wire(grapher=Interrupted(anthropic_at(vendor), lambda: run(first)))
    done = run(second)
    first.refresh_from_db()
    assert (first.state, first.counts["passages"], first.counts["new"]) == ("succeeded", 0, 0)
    assert (done.state, done.counts["passages"], done.counts["new"]) == ("succeeded", 3, 3)
    assert len(vendor.received) == 3


@pytest.mark.django_db(transaction=True)
def test_of_two_operators_who_ask_at_once_the_second_gets_the_job_of_the_first(
    passages: list[Chunk], vendor: VendorServer
) -> None:
    together = Barrier(2)

    def ask(most: int) -> Any:
        together.wait()
        try:
            return request_relations(most, held=True, wake=False).pk
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert set(pool.map(ask, (2, 3))) == {IngestionJob.objects.get().pk}
