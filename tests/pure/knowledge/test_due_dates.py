"""By when an edition is to be checked: by kind of document, from its own date."""

from datetime import date

import pytest

from knowledge import conf
from knowledge.models.documents import check_by_for, next_check

TODAY = date(2026, 11, 22)


@pytest.mark.parametrize("doc_type", conf.CHECK_DAYS)
def test_the_days_run_from_the_edition_and_without_its_date_it_is_due_at_once(doc_type: str) -> None:
    days = conf.CHECK_DAYS[doc_type]
    assert (check_by_for(doc_type, date(2021, 7, 1), TODAY) - date(2021, 7, 1)).days == days
    assert check_by_for(doc_type, None, TODAY) < TODAY
    assert (next_check(doc_type, TODAY) - TODAY).days == days


def test_an_old_regulation_is_due_at_once_and_an_unknown_kind_is_like_any_other() -> None:
    assert check_by_for("cfr", date(2021, 7, 1), TODAY) < TODAY
    assert next_check("leaflet", TODAY) == next_check("other", TODAY)
