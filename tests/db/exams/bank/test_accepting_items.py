"""Points of items are approved by reviewers alone: item by item, or as a batch whose sample was read."""

import html
import io
import itertools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth import get_user
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import Count
from django.test import Client
from django.urls import reverse

from curation.item_review import (
    SAMPLE,
    accept_clean_points,
    clean_points,
    decide_points,
    draw_sample,
    last_presses,
    points_waiting,
)
from curation.models import DecisionKind, ReviewDecision
from curation.oversight.audit import verify_chains
from curation.oversight.batch_jobs import CHANGED, NOT_THEIRS
from knowledge.ingestion.pipeline import run_job
from knowledge.models import AnchorState, Concept, IngestionJob, Item, KeyPoint, Membership
from knowledge.models.graph import ValidationStatus
from knowledge.models.tenancy import Role
from tests.doubles.claims import make_user
from tests.doubles.demo_library import Demo
from tests.doubles.library import make_tenant

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiting(demo: Demo) -> Demo:
    """The demo, with no point approved yet."""
    of_points = list(
        KeyPoint.objects.values_list("concept", flat=True)
    )  # joined, it takes minutes without statistics
    Concept.objects.filter(pk__in=of_points).update(validation_status=ValidationStatus.PENDING)
    return demo


def test_sample_is_as_large_as_the_plan_needs() -> None:
    assert SAMPLE == 149
    assert (1 - 0.02) ** SAMPLE < 0.05 <= (1 - 0.02) ** (SAMPLE - 1)


def test_batch_is_approved_in_the_reviewers_name_and_says_its_size_and_sample(waiting: Demo) -> None:
    before = points_waiting(waiting.reviewer).filter(anchor__in=[AnchorState.CLEAN, AnchorState.TABLE])
    size = before.count()
    done = accept_clean_points(waiting.reviewer)
    row = ReviewDecision.objects.order_by("-id").first()
    assert row is not None
    assert f"batch of {size} clean anchors after a sample of {done.sample}" in row.reason
    assert (row.reviewer, row.decision) == (waiting.reviewer, "approve")
    assert row.before["status"] == "pending"
    batch = {"batch": size, "sample": done.sample}
    assert row.after == {**row.before, "status": "validated", "version": row.version_read + 1, **batch}
    assert done.left == points_waiting(waiting.reviewer).count()


def test_doubtful_points_are_left_for_a_reader(waiting: Demo) -> None:
    point = points_waiting(waiting.reviewer).first()
    assert point is not None
    KeyPoint.objects.filter(concept=point.concept).update(anchor=AnchorState.DOUBTFUL)
    accept_clean_points(waiting.reviewer)
    assert point.concept_id is not None
    concept = Concept.objects.get(pk=point.concept_id)
    assert concept.validation_status == "pending"


@pytest.mark.long
def test_point_changed_since_it_was_read_is_not_decided(waiting: Demo) -> None:
    points = list(points_waiting(waiting.reviewer)[:1])
    assert points[0].concept_id is not None
    Concept.objects.filter(pk=points[0].concept_id).update(version=99)
    assert not decide_points(points, waiting.reviewer, DecisionKind.APPROVE, "read")


@pytest.mark.parametrize("role", [Role.STUDENT, Role.OPERATOR])
def test_only_reviewers_accept(waiting: Demo, role: Role) -> None:
    with pytest.raises(PermissionDenied):
        accept_clean_points(make_user("somebody", role))


@pytest.mark.long
def test_sample_is_drawn_by_lot_and_the_same_for_the_same_seed(waiting: Demo) -> None:
    points = list(points_waiting(waiting.reviewer))
    one, same, other = (draw_sample(points, seed, 20) for seed in ("a", "a", "b"))
    assert one == same != other


def told(*arguments: str) -> Any:
    out = io.StringIO()
    call_command("accept_items", *arguments, "--json", stdout=out)
    return json.loads(out.getvalue())


def test_command_prints_the_contracts_fields(waiting: Demo) -> None:
    assert set(told("--reviewer", "reviewer")) == {"accepted", "left", "sample"}
    with pytest.raises(CommandError, match="there is no account nobody"):
        told("--reviewer", "nobody")
    with pytest.raises(CommandError, match="Only reviewers"):
        told("--reviewer", "student")


# --- pages -------------------------------------------------------------------------------------------------------


@pytest.fixture
def reviewer(waiting: Demo, client: Client) -> Client:
    client.force_login(waiting.reviewer)
    return client


