"""Two operators save one row at once: the second one is told, and nothing of the first is lost."""

import re
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.test import Client

from knowledge.models import Abbreviation, Note
from knowledge.models.telemetry import NoteRole
from knowledge.models.tenancy import Role
from llm import registry
from llm.offline import OfflineChatModel
from rules.data.edit import ChangedMeanwhile, store_answer
from rules.models import RuleAnswer, RuleAnswerChange, RuleQuestion
from tests.doubles.claims import make_user
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.rules_desk import PLAN, rules_desk

__all__ = ["rules_desk"]

pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]
TOLD = "Somebody else changed this"


def signed_in(name: str) -> Client:
    client = Client()
    client.force_login(make_user(name, Role.OPERATOR))
    return client


@pytest.fixture
def desk(rules_desk: HashingEmbedding) -> HashingEmbedding:
    registry.configure_models(chat=lambda: OfflineChatModel({}), embedding=lambda: rules_desk)
    return rules_desk


def answer() -> RuleAnswer:
    return RuleAnswer.objects.get(question__key=PLAN, country="FR")


def _closing(work: Callable[[], Any]) -> Any:
    try:
        return work()
    finally:
        connections.close_all()


def _wait_until_somebody_waits(work: Future[object]) -> None:
    """For a lock of this database, or until the work is done without having waited."""
    for _ in range(200):
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            if cursor.fetchone()[0] or work.done():
                return
        time.sleep(0.05)


def while_stored(store: Callable[[], object], post: Callable[[], Any]) -> Any:
    """What `post` gets on a connection of its own while `store` has not yet ended its transaction."""
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            store()
            work = pool.submit(_closing, post)
            _wait_until_somebody_waits(work)
        return work.result(timeout=60)


def hidden(client: Client, address: str) -> str:
    found = re.search(r'<input[^>]*name="seen"[^>]*>', client.get(address).content.decode())
    assert found, "the page does not carry what it shows"
    value = re.search(r'value="([^"]*)"', found[0])
    assert value
    return value[1]


def test_the_second_of_two_answers_is_refused(desk: HashingEmbedding) -> None:
    olga, row = signed_in("olga"), answer()
    address = f"/admin/rules/ruleanswer/{row.pk}/change/"
    sent = {"text": "second", "links": "", "source_link": "", "date_checked": "", "reason": "", "seen": "1"}

    def first() -> None:
        mine = answer()
        mine.text = "first"
        store_answer(mine, by=None)

    got = while_stored(first, lambda: olga.post(address, sent))
    assert got.status_code == 200
    assert TOLD in got.content.decode()
    assert (answer().text, answer().version) == ("first", 2)
    assert list(RuleAnswerChange.objects.filter(kind="edited").values_list("text", flat=True)) == ["first"]


def test_who_stores_an_answer_read_before_is_refused(desk: HashingEmbedding) -> None:
    one, other = answer(), answer()
    one.text, other.text = "first", "second"
    store_answer(one, by=None)
    with pytest.raises(ChangedMeanwhile):
        store_answer(other, by=None)
    assert answer().text == "first"


def test_the_second_of_two_questions_is_refused(desk: HashingEmbedding) -> None:
    olga, row = signed_in("olga"), RuleQuestion.objects.get(key=PLAN)
    address = f"/admin/rules/rulequestion/{row.pk}/change/"
    sent = {"text": "Second?", "category": row.category, "tags": "", "seen": hidden(olga, address)}
    got = while_stored(
        lambda: RuleQuestion.objects.filter(pk=row.pk).update(text="First?"), lambda: olga.post(address, sent)
    )
    assert TOLD in got.content.decode()
    row.refresh_from_db()
    assert row.text == "First?"
    sent["seen"] = hidden(olga, address)
    assert olga.post(address, sent).status_code == 302


def test_the_second_of_two_notes_is_refused() -> None:
    olga, row = (
        signed_in("olga"),
        Note.objects.create(role=NoteRole.choices[0][0], text="Be kind."),
    )
    address = f"/admin/knowledge/note/{row.pk}/change/"
    sent = {"role": row.role, "area": "", "text": "Be brief.", "active": "on", "seen": hidden(olga, address)}
    got = while_stored(
        lambda: Note.objects.filter(pk=row.pk).update(text="Be calm."), lambda: olga.post(address, sent)
    )
    assert TOLD in got.content.decode()
    row.refresh_from_db()
    assert row.text == "Be calm."


def test_the_second_of_two_abbreviations_is_refused() -> None:
    olga, row = (
        signed_in("olga"),
        Abbreviation.objects.create(short="TFR", long="temporary flight restriction"),
    )
    address = f"/admin/knowledge/abbreviation/{row.pk}/change/"
    sent = {"short": "TFR", "long": "total flight ruin", "active": "on", "seen": hidden(olga, address)}
    Abbreviation.objects.filter(pk=row.pk).update(active=False)
    assert TOLD in olga.post(address, sent).content.decode()
    row.refresh_from_db()
    assert row.long == "temporary flight restriction"
    assert not row.active
