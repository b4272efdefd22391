"""A point is true of a library where a passage of it bears the point, and waits for a reviewer there."""

from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from desk.demo.content import demo_standard
from exams.bank.anchor_jobs import request_anchoring
from exams.bank.anchoring import anchor_points, points_to_anchor
from exams.bank.coverage import coverage_of
from exams.bank.loading import load_item_files
from exams.bank.quote_selection import CLEAN
from exams.domain.exam_request import AIRCRAFT_CLASSES
from exams.examiner.briefing import library_state
from exams.examiner.element_facts import element_facts, supported_elements
from knowledge.graph.skeleton import load_standard
from knowledge.ingestion.pipeline import run_job
from knowledge.library_version import library_changed
from knowledge.models import Chunk, Concept, Document, IngestionJob, Item, KeyPoint
from knowledge.models.documents import DocumentStatus
from tests.doubles.item_files import item, point, write_file
from tests.doubles.library import make_chunk, make_document

pytestmark = pytest.mark.django_db
RULE = (
    "(a) General experience. (1) No person may act as pilot in command of an aircraft carrying passengers unless that "
    "person has made at least three takeoffs and three landings within the preceding 90 days, and—\n"
    "(i) The person acted as the sole manipulator of the flight controls; and"
)


@pytest.fixture(autouse=True)
def standard() -> None:
    load_standard(demo_standard(), demo=True)


def rule_chunk(text: str = RULE, title: str = "14 CFR Part 61") -> Chunk:
    document = make_document(title, abbreviation="14 CFR 61", doc_type="cfr")
    return make_chunk(text, document, section="61.57", heading="Recent flight experience")


def anchor_library() -> int:
    """Run the jobs that are due; how many points they tried."""
    jobs = request_anchoring()
    for job in jobs:
        assert run_job(job.pk)
    return sum(IngestionJob.objects.get(pk=job.pk).counts["points"] for job in jobs)


def load(folder: Path, *points: dict[str, Any], **changes: Any) -> None:
    load_item_files([write_file(folder, item(points=list(points or [point()]), mixups=[], **changes))])


def anchored(key: str = "three-in-90") -> KeyPoint:
    anchor_points(points_to_anchor(None), tenant=None)
    return KeyPoint.objects.select_related("concept").get(key=key)


def test_point_finds_its_section_and_quotes_it_word_for_word(tmp_path: Path) -> None:
    chunk = rule_chunk()
    load(tmp_path)
    found = anchored()
    evidence = found.concept.evidence.get()  # type: ignore[union-attr]
    assert (found.anchor, evidence.chunk) == ("clean", chunk)
    assert evidence.quote in " ".join(chunk.text.split())


def test_subparagraph_is_stored_with_its_lead_in(tmp_path: Path) -> None:
    rule_chunk()
    hands = point(
        id="hands",
        text="The person was the sole manipulator of the flight controls.",
        source="14 CFR 61.57(a)(1)(i)",
    )
    load(tmp_path, hands)
    kinds = {one.evidence_type: one.quote for one in anchored("hands").concept.evidence.all()}  # type: ignore[union-attr]
    assert kinds["primary"].startswith("The person acted as the sole manipulator")
    assert "three takeoffs" in kinds["secondary"]


def test_point_without_its_document_names_what_is_missing(tmp_path: Path) -> None:
    load(tmp_path)
    found = anchored()
    assert (found.anchor, found.missing_document) == ("missing", "14 CFR part 61")
    support = supported_elements("private", library=library_state(None, None))["PA.I.A.K1"]
    assert (support.askable, support.missing_reference) == (False, "14 CFR part 61")


def test_an_element_can_be_asked_only_of_the_classes_that_have_an_item(tmp_path: Path) -> None:
    rule_chunk()
    load(tmp_path, classes=["AMEL", "AMES"])
    anchor_library()
    Concept.objects.filter(key_points__isnull=False).update(validation_status="validated")
    library_changed(None)
    state = library_state(None, None)
    askable = {
        name: supported_elements("private", name, library=state)["PA.I.A.K1"].items
        for name in ("", *AIRCRAFT_CLASSES)
    }
    assert askable == {"": 1, "ASEL": 0, "AMEL": 1, "ASES": 0, "AMES": 1}
    board = coverage_of(element_facts("private", "ASEL", tenant=None), "ASEL")
    assert "no items for ASEL yet" in next(task.why for task in board.tasks if task.task == "PA.I.A")


