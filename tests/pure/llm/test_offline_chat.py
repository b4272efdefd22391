"""The chat model that needs no key."""

from typing import Any

import pytest
from pydantic import BaseModel

from llm.errors import SkillFailed, UnknownRole
from llm.offline import OfflineChatModel
from llm.structured import ask_model
from tests.pure.llm.cast import Grade, grade_request


def grade(material: Any) -> BaseModel:
    return Grade(verdict=material["verdict"])


def test_a_skill_answers_from_the_material() -> None:
    model = OfflineChatModel({"assessor": grade})
    answer = ask_model(model, grade_request(material={"verdict": "unsatisfactory"}))
    assert answer.value.verdict == "unsatisfactory"
    assert (answer.provider, answer.repaired, model.external) == ("offline", False, False)


def test_the_same_material_gives_the_same_text() -> None:
    model = OfflineChatModel({"assessor": grade})
    request = grade_request(material={"verdict": "partial"})
    assert model.complete(request) == model.complete(request)


def test_a_role_without_a_skill_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownRole, match=r"'assessor'.*it has: examiner"):
        OfflineChatModel({"examiner": grade}).complete(grade_request())


def test_a_skill_that_fails_is_a_model_error_with_its_cause() -> None:
    with pytest.raises(SkillFailed) as raised:
        OfflineChatModel({"assessor": grade}).complete(grade_request(material={}))
    assert isinstance(raised.value.__cause__, KeyError)


def test_a_skill_that_answers_in_another_shape_is_refused() -> None:
    class Other(BaseModel):
        verdict: str = "partial"

    with pytest.raises(SkillFailed, match="Other, not Grade"):
        OfflineChatModel({"assessor": lambda _: Other()}).complete(grade_request())