@pytest.mark.long
def test_list_of_items_leads_to_the_board(reviewer: Client) -> None:
    assert 'href="/admin/curation/claim/items/"' in reviewer.get("/admin/knowledge/item/").content.decode()


@pytest.mark.long
def test_board_says_that_passages_are_still_looked_for(reviewer: Client) -> None:
    assert "still being searched for" not in reviewer.get("/admin/curation/claim/items/").content.decode()
    KeyPoint.objects.filter(item__task="PA.III.A").update(anchor=AnchorState.WAITING)
    page = reviewer.get("/admin/curation/claim/items/")
    (need,) = (need for need in page.context["needs"] if need.code == "PA.III.A")
    assert need.missing == []
    assert page.context["unsearched"] > 0
    assert "still being searched for" in page.content.decode()


@pytest.mark.long
def test_every_page_of_the_review_has_a_title(reviewer: Client) -> None:
    for path in ("", "items/", "queue/", "items/queue/"):
        page = reviewer.get(f"/admin/curation/claim/{path}").content.decode()
        title = page.partition("<title>")[2].partition("</title>")[0].strip()
        assert title.endswith("· HeyDPE"), path
        assert not title.startswith("|"), path


@pytest.mark.long
def test_board_counts_by_task_and_leads_to_the_queue(reviewer: Client) -> None:
    page = reviewer.get("/admin/curation/claim/items/").content.decode()
    assert "PA.III.A" in page
    assert "/admin/curation/claim/items/queue/?task=PA.III.A" in page


def test_item_is_shown_whole_and_approved_with_one_key(reviewer: Client) -> None:
    page = reviewer.get("/admin/curation/claim/items/queue/")
    item = page.context["item"]
    text = page.content.decode()
    assert 'data-key="a"' in text
    assert "<mark" in text
    shown = [one.point for one in page.context["points"] if one.waits]
    sent = {"decision": "approve", "waiting": [f"{one.concept_id}:{one.concept.version}" for one in shown]}
    answer = reviewer.post(f"/admin/curation/claim/items/{item.pk}/", sent)
    assert answer.status_code == 302
    assert all(
        point.concept.validation_status == "validated"
        for point in KeyPoint.objects.filter(item=item)
        .exclude(anchor=AnchorState.MISSING)
        .select_related("concept")
        if point.concept
    )


@pytest.mark.long
def test_item_is_shown_with_the_givens_that_a_student_would_hear(reviewer: Client) -> None:
    item = reviewer.get("/admin/curation/claim/items/queue/").context["item"]
    Item.objects.filter(pk=item.pk).update(
        stem="The wind is {wind}. What now?", again="Wind {wind}. Well?", slots={"wind": ["calm", "180 at 9"]}
    )
    point = item.points.order_by("order").first()
    KeyPoint.objects.filter(pk=point.pk).update(
        ask="Which runway with {wind}?", hint="Face {wind}.", when={"wind": ["180 at 9"]}
    )
    text = reviewer.get(f"/admin/curation/claim/items/{item.pk}/").content.decode()
    assert "The wind is calm. What now?" in text
    assert "Wind calm. Well?" in text
    assert "Which runway with 180 at 9?" in text
    assert "Face 180 at 9." in text
    assert "Expected with: wind 180 at 9" in text


@pytest.mark.long
@pytest.mark.parametrize("page", ["", "queue/", "sample/"])
def test_pages_of_items_carry_the_name_of_items(reviewer: Client, page: str) -> None:
    shown = reviewer.get(f"/admin/curation/claim/items/{page}")
    assert shown.context["opts"].verbose_name_plural == "items"
    assert any(word in shown.context["title"].lower() for word in ("items", "points", "exam needs"))


BOARD = "/admin/curation/claim/items/"
SAMPLE_PAGE = f"{BOARD}sample/"


def read_in(page: Any) -> list[str]:
    return [str(shown.point.pk) for shown in page.context["points"]]


def reviewer_of(client: Client) -> Any:
    return get_user(client)  # type: ignore[arg-type]  # it reads the session alone


def approved() -> bool:
    return Concept.objects.filter(key_points__isnull=False, validation_status="validated").exists()


def submit(reviewer: Client, page: Any, *wrong: KeyPoint) -> str:
    """Where the browser is led after the sample of this page was submitted."""
    said = {"stands_for": page.context["stands_for"], "wrong": [str(point.concept_id) for point in wrong]}
    answer: Any = reviewer.post(SAMPLE_PAGE, said)
    return str(answer.url)


