"""An opening question that is wanted counts as one, also when no model can be reached for it."""

from types import SimpleNamespace
from typing import Any, cast
from uuid import uuid4

import pytest
from prometheus_client import REGISTRY

from exams.domain.planner import Action
from exams.exchange import prefetch
from exams.models import Exam
from llm.errors import Unreachable


def counted(made: str) -> float:
    return REGISTRY.get_sample_value("heydpe_openings_total", {"made": made}) or 0.0


@pytest.mark.parametrize(("ahead", "more"), [(False, 1), (True, 0)])
def test_one_that_fails_is_counted_if_it_was_wanted(
    monkeypatch: pytest.MonkeyPatch, ahead: bool, more: int
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise Unreachable("away")

    monkeypatch.setattr(prefetch, "library_state", lambda *_: "as it is")
    monkeypatch.setattr(prefetch, "chat_model", lambda _: SimpleNamespace(provider="p", model="m"))
    monkeypatch.setattr(prefetch, "ask_opening", fail)
    exam = cast(Exam, SimpleNamespace(pk=uuid4(), tenant_id=None, student_id=1, scene={}))
    before = counted("now")
    with pytest.raises(Unreachable):
        prefetch.opening_for(exam, Action(kind="ask", form="opening"), 0, ahead=ahead)
    assert counted("now") == before + more