@pytest.mark.parametrize("term", ["SIGMET", "AIRMEN’S METEOROLOGICAL INFORMATION (AIRMET)", "AIRMET"])
def test_term_of_the_glossary_is_found_under_its_own_heading(tmp_path: Path, term: str) -> None:
    document = make_document("Pilot/Controller Glossary, letter S", abbreviation="P/CG", doc_type="other")
    words = "It concerns severe icing, severe turbulence and dust storms that lower visibility below 3 miles."
    headings = ("CONVECTIVE SIGMET", "SIGMET", "AIRMEN'S METEOROLOGICAL INFORMATION (AIRMET)")
    chunks = {heading: make_chunk(words, document, heading=heading) for heading in headings}
    load(tmp_path, point(text=words, source=f"P/CG: {term}"))
    found = anchored()
    wanted = "SIGMET" if term == "SIGMET" else headings[2]
    assert found.concept.evidence.get().chunk == chunks[wanted]  # type: ignore[union-attr]


def test_point_with_another_number_is_borne_by_nothing(tmp_path: Path) -> None:
    rule_chunk()
    load(tmp_path, point(text="At least three takeoffs and three landings within the preceding 60 days."))
    assert anchored().anchor == "missing"


def test_nothing_is_approved_by_anchoring(tmp_path: Path) -> None:
    rule_chunk()
    load(tmp_path)
    assert anchored().concept.validation_status == "pending"  # type: ignore[union-attr]
    assert not supported_elements("private", library=library_state(None, None))["PA.I.A.K1"].askable


@pytest.mark.long
def test_document_that_came_later_is_found_by_the_next_run_and_not_before(tmp_path: Path) -> None:
    load(tmp_path)
    assert anchor_library() == 1
    assert anchor_library() == 0  # nothing changed
    rule_chunk()
    assert anchor_library() == 1
    assert KeyPoint.objects.get().anchor == "clean"
    job = IngestionJob.objects.latest("created_at")
    assert (job.state, job.counts["states"]) == ("succeeded", {"clean": 1})
    assert [(one["name"], one["done"], one["total"]) for one in job.steps] == [
        ("load", 0, 0),
        ("anchor", 1, 1),
    ]


@pytest.mark.long
def test_a_point_that_nothing_bore_is_tried_again_only_when_what_it_reads_changed(tmp_path: Path) -> None:
    night = point(
        id="night", text="The landings at night are to a full stop.", source="14 CFR 61.57(b)", must=False
    )
    wings = point(id="wings", text="Ice on a wing costs lift.", source="PHAK ch. 12: Icing", must=False)
    rule_chunk()
    load(tmp_path, point(), night, wings)
    assert sorted(_tried()) == ["night", "three-in-90", "wings"]
    assert _tried() == []
    floats = make_document("Floats", abbreviation="FLOATS", doc_type="other")
    make_chunk("Lift is lost where ice lies on a wing.", floats)
    assert _tried() == []  # neither is the document named nor does the Task refer to it
    book = make_document("PHAK, Chapter 12: Weather Theory", abbreviation="PHAK", doc_type="handbook")
    make_chunk("Icing\nIce on a wing costs lift.", book, heading="Icing")
    assert _tried() == ["wings"]
    assert KeyPoint.objects.get(key="wings").anchor == "clean"
    KeyPoint.objects.filter(key="night").update(text="Landings at night end with a full stop.")
    assert _tried() == ["night"]


def _tried() -> list[str]:
    points = points_to_anchor(None)
    anchor_points(points, tenant=None)
    return [one.key for one in points]


def test_approved_point_whose_document_goes_is_looked_at_again_and_marked(tmp_path: Path) -> None:
    rule_chunk()
    load(tmp_path)
    anchor_library()
    Concept.objects.filter(key_points__isnull=False).update(validation_status="validated")
    Document.objects.update(status=DocumentStatus.ARCHIVED)
    assert anchor_library() == 1
    point_now = KeyPoint.objects.select_related("concept").get()
    assert point_now.anchor == "missing"
    assert point_now.concept is not None
    assert point_now.concept.stale


@pytest.mark.long
def test_new_edition_with_the_same_words_keeps_its_approval(tmp_path: Path) -> None:
    old = rule_chunk()
    load(tmp_path)
    anchor_library()
    Concept.objects.filter(key_points__isnull=False).update(validation_status="validated")
    Document.objects.filter(pk=old.document_id).update(status=DocumentStatus.ARCHIVED)
    new = rule_chunk(title="14 CFR Part 61, next edition")
    anchor_library()
    concept = Concept.objects.get(key_points__key="three-in-90")
    assert concept.evidence.get().chunk == new
    assert (concept.validation_status, concept.stale) == ("validated", False)