def run_job_at(reviewer: Client, address: str) -> tuple[IngestionJob, str]:
    """The job to which a submitted sample led, and what its page says when it is over."""
    job = IngestionJob.objects.latest("created_at")
    assert address == reverse("desk:job", args=[job.pk])
    run_job(job.pk)
    job.refresh_from_db()
    return job, reviewer.get(address).content.decode()


def changed_since(reviewer: Client, page: Any) -> bool:
    """Whether a submitted sample is shown anew, since it is not what waits any more."""
    jobs = IngestionJob.objects.count()
    told = submit(reviewer, page) == SAMPLE_PAGE and "has changed since you" in get_text(
        reviewer, SAMPLE_PAGE
    )
    return told and IngestionJob.objects.count() == jobs


def get_text(reviewer: Client, address: str) -> str:
    return reviewer.get(address).content.decode()


def test_batch_with_a_wrong_one_in_its_sample_is_not_accepted(reviewer: Client) -> None:
    page = reviewer.get(SAMPLE_PAGE)
    wrong = page.context["points"][0].point
    _, said = run_job_at(reviewer, submit(reviewer, page, wrong))
    assert "1 of the 149 points that were read was wrong, so the rest of the batch waits." in said
    assert "1 point rejected" in said
    assert Concept.objects.get(pk=wrong.concept_id).validation_status == "rejected"
    assert not approved()
    assert read_in(reviewer.get(SAMPLE_PAGE)) != read_in(page)[1:]  # another lot


def test_batch_whose_sample_is_right_is_accepted(reviewer: Client) -> None:
    page = reviewer.get(SAMPLE_PAGE)
    assert len(page.context["points"]) <= SAMPLE
    assert read_in(reviewer.get(f"{SAMPLE_PAGE}?seed=mine")) == read_in(page)  # nobody chooses what to read
    address = submit(reviewer, page)
    assert not approved()  # nothing is decided on within the request
    assert " clean points</a>" in get_text(reviewer, BOARD)
    job, said = run_job_at(reviewer, address)
    size = len(job.options["points"])
    assert (job.state, job.counts["approved"], job.counts["reasons"]) == ("succeeded", size, {})
    assert (job.steps[0]["done"], job.steps[0]["total"]) == (size, size)
    assert f"{size:,} points approved." in said
    assert f'href="{BOARD}"' in said
    press = last_presses(reviewer_of(reviewer))[0]
    assert (press.count, press.stands, press.rows[0].after["batch_id"]) == (size, True, str(job.pk))
    assert f"batch of {size} clean anchors after a sample of 149" in press.rows[0].reason
    assert verify_chains().broken == ()
    assert changed_since(reviewer, page)  # a sample is good for one batch
    assert f"{BOARD}undo/{press.pk}/" in get_text(reviewer, BOARD)
    IngestionJob.objects.filter(pk=job.pk).update(state="running")
    assert "still being decided on" in undo_text(reviewer, press.pk)
    IngestionJob.objects.filter(pk=job.pk).update(state="succeeded")
    assert f"Taken back: {size} points." in undo_text(reviewer, press.pk)
    assert not approved()


class Killed(BaseException):
    """The process ends here, with no chance to tidy up."""


@contextmanager
def killed_at_decision(number: int) -> Iterator[None]:
    """Within the transaction of so many decisions' last one, when its row is written."""
    seen = itertools.count(1)

    def notice(execute: Any, sql: str, *told: Any) -> Any:
        done = execute(sql, *told)
        if sql.startswith('INSERT INTO "curation_reviewdecision"') and next(seen) == number:
            raise Killed
        return done

    with connection.execute_wrapper(notice):
        yield


def undo_text(reviewer: Client, press: int) -> str:
    return reviewer.post(f"{BOARD}undo/{press}/", follow=True).content.decode()


