"""An operator sees which job is first, what waits behind it, and why, and puts one first."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from desk import conf
from knowledge.ingestion.jobs.jobs import take_lease
from knowledge.models import IngestionJob
from tests.doubles.schools import Schools

pytestmark = pytest.mark.django_db
QUEUE = "/operations/jobs/queue/"
LIST = "/operations/jobs/"


def make_job(name: str, **fields: Any) -> IngestionJob:
    return IngestionJob.objects.create(source_name=name, content_hash="", **fields)


def queue(client: Client) -> list[tuple[str, str]]:
    """Each job in its place, with what is said of it."""
    page = unescape(client.get(QUEUE).content.decode())
    rows = re.findall(r"<li[^>]*>(.*?)</li>", page, re.DOTALL)
    found = [
        re.search(r'<a [^>]*>([^<]*)</a>.*<br>\s*<span class="soft">([^<]*)</span>', row, re.DOTALL)
        for row in rows
    ]
    return [(one[1], one[2]) for one in found if one]


def test_jobs_stand_in_the_order_of_their_turn_with_the_reason(schools: Schools) -> None:
    running, long_one = make_job("ten thousand pages", large=True), make_job("another long one", large=True)
    assert take_lease(running.pk)
    make_job("first"), make_job("second")
    make_job("held", held=True)
    make_job("again", lease_until=timezone.now() + timedelta(minutes=5))
    client = schools.client("operator-of-shared")
    told = dict(queue(client))
    assert list(told) == ["ten thousand pages", "first", "second", "again", "another long one", "held"]
    assert told["first"] == "It is next."
    assert told["second"] == "1 job before it."
    assert told["another long one"] == (
        "2 jobs before it; only one long job runs at a time, so it waits until the running one has finished."
    )
    client.post(f"{LIST}{long_one.pk}/first/", {"back": LIST})
    told = dict(queue(client))
    assert told["another long one"] == (
        "Put first by an operator; only one long job runs at a time, so it waits until the running one has finished."
    )
    assert (told["first"], told["second"]) == (
        "It is next.",
        "1 job before it.",
    )  # the long one does not hold them up
    IngestionJob.objects.filter(pk=long_one.pk).update(priority=0)
    assert told["held"] == "It waits until you start it."
    assert re.fullmatch(r"It is tried again at \d\d:\d\d UTC\.", told["again"])
    IngestionJob.objects.filter(pk=running.pk).delete()
    assert "short jobs go first for about 15 minutes" in dict(queue(client))["another long one"]
    client.post(f"{LIST}{long_one.pk}/first/", {"back": LIST})
    told = dict(queue(client))
    assert told["another long one"] == "It is next; put first by an operator."
    assert next(iter(told)) in ("another long one", "again")


def test_a_small_job_is_put_first(schools: Schools) -> None:
    make_job("first"), make_job("second")
    third = make_job("third")
    client = schools.client("operator-of-shared")
    page = client.get(LIST).content.decode()
    assert page.count('aria-label="Put third first"') == 2  # in the queue and in the table
    assert 'aria-label="Put first first"' not in page
    client.post(f"{LIST}{third.pk}/first/", {"back": LIST})
    assert [name for name, _ in queue(client)] == ["third", "first", "second"]


def test_jobs_of_other_schools_are_counted_and_not_named(schools: Schools) -> None:
    make_job("secret", tenant=schools.second)
    own = make_job("own", tenant=schools.first)
    client = schools.client("operator-of-first")
    assert queue(client) == [("own", "1 job before it (1 of other schools).")]
    assert "Put own first" not in client.get(LIST).content.decode()
    assert client.post(f"{LIST}{own.pk}/first/", follow=True).status_code == 200
    assert queue(client)[0][1].startswith("1 job before it")


def test_a_long_queue_is_cut_and_costs_few_queries(schools: Schools) -> None:
    IngestionJob.objects.bulk_create(
        IngestionJob(source_name=f"job {n}", content_hash="") for n in range(200)
    )
    client = schools.client("operator-of-shared")
    with CaptureQueriesContext(connection) as seen:
        page = client.get(QUEUE).content.decode()
    assert len(seen) <= 9
    assert page.count("<li") == conf.JOBS_NOW
    assert f"And {200 - conf.JOBS_NOW} more that wait behind these" in page


def test_an_empty_queue_says_so(schools: Schools) -> None:
    make_job("over", state="succeeded")
    assert "Nothing runs or waits." in schools.client("operator-of-shared").get(QUEUE).content.decode()