@pytest.mark.long
@pytest.mark.parametrize("status", ["validated", "pending"])
def test_new_edition_with_other_words_waits_for_a_reviewer(tmp_path: Path, status: str) -> None:
    old = rule_chunk()
    load(tmp_path)
    anchor_library()
    Concept.objects.filter(key_points__isnull=False).update(validation_status=status)
    Document.objects.filter(pk=old.document_id).update(status=DocumentStatus.ARCHIVED)
    other = RULE.replace("has made at least", "has logged at least").replace(
        "carrying passengers", "with passengers"
    )
    rule_chunk(other, "14 CFR Part 61, next edition")
    anchor_library()
    concept = Concept.objects.get(key_points__key="three-in-90")
    assert concept.stale == (status == "validated")
    assert concept.version == 2  # a decision of who read the old words does not count


@pytest.mark.long
def test_job_that_is_open_is_not_begun_twice_and_one_that_ended_badly_not_repeated(tmp_path: Path) -> None:
    load(tmp_path)
    [job] = request_anchoring()
    assert request_anchoring() == []
    for state in ("cancelled", "failed"):
        IngestionJob.objects.filter(pk=job.pk).update(state=state)
        assert request_anchoring() == []
    Item.objects.update(updated_at=timezone.now())  # somebody changed it, so it has to be looked at
    assert len(request_anchoring()) == 1


@pytest.mark.long
def test_words_that_stand_under_another_heading_are_found_in_the_chapter(tmp_path: Path) -> None:
    """A page break put the section's own words into the passage before it."""
    handbook = make_document("Handbook, chapter 2: Deciding", abbreviation="PHAK", doc_type="handbook")
    make_chunk("Checklists help a pilot to manage the flight deck.", handbook, heading="Mitigating Risk")
    bears = make_chunk("Delay the flight until the front has passed.", handbook, heading="The Passengers")
    wait = point(text="Delay the flight until the front has passed.", source="PHAK ch. 2: Mitigating Risk")
    load(tmp_path, wait)
    found = anchored()
    assert (found.anchor, found.concept.evidence.get().chunk) == ("clean", bears)  # type: ignore[union-attr]


@pytest.mark.long
def test_heading_that_holds_the_words_is_preferred_to_the_rest_of_the_chapter(tmp_path: Path) -> None:
    handbook = make_document("Handbook, chapter 2: Deciding", abbreviation="PHAK", doc_type="handbook")
    bears = make_chunk("Delay the flight until the front has passed.", handbook, heading="Mitigating Risk")
    make_chunk("Delay the flight until the front has passed.", handbook, heading="The Passengers")
    wait = point(text="Delay the flight until the front has passed.", source="PHAK ch. 2: Mitigating Risk")
    load(tmp_path, wait)
    assert anchored().concept.evidence.get().chunk == bears  # type: ignore[union-attr]


@pytest.mark.long
def test_words_of_the_source_name_the_quote_under_whatever_heading(tmp_path: Path) -> None:
    handbook = make_document("Handbook, chapter 2: Deciding", abbreviation="PHAK", doc_type="handbook")
    make_chunk("Delay the flight until the front has passed.", handbook, heading="Mitigating Risk")
    meant = make_chunk("With a front ahead, stay on the ground.", handbook, heading="The Passengers")
    wait = point(
        text="Delay the flight until the front has passed.",
        source="PHAK ch. 2: Mitigating Risk “stay on the ground”",
    )
    load(tmp_path, wait)
    found = anchored()
    evidence = found.concept.evidence.get()  # type: ignore[union-attr]
    assert (found.anchor, evidence.chunk) == ("clean", meant)
    assert evidence.confidence >= CLEAN


@pytest.mark.long
def test_point_whose_words_stand_nowhere_is_doubtful(tmp_path: Path) -> None:
    rule_chunk()
    load(tmp_path, point(source="14 CFR 61.57(a)(1) “five takeoffs”"))
    assert anchored().anchor == "doubtful"


@pytest.mark.long
def test_amount_of_an_outer_lead_in_is_stored_with_the_subparagraph(tmp_path: Path) -> None:
    rule_chunk(
        "Each pilot in cruise more than 3,000 feet above the surface shall maintain the altitude below:\n\n"
        "(a) When operating below 18,000 feet MSL and—\n(1) On an easterly course, any odd thousand foot altitude; or"
    )
    text = "In cruise more than 3,000 feet above the surface an easterly course takes an odd thousand foot altitude."
    load(tmp_path, point(text=text, source="14 CFR 61.57(a)(1)"))
    kinds = {one.evidence_type: one.quote for one in anchored().concept.evidence.all()}  # type: ignore[union-attr]
    assert kinds["primary"].startswith("On an easterly course")
    assert "3,000 feet" in kinds["secondary"]
    assert kinds["secondary"].endswith("(a) When operating below 18,000 feet MSL and—")
