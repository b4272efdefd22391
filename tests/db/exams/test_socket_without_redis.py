"""A socket that connects while Redis is away is told to come back, and loses nothing when it does."""

import pytest
from django.test import override_settings

from exams.models import Exam
from tests.doubles.demo_library import Demo
from tests.doubles.live_web import free_port
from tests.doubles.rooms import Enter, new_exam, right_answer

pytestmark = pytest.mark.django_db(transaction=True)


def layer_that_is_away() -> dict[str, object]:
    address = f"redis://127.0.0.1:{free_port()}/0"
    backend = "channels_redis.pubsub.RedisPubSubChannelLayer"
    return {"default": {"BACKEND": backend, "CONFIG": {"hosts": [address]}}}


def test_it_is_closed_with_1012_and_goes_on_when_redis_is_back(demo: Demo, enter: Enter) -> None:
    exam = new_exam(demo.student)
    with override_settings(CHANNEL_LAYERS=layer_that_is_away()):
        assert enter(exam, demo.student).closed_with() == 1012
    assert Exam.objects.get(pk=exam.pk).epoch == 0
    room = enter(exam, demo.student)
    room.hear("question")
    assert room.answer(right_answer(exam), "a1")["verdict"] == "satisfactory"


def test_a_stranger_learns_no_more_than_that(demo: Demo, enter: Enter) -> None:
    with override_settings(CHANNEL_LAYERS=layer_that_is_away()):
        assert enter(new_exam(demo.student), None).closed_with() == 1012
