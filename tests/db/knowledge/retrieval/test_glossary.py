"""What abbreviations stand for is read from documents, edited by operators, and expanded in its owner's searches."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from knowledge.ingestion.editions.editions import publish_edition
from knowledge.library_version import remove_from_library
from knowledge.models import Abbreviation, Membership
from knowledge.models.documents import DocumentStatus
from knowledge.models.tenancy import Role
from knowledge.retrieval.glossary import glossary_for, read_glossary, save_abbreviation
from knowledge.retrieval.search import search
from knowledge.retrieval.values import SearchRequest, SearchResponse
from tests.doubles.claims import make_user
from tests.doubles.library import LIGHTS, MODEL, make_chunk, make_document, make_tenant

pytestmark = pytest.mark.django_db

TEXT = "The Grass Strip Arrival Procedure (GSAP) is flown at 800 feet above the field."
SPELLED = "grass strip arrival procedure"


def write(short: str = "GSAP", long: str = SPELLED, **fields: Any) -> Abbreviation:
    row = Abbreviation(short=short, long=long, **fields)
    save_abbreviation(row)
    return row


def names(short: str, tenant: int | None = None) -> tuple[str, ...]:
    return glossary_for(tenant).names.get(short, ())


def ask(query: str, **options: Any) -> SearchResponse:
    return search(SearchRequest(query=query, threshold=0.0, arm="lexical", **options), MODEL)


def test_a_published_document_is_read() -> None:
    document = make_document("Our field", status=DocumentStatus.DRAFT, doc_type="sop")
    chunk = make_chunk(TEXT, document)
    assert names("gsap") == ()
    publish_edition(document)
    row = Abbreviation.objects.get(short="GSAP")
    assert (row.long, row.chunk_id, row.quote) == (SPELLED, chunk.pk, "Grass Strip Arrival Procedure (GSAP)")
    assert names("gsap") == (SPELLED,)


def test_reading_again_changes_nothing() -> None:
    make_chunk(TEXT)
    document = make_chunk(TEXT).document
    assert read_glossary(document) == 1
    Abbreviation.objects.filter(short="GSAP").update(active=False)
    assert read_glossary(document) == 0
    assert not Abbreviation.objects.get(short="GSAP").active


@pytest.mark.parametrize("query", ["GSAP", SPELLED])
def test_both_ways_find_the_other(query: str) -> None:
    spelled = make_chunk("A grass strip arrival procedure begins at the barn.")
    short = make_chunk("The GSAP begins at the barn.")
    make_chunk(LIGHTS)
    write()
    assert {spelled.id, short.id} == {one.chunk_id for one in ask(query).results if one.lexical > 0.5}


def test_an_edit_ends_what_was_found_before() -> None:
    make_chunk("A grass strip arrival procedure begins at the barn.")
    assert ask("GSAP").results == ()
    row = write()
    assert len(ask("GSAP").results) == 1
    assert ask("GSAP").cached
    row.active = False
    save_abbreviation(row)
    assert ask("GSAP").results == ()
    remove_from_library(row)
    assert names("gsap") == ()


def test_a_schools_own_counts_for_its_searches_alone() -> None:
    school, other = make_tenant(), make_tenant("other")
    write(tenant=school)
    assert names("gsap", school.pk) == (SPELLED,)
    assert names("gsap", other.pk) == names("gsap") == ()


def test_a_schools_document_makes_rows_of_the_school() -> None:
    school = make_tenant()
    document = make_document("Ours", tenant=school)
    make_chunk(TEXT, document)
    read_glossary(document)
    assert Abbreviation.objects.get(short="GSAP").tenant == school


def test_a_school_switches_off_what_others_have() -> None:
    school = make_tenant()
    assert names("metar", school.pk)
    write("METAR", "aviation routine weather report", tenant=school, active=False)
    assert names("metar", school.pk) == ()
    assert names("metar") == ("aviation routine weather report",)


def test_what_is_known_from_the_start_can_be_seen_and_switched_off() -> None:
    read_glossary(make_document())
    row = Abbreviation.objects.get(short="SVFR")
    assert row.origin == "built_in"
    row.active = False
    save_abbreviation(row)
    assert names("svfr") == ()
    assert names("vor")


def test_the_same_written_twice_is_one_row() -> None:
    write(active=False)
    write("gsap", SPELLED.upper())
    assert Abbreviation.objects.get(short="GSAP").active


def test_the_command_reads_and_tells() -> None:
    make_chunk(TEXT)
    out = StringIO()
    call_command("glossary", "--read", "--json", stdout=out)
    told = json.loads(out.getvalue())
    assert told["new"] == 1
    assert {"GSAP", "METAR"} <= {one["short"] for one in told["abbreviations"]}


# --- who edits it ---------------------------------------------------------------------------------------------


@pytest.fixture
def operator(client: Client) -> Client:
    olga = make_user("olga", Role.OPERATOR)
    Membership.objects.filter(user=olga).update(tenant=make_tenant())
    client.force_login(olga)
    return client


ADD = "/admin/knowledge/abbreviation/add/"


def test_an_operator_writes_for_the_own_school_alone(operator: Client) -> None:
    house = write("HOUSE", "home of us all")
    given = {"short": "gsap", "long": SPELLED, "active": "on"}
    assert operator.post(ADD, given).status_code == 302
    row = Abbreviation.objects.get(short="GSAP")
    assert (row.tenant, row.origin) == (make_tenant(), "written")
    assert operator.post(f"/admin/knowledge/abbreviation/{house.pk}/change/", given).status_code == 403
    assert "GSAP" in operator.get("/admin/knowledge/abbreviation/").content.decode()
    assert operator.get(f"/admin/knowledge/abbreviation/{row.pk}/history/").status_code == 200


@pytest.mark.parametrize(
    "given", [{"short": "two words"}, {"short": "121.5"}, {"long": "GSAP procedure"}, {"long": "X"}]
)
def test_what_no_search_could_use_is_refused(operator: Client, given: dict[str, str]) -> None:
    page = operator.post(ADD, {"short": "GSAP", "long": SPELLED, "active": "on"} | given)
    assert page.status_code == 200
    assert not Abbreviation.objects.filter(origin="written").exists()


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.STUDENT])
def test_others_write_none(client: Client, role: Role) -> None:
    client.force_login(make_user("rita", role))
    assert client.get(ADD).status_code in (302, 403)
