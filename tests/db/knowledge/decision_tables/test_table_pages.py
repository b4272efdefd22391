"""The pages and the API of the decision tables: what a student reads, and whose claims these are."""

from typing import Any

import pytest
from django.test import Client

from knowledge.decision_tables.table_data import decision_tables
from tests.doubles.demo_library import Demo
from tests.doubles.schools import Schools

pytestmark = pytest.mark.django_db


@pytest.fixture
def student(demo: Demo) -> Client:
    client = Client()
    client.force_login(demo.student)
    return client


def body(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_the_list_says_how_much_of_each_table_is_filled(student: Client) -> None:
    page = body(student, "/library/tables/")
    assert all(f"/library/tables/{domain}/" in page for domain in decision_tables())
    assert "8 of 13 cells" in page


def test_a_table_shows_each_cell_with_its_source(student: Client) -> None:
    page = body(student, "/library/tables/weather_minimums/")
    assert "500 feet below, 1,000 feet above, 2,000 feet horizontal" in page
    assert page.count('class="cite" href="/library/passages/') >= 8
    assert "Nothing approved: no claim says this, and the library does not have 14 CFR 91.155." in page
    assert "In the traffic pattern at night" in page


def test_a_cells_source_opens_with_its_words_lit(student: Client) -> None:
    answer = student.get(
        "/api/v1/tables/weather_minimums/?airspace=G&altitude=below_1200_agl&time=day"
    ).json()
    assert answer["facts"] == {"visibility_sm": 1, "cloud_clearance": "clear_of_clouds"}
    page = body(student, answer["citation"]["url"])
    assert "must stay clear of clouds" in page.partition("<mark")[2].partition("</mark>")[0]


@pytest.mark.parametrize("domain", list(decision_tables()))
def test_every_table_can_be_read_by_page_and_by_api(student: Client, domain: str) -> None:
    table = decision_tables()[domain]
    assert table.title in body(student, f"/library/tables/{domain}/").replace("&#x27;", "'")
    assert len(student.get(f"/api/v1/tables/{domain}/").json()["cells"]) == len(table.cells)


def test_the_api_lists_the_tables_with_their_values(student: Client) -> None:
    first, *others = student.get("/api/v1/tables/").json()
    assert (first["domain"], first["dimensions"]["time"]) == ("weather_minimums", ["day", "night"])
    assert len(others) == len(decision_tables()) - 1


@pytest.mark.parametrize(
    ("address", "status", "told"),
    [
        ("/api/v1/tables/weather_minimums/?airspace=Z", 400, "there are A, B, C, D, E, G"),
        ("/api/v1/tables/weather_minimums/?airspace=G", 400, "needs --altitude: below_1200_agl"),
        ("/api/v1/tables/weather_minimums/?colour=red", 400, "has no colour; it has airspace"),
        ("/api/v1/tables/cooking/", 404, ""),
        ("/library/tables/cooking/", 404, ""),
    ],
)
def test_what_does_not_exist_is_told(student: Client, address: str, status: int, told: str) -> None:
    answer = student.get(address)
    assert answer.status_code == status
    assert told in answer.content.decode()


def test_nobody_reads_them_without_signing_in(db: Any) -> None:
    assert Client().get("/library/tables/").status_code == 302
    assert Client().get("/api/v1/tables/oxygen/").status_code in (401, 403)


def test_one_who_is_in_two_schools_is_asked_which(schools: Schools) -> None:
    assert schools.client("both").get("/library/tables/oxygen/").status_code != 500
    assert schools.client("stranger").get("/library/tables/oxygen/").status_code == 200


def test_reading_all_tables_costs_few_queries(student: Client, django_assert_max_num_queries: Any) -> None:
    body(student, "/library/tables/")
    with django_assert_max_num_queries(10):
        body(student, "/library/tables/")
