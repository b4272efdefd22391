"""A cache that answers nothing for long is noticed: in the log, on the operators' page, where readiness is asked."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from structlog.testing import capture_logs

from desk.operations.weekly_report import count_week, keep_weeks, monday_of
from knowledge import conf
from knowledge.flags import FILTER, title_of
from knowledge.models import RetrievalLog
from knowledge.models.tenancy import Role
from knowledge.retrieval.cache import alert_unused_caches, unused_cache_alarms
from tests.doubles.claims import make_user

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def make_look_ups(number: int, **fields: Any) -> None:
    given = {
        "kind": "element",
        "tier": "full",
        "arm": "hybrid",
        "quality": "strong",
        "latency_ms": 5.0,
        **fields,
    }
    RetrievalLog.objects.bulk_create(RetrievalLog(query="fuel", **given) for _ in range(number))


def alarms() -> tuple[str, ...]:
    return tuple(one for one in unused_cache_alarms(timezone.now()) if "by element" in one)


def test_many_look_ups_without_one_that_was_known() -> None:
    make_look_ups(conf.WATCHED_LOOK_UPS)
    (told,) = alarms()
    assert str(conf.WATCHED_LOOK_UPS) in told


@pytest.mark.parametrize("tier", ["memory", "hot"])
def test_one_that_was_known_is_enough(tier: str) -> None:
    make_look_ups(conf.WATCHED_LOOK_UPS - 1)
    make_look_ups(1, tier=tier)
    assert not alarms()


def test_few_look_ups_and_other_kinds_say_nothing() -> None:
    make_look_ups(conf.WATCHED_LOOK_UPS - 1)
    make_look_ups(conf.WATCHED_LOOK_UPS, kind="typed")
    make_look_ups(conf.WATCHED_LOOK_UPS, kind="answer")
    assert not alarms()


def test_nor_do_those_of_another_day() -> None:
    make_look_ups(conf.WATCHED_LOOK_UPS)
    RetrievalLog.objects.update(created_at=NOW - timedelta(days=2))
    assert not alarms()


def test_it_is_an_error_in_the_log_a_line_on_the_page_and_a_word_where_readiness_is_asked(
    client: Client,
) -> None:
    make_look_ups(conf.WATCHED_LOOK_UPS)
    with capture_logs() as logs:
        assert alert_unused_caches(timezone.now()) >= 1
    assert {"event": "cache_never_hits", "log_level": "error"}.items() <= logs[0].items()
    ready = client.get("/readyz/").json()
    assert "by element" in ready["look_ups"]
    client.force_login(make_user("olga", Role.OPERATOR))
    assert "memory and cache answer none" in client.get("/operations/").content.decode()


def test_readiness_does_not_hang_on_it(client: Client) -> None:
    before = client.get("/readyz/").status_code
    make_look_ups(conf.WATCHED_LOOK_UPS)
    assert client.get("/readyz/").status_code == before


def test_an_answer_that_stands_nowhere_is_no_missing_document() -> None:
    make_look_ups(2, kind="answer", quality="none")
    make_look_ups(1, quality="weak", top=0.4)
    week = count_week(None, monday_of(timezone.now().date()))
    assert (week.searches, week.qualities) == (3, {"strong": 0, "weak": 1, "none": 0})
    assert [row["times"] for row in week.weak] == [1]


def test_the_week_tells_look_ups_by_kind_tier_and_flag(client: Client) -> None:
    make_look_ups(3)
    make_look_ups(1, tier="hot", flags=["rag.metadata_filter"], cited=["a"])
    make_look_ups(2, kind="answer", reformulated="fuel by night")
    client.force_login(make_user("olga", Role.OPERATOR))
    keep_weeks(timezone.now())
    answer = client.get("/operations/searches/")
    week = answer.context["week"]
    (element, said) = week.look_ups
    assert (element["kind"], element["number"], element["full"], element["hot"]) == ("element", 4, 3, 1)
    assert (element["hits"], element["cited"], said["number"]) == (0.25, 1, 2)
    assert (week.reformulated, week.flags["rag.metadata_filter"]) == (2, 1)
    page = answer.content.decode()
    assert "then: fuel by night" in page
    assert title_of(FILTER) in page
