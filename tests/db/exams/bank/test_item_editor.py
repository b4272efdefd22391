"""An instructor writes a whole item in the admin; what is saved passes the checks of an item file."""

import json
from typing import Any

import pytest
from django.test import Client

from exams.bank.trips.trip import read_trips
from knowledge.models import Item, Membership
from knowledge.models.tenancy import Role
from tests.doubles.claims import make_user
from tests.doubles.item_files import ITEM
from tests.doubles.library import make_tenant
from tests.sampling import sample_of

pytestmark = pytest.mark.django_db
ADD = "/admin/knowledge/item/add/"


@pytest.fixture
def instructor(client: Client) -> Client:
    user = make_user("rita", Role.REVIEWER)
    Membership.objects.filter(user=user).update(tenant=make_tenant())
    client.force_login(user)
    return client


def form(**changes: Any) -> dict[str, Any]:
    first = ITEM["points"][0]
    return {
        "key": ITEM["id"],
        "elements": "PA.I.A.K1",
        "level": "apply",
        "stage": "5",
        "stem": ITEM["stem"],
        "again": ITEM["again"],
        "slots": json.dumps(ITEM["slots"]),
        "cases": "[]",
        "why": ITEM["why"],
        "needs": "",
        "requires": "",
        "leads_to": "",
        "after": "",
        "points-TOTAL_FORMS": "1",
        "points-INITIAL_FORMS": "0",
        "points-MIN_NUM_FORMS": "1",
        "points-MAX_NUM_FORMS": "1000",
        "points-0-key": "three-in-90",
        "points-0-order": "0",
        "points-0-text": first["text"],
        "points-0-role": "rule",
        "points-0-must": "on",
        "points-0-sources": "14 CFR 61.57(a)(1)",
        "points-0-accept": "three and three in ninety\n3 and 3 within 90 days",
        "points-0-reject": "three .. in 12 months",
        "points-0-keywords": "Three, 3\nninety,90,\n,\n1,000, ninety",
        "points-0-ask": first["ask"],
        "points-0-hint": first["hint"],
        "points-0-when": "{}",
        "mixups-TOTAL_FORMS": "0",
        "mixups-INITIAL_FORMS": "0",
        "mixups-MIN_NUM_FORMS": "0",
        "mixups-MAX_NUM_FORMS": "1000",
        **changes,
    }


def test_item_is_saved_whole_for_the_authors_school(instructor: Client) -> None:
    assert instructor.post(ADD, form()).status_code == 302
    item = Item.objects.get()
    point = item.points.get()
    assert (item.tenant, item.origin, item.task) == (make_tenant(), "written", "PA.I.A")
    assert point.accept == ["three and three in ninety", "3 and 3 within 90 days"]
    assert point.reject == ["three .. in 12 months"]
    assert point.keywords == [["three", "3"], ["ninety", "90"], ["1,000", "ninety"]]
    assert (point.anchor, point.concept.validation_status) == ("waiting", "pending")  # type: ignore[union-attr]
    page = instructor.get(f"/admin/knowledge/item/{item.pk}/change/").content.decode()
    assert "You last flew 40 days ago" in page
    assert "three, 3\nninety, 90\n1,000, ninety" in page


def test_preview_asks_on_with_givens_with_which_the_point_is_expected(instructor: Client) -> None:
    changes = {
        "points-0-ask": "What about {days} days?",
        "points-0-hint": "Count {days} back.",
        "points-1-ask": "And on day {days}?",
        "points-1-when": json.dumps({"days": [95]}),
    }
    second = {f"points-1-{name}": form()[f"points-0-{name}"] for name in ("role", "must", "sources", "hint")}
    second |= {"points-TOTAL_FORMS": "2", "points-1-key": "later", "points-1-order": "1"}
    second |= {"points-1-text": "The window is counted anew each day."}
    assert instructor.post(ADD, form(**second, **changes)).status_code == 302
    page = instructor.get(f"/admin/knowledge/item/{Item.objects.get().pk}/change/").content.decode()
    shown = page.partition("Follow-ups:")[2].partition("</ul>")[0]
    assert "What about 40 days?" in shown
    assert "Count 40 back." in shown
    assert "With days 95: And on day 95?" in shown


