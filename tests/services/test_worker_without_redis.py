"""A worker at work when Redis goes: it works off what waits, since nobody else can be woken."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from knowledge.ingestion.jobs.jobs import submit_file
from knowledge.models import IngestionJob
from tests.doubles.live_web import ROOT, database_url, free_port
from tests.doubles.source_files import handbook

pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True), pytest.mark.services]
PATIENCE_SECONDS = 180


def test_it_goes_on_with_the_next_job(tmp_path: Path) -> None:
    for at in (1, 2, 3):
        submit_file(handbook(tmp_path / f"phak_ch0{at}.pdf", 1, body=f"Text {at}. "), wake=False)
    environment = {
        **os.environ,
        "DATABASE_URL": database_url(),
        "REDIS_URL": f"redis://127.0.0.1:{free_port()}/0",
        "DJANGO_SETTINGS_MODULE": "heydpe.settings",
    }
    code = "import django; django.setup()\nfrom knowledge.tasks import ingest_job; ingest_job('any')"
    subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, check=True, timeout=PATIENCE_SECONDS
    )
    assert list(IngestionJob.objects.values_list("state", "attempts")) == [("succeeded", 1)] * 3
