"""Items that schools wrote before moments and phrases changed keep what still has its meaning."""

from importlib import import_module

import pytest
from django.apps import apps

from knowledge.models import Item, KeyPoint

pytestmark = pytest.mark.django_db


def test_a_departure_is_a_takeoff_and_sentences_are_no_phrases() -> None:
    item = Item.objects.create(
        key="pa.i.a.k1.one", task="PA.I.A", stem="?", again="?", why=".", moment="departure"
    )
    kept, dropped = (
        "any time before",
        "Landings that I watched from the right seat count, too, however long ago they were.",
    )
    point = KeyPoint.objects.create(item=item, key="p", text="A fact.", reject=[kept, dropped])
    import_module("knowledge.migrations.0046_what_schools_wrote_before").keep_what_has_its_meaning(apps, None)
    item.refresh_from_db()
    point.refresh_from_db()
    assert (item.moment, point.reject) == ("takeoff", [kept])