def test_the_page_of_an_item_asks_once_whether_its_reader_may_see_it(
    instructor: Client, django_assert_max_num_queries: Any
) -> None:
    instructor.post(ADD, form())
    address = f"/admin/knowledge/item/{Item.objects.get().pk}/change/"
    instructor.get(address)
    with django_assert_max_num_queries(14):
        instructor.get(address)


def test_givens_of_another_shape_are_refused_and_not_previewed(instructor: Client) -> None:
    instructor.post(ADD, form())
    address = f"/admin/knowledge/item/{Item.objects.get().pk}/change/"
    answer = instructor.post(address, form(slots="[40]"))
    assert answer.status_code == 200
    assert "Mend the givens" in answer.content.decode()


def test_an_item_may_hang_on_a_trip_and_is_shown_on_one(instructor: Client) -> None:
    stem = "You last flew {days} days ago. How do you decide whether {companion} may come to {destination}?"
    assert instructor.post(ADD, form(on_trip=stem)).status_code == 302
    item = Item.objects.get()
    assert (item.on_trip, item.withdrawn) == (stem, False)
    page = instructor.get(f"/admin/knowledge/item/{item.pk}/change/").content.decode()
    shown = {f"whether {trip.people[0].name} may come to {trip.destination.name}?" for trip in read_trips()}
    assert any(said in page for said in shown)


@pytest.mark.parametrize(
    ("change", "said"),
    sample_of(
        [
            ({"stem": "You last flew {days} days ago. May you take passengers?"}, "yes or no"),
            ({"stem": "<b>You</b> last flew {days} days ago. How do you decide?"}, "holds markup"),
            ({"slots": "{}"}, "has no values"),
            ({"on_trip": "{days} days, and {planet}. How do you decide?"}, "no trip fills {planet}"),
            ({"points-0-must": ""}, "no point is a must"),
            ({"points-0-sources": "the big book"}, "names no source"),
            ({"elements": "nonsense"}, "elements"),
            ({"slots": "{broken"}, "valid JSON"),
        ],
        3,
    ),
)
def test_broken_item_is_refused_with_what_to_change(
    instructor: Client, change: dict[str, Any], said: str
) -> None:
    answer = instructor.post(ADD, form(**change))
    assert answer.status_code == 200
    assert said.lower() in answer.content.decode().lower()
    assert not Item.objects.exists()


def test_mixup_that_denies_no_point_is_told_and_the_item_is_not_asked(instructor: Client) -> None:
    mixup = {
        "mixups-TOTAL_FORMS": "1",
        "mixups-0-order": "0",
        "mixups-0-text": "A review is enough for passengers.",
        "mixups-0-answer": "Passengers need recent landings as well.",
        "mixups-0-sources": "14 CFR 61.56(c)",
        "mixups-0-contradicts": "no-such-point",
    }
    page = instructor.post(ADD, form(**mixup), follow=True).content.decode()
    assert "not asked until this is mended" in page
    assert Item.objects.get().withdrawn


def test_students_and_other_schools_write_nothing_here(client: Client, instructor: Client) -> None:
    instructor.post(ADD, form())
    item = Item.objects.get()
    other = make_user("olga", Role.OPERATOR)
    Membership.objects.filter(user=other).update(tenant=make_tenant("elsewhere"))
    client.force_login(other)
    assert client.get(f"/admin/knowledge/item/{item.pk}/change/").status_code in (302, 403, 404)
    client.force_login(make_user("stu", Role.STUDENT))
    assert client.get(ADD).status_code in (302, 403)


def test_instructors_write_items_for_their_school_and_open_nothing_else_of_the_admin(client: Client) -> None:
    author = make_user("ines", None)
    Membership.objects.create(user=author, tenant=make_tenant(), role=Role.INSTRUCTOR)
    client.force_login(author)
    assert client.post(ADD, form()).status_code == 302
    item = Item.objects.get()
    assert (item.tenant, item.points.get().concept.validation_status) == (make_tenant(), "pending")  # type: ignore[union-attr]
    Item.objects.filter(pk=item.pk).update(tenant=None)
    change = f"/admin/knowledge/item/{item.pk}/change/"
    assert client.get(change).status_code == 200  # the shared library is read
    assert client.post(change, form()).status_code == 403
    for address in (
        "",
        "exams/exam/",
        "knowledge/document/",
        "curation/claim/guidelines/",
        "curation/claim/queue/",
    ):
        assert client.get(f"/admin/{address}").status_code == 403, address
