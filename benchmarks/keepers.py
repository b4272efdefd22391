"""How long each page of desk and admin takes with a thousand documents and 20,000 pending claims.

`python -m benchmarks.keepers` prints one JSON document. It works in a scratch database beside the configured one, which
is removed afterwards: the demo, 1,000 documents of 20 passages, 5,000 jobs, and 20,000 claims that wait. As an operator
and as a reviewer it follows the links of desk and admin, one page of each pattern of address, through all of Django in
this process. A page is loaded once, then measured: the median of five. Beside it stands a page without a table.
"""

import json
import os
import re
import sys
from statistics import median
from time import perf_counter
from typing import Any
from urllib.parse import urljoin

import django
from django.db import connection

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
django.setup()

from django.contrib.auth import get_user_model  # noqa: E402 - models need Django set up
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext, override_settings  # noqa: E402

from benchmarks.scratch import scratch_database  # noqa: E402
from desk.demo.accounts import create_accounts  # noqa: E402
from desk.demo.load import load_demo  # noqa: E402
from knowledge.graph.identity import node_key  # noqa: E402
from knowledge.models import Chunk, Concept, ConceptChunkEvidence, Document, IngestionJob  # noqa: E402

DOCUMENTS, PASSAGES, JOBS, CLAIMS, BATCH = 1_000, 20, 5_000, 20_000, 5_000
MEASURED, SLOWEST = 5, 12
STARTS = {"operator": ("/operations/", "/admin/"), "reviewer": ("/admin/",)}
BARE = "/about/"
KEPT = ("/operations/", "/admin/")
NO_PAGES = re.compile(r"logout|export|/file/|password|\.(webp|pdf|json|csv)$")
LINK = re.compile(r'href="([^"#?]+)"')


def make_rows() -> None:
    """The documents, passages, jobs, and claims, always the same."""
    documents = Document.objects.bulk_create(
        Document(
            title=f"Book {n}",
            content_hash=f"{n:064}",
            status="published",
            doc_type="handbook" if n % 2 else "cfr",
            abbreviation="" if n % 2 else f"14 CFR {n}",
            tags=["a" if n % 3 else "b"],
        )
        for n in range(DOCUMENTS)
    )
    words = "No person may do this unless that is so, by day and by night, within 30 minutes. "
    chunks = Chunk.objects.bulk_create(
        [
            Chunk(
                document=document,
                index=n,
                text=f"{n} {words * 8}",
                content_hash=f"{at}-{n}",
                page_start=n + 1,
                section=f"{at}.{n}",
            )
            for at, document in enumerate(documents)
            for n in range(PASSAGES)
        ],
        batch_size=BATCH,
    )
    claims = Concept.objects.bulk_create(
        [
            Concept(
                key=node_key("regulatory_claim", f"made up {n}"),
                name=f"{n} {words.strip()}",
                category="regulatory_claim",
                key_facts={"domain": "airspace" if n % 2 else "weather", "who": "pilot in command"},
                validation_status="pending",
                priority=f"P{n % 3}",
            )
            for n in range(CLAIMS)
        ],
        batch_size=BATCH,
    )
    ConceptChunkEvidence.objects.bulk_create(
        [
            ConceptChunkEvidence(concept=claim, chunk=chunks[n], quote=words.strip(), confidence=0.9)
            for n, claim in enumerate(claims)
        ],
        batch_size=BATCH,
    )
    kinds, states = ("document", "claims", "items", "vectors"), ("succeeded", "failed", "cancelled", "queued")
    IngestionJob.objects.bulk_create(
        IngestionJob(source_name=f"job {n}", content_hash="", kind=kinds[n % 4], state=states[n // 4 % 4])
        for n in range(JOBS)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def pattern_of(address: str) -> str:
    """The address with a letter for each key in it."""
    return re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|\d+", "N", address)


def pages_of(role: str) -> list[dict[str, Any]]:
    """Each page that `role` is led to, with its milliseconds and queries."""
    client = Client(raise_request_exception=True)
    client.force_login(get_user_model().objects.get(username=role))
    ahead, seen, found = [*STARTS[role], BARE], set[str](), list[dict[str, Any]]()
    while ahead:
        address = ahead.pop(0)
        pattern = pattern_of(address)
        if pattern in seen or NO_PAGES.search(pattern):
            continue
        seen.add(pattern)
        connection.queries_log.clear()  # a full log grows no more
        with CaptureQueriesContext(connection) as queries:
            page = client.get(address)
        if page.status_code != 200 or "html" not in page.headers.get("Content-Type", ""):
            if page.status_code >= 400 and page.status_code != 403:
                raise SystemExit(f"{role}, {address}: {page.status_code}")
            ahead += [page.headers["Location"]] if "Location" in page.headers else []
            continue
        taken = []
        for _ in range(MEASURED):
            began = perf_counter()
            client.get(address)
            taken.append(1000 * (perf_counter() - began))
        found.append({"name": pattern, "ms": round(median(taken), 1), "queries": len(queries)})
        links = [urljoin(address, link) for link in LINK.findall(page.content.decode())]
        ahead += [link for link in links if link.startswith(KEPT)]
    return found


def measure() -> dict[str, Any]:
    with scratch_database(), override_settings(ALLOWED_HOSTS=["testserver"]):
        load_demo()
        create_accounts("demo")
        make_rows()
        result: dict[str, Any] = {"documents": DOCUMENTS, "claims that wait": CLAIMS}
        for role in STARTS:
            found = sorted(pages_of(role), key=lambda page: -page["ms"])
            bare = next(page for page in found if page["name"] == BARE)
            result[role] = {
                "pages": len(found),
                "pages over 300 ms": sum(page["ms"] > 300 for page in found),
                "slowest, ms": found[0]["ms"],
                "a page without a table, ms": bare["ms"],
                "median, ms": round(median(page["ms"] for page in found), 1),
                "slowest pages": found[:SLOWEST],
            }
        return result


if __name__ == "__main__":
    json.dump(measure(), sys.stdout, indent=1)