def test_batch_that_is_killed_goes_on_as_one_and_refuses_by_name_what_changed(reviewer: Client) -> None:
    submit(reviewer, reviewer.get(SAMPLE_PAGE))
    job = IngestionJob.objects.get(kind="batch")
    size = len(job.options["points"])
    with killed_at_decision(3), pytest.raises(Killed):
        run_job(job.pk)
    assert ReviewDecision.objects.filter(after__batch_id=str(job.pk)).count() == 2
    Concept.objects.filter(pk=job.options["points"][-1][0]).update(version=9)  # edited by somebody else
    IngestionJob.objects.filter(pk=job.pk).update(
        lease_until="2020-01-01T00:00Z"
    )  # the dead worker is silent
    job, said = run_job_at(reviewer, reverse("desk:job", args=[job.pk]))
    assert (job.state, job.counts["approved"], job.counts["reasons"]) == ("succeeded", size - 1, {CHANGED: 1})
    assert f"{size - 1:,} points approved, 1 refused" in said
    assert "it is now version 9" in said
    rows = ReviewDecision.objects.filter(after__batch_id=str(job.pk))
    assert len(rows) == rows.values("claim").distinct().count() == size - 1
    press, *older = last_presses(reviewer_of(reviewer))
    assert (press.count, press.rows[0].pk) == (size, rows.latest("pk").pk)
    assert not any(one.rows[0].after.get("batch_id") for one in older)  # it stays one press
    assert verify_chains().broken == ()


def test_of_one_who_reviews_no_more_nothing_is_accepted(reviewer: Client) -> None:
    submit(reviewer, reviewer.get(SAMPLE_PAGE))
    job = IngestionJob.objects.get(kind="batch")
    Membership.objects.filter(role=Role.REVIEWER).delete()
    run_job(job.pk)
    job.refresh_from_db()
    assert job.counts["reasons"] == {NOT_THEIRS: len(job.options["points"])}
    assert not approved()


def test_points_of_two_schools_are_accepted_by_a_job_of_each(reviewer: Client) -> None:
    """So that operators of one read nothing of the other's."""
    school, user = make_tenant(), reviewer_of(reviewer)
    Membership.objects.create(user=user, tenant=school, role=Role.REVIEWER)
    own = clean_points(user)[0]
    Item.objects.filter(pk=own.item_id).update(tenant=school)
    Concept.objects.filter(key_points__item=own.item_id).update(tenant=school)
    assert submit(reviewer, reviewer.get(SAMPLE_PAGE)) == BOARD
    jobs = {
        job.tenant_id: {pk for pk, _ in job.options["points"]}
        for job in IngestionJob.objects.filter(kind="batch")
    }
    assert set(jobs) == {None, school.pk}
    assert str(own.concept_id) in jobs[school.pk]
    assert not jobs[None] & jobs[school.pk]


def test_what_the_sample_did_not_stand_for_is_not_accepted(reviewer: Client) -> None:
    """A point outside the sample that was changed since, and one that came since. What changed is told by name."""
    of_one_point = Concept.objects.alias(points=Count("key_points")).filter(
        points=1
    )  # the sample shows no other of it
    clean = points_waiting(reviewer_of(reviewer)).filter(anchor=AnchorState.CLEAN, concept__in=of_one_point)
    came = clean[0]
    KeyPoint.objects.filter(pk=came.pk).update(anchor=AnchorState.DOUBTFUL)
    page = reviewer.get(SAMPLE_PAGE)
    read = read_in(page)
    changed = clean.exclude(pk__in=[came.pk, *read])[0]
    Concept.objects.filter(key_points=changed).update(version=9)
    KeyPoint.objects.filter(pk=came.pk).update(anchor=AnchorState.CLEAN)
    job, said = run_job_at(reviewer, submit(reviewer, page))
    assert job.counts["reasons"] == {CHANGED: 1}
    assert Concept.objects.get(key_points=changed).name[:80] in html.unescape(said)  # long ones are cut
    left = Concept.objects.filter(key_points__in=[came, changed]).values_list("validation_status", flat=True)
    assert list(left) == ["pending", "pending"]
    assert approved()


@pytest.mark.long
def test_batch_that_was_not_read_is_not_accepted(reviewer: Client) -> None:
    page = reviewer.get(SAMPLE_PAGE)
    for stands_for in ("", page.context["stands_for"][:-1]):
        answer = reviewer.post(SAMPLE_PAGE, {"stands_for": stands_for})
        assert answer["Location"] == SAMPLE_PAGE
        assert not approved()
    read = page.context["points"][0].point
    Concept.objects.filter(pk=read.concept_id).update(version=9)  # edited by somebody else
    assert changed_since(reviewer, page)
    assert not approved()


def test_students_see_none_of_it(client: Client, waiting: Demo) -> None:
    client.force_login(waiting.student)
    assert client.get("/admin/curation/claim/items/").status_code in (302, 403)
