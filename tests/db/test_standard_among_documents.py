"""A certification standard among the documents is loaded as the standard, and puts the demo away."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.management import call_command

from desk.demo.load import load_demo
from exams.briefing import library_state, supported_elements
from knowledge.graph.skeleton import load_standard
from knowledge.models import Document, Standard
from tests.doubles.demo_library import Demo
from tests.doubles.standards import small_standard

FAA = Path(__file__).parents[3] / "shared" / "data" / "faa" / "pdf"
ACS = FAA / "FAA-S-ACS-6C_Private_Pilot_ACS.pdf"
needs_acs = pytest.mark.skipif(not ACS.exists(), reason=f"{ACS.name} is not there (../shared/data)")
pytestmark = pytest.mark.django_db


def ingest(path: Path) -> Any:
    out = io.StringIO()
    call_command("ingest", str(path), "--json", stdout=out)
    return json.loads(out.getvalue())["documents"][0]


@needs_acs
@pytest.mark.shared
def test_acs_in_a_folder_becomes_the_standard(settings: LazySettings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path
    found = ingest(ACS)
    assert found["standard"] == "FAA-S-ACS-6C: 12 areas, 61 tasks, 1192 elements"
    assert Standard.objects.get(current=True).number == "FAA-S-ACS-6C"


def test_real_standard_puts_the_demos_handbook_away(demo: Demo) -> None:
    assert Document.objects.get(demo=True).status == "published"
    load_standard(small_standard())
    assert Document.objects.get(demo=True).status == "archived"
    support = supported_elements("private", library=library_state(None, None))
    assert not any(one.askable for one in support.values())


def test_demo_does_not_come_back_under_a_real_standard(demo: Demo, settings: LazySettings) -> None:
    settings.DEBUG = True
    load_standard(small_standard())
    load_demo()
    assert Document.objects.get(demo=True).status == "archived"
    assert not Standard.objects.get(current=True).demo
