"""Who gets into the room of an exam, and who stays in it once the session, the password or the membership is gone.

Who signs out in the middle of an oral: `tests/db/exams/test_signed_out_elsewhere.py`."""

from collections.abc import Callable

import pytest
from django.test import Client

from exams.exchange.session import end_exams_of_leavers
from exams.models import Exam, ExamStatus
from knowledge.access.membership import change_role, join_school, remove_member
from knowledge.access.signed_in import new_key
from knowledge.models import Membership
from knowledge.models.tenancy import Role
from tests.doubles.rooms import Enter, Room
from tests.doubles.rows_of_schools import exam as past_exam
from tests.doubles.schools import Schools, make_schools

pytestmark = pytest.mark.django_db(transaction=True)
PING = {"type": "ping"}


@pytest.fixture
def schools() -> Schools:
    return make_schools()


def open_exam(schools: Schools) -> Exam:
    """It waits for an answer; nothing has to be done for it."""
    exam = past_exam(schools.first)
    exam.status, exam.planner = ExamStatus.ACTIVE, {**exam.planner, "state": "asking"}
    exam.save()
    return exam


def enter_by_key(schools: Schools, exam: Exam, enter: Enter) -> Room:
    """A program keeps its key when its user is signed out everywhere."""
    room = enter(
        exam, None, authorization=f"Token {new_key(schools.people['student-of-first'], 'program')[1]}"
    )
    room.say(PING)
    room.hear("pong")
    return room


def test_a_room_is_its_students_alone(schools: Schools, enter: Enter) -> None:
    theirs = {past_exam(schools.first): "student-of-first", past_exam(None): "stranger"}
    for exam, owner in theirs.items():
        for name, user in schools.people.items():
            room = enter(exam, user)
            if name == owner:
                room.say(PING)
                room.hear("pong")
            else:
                assert room.closed_with() == 4404, name
        assert enter(exam, None).closed_with() == 4401


def removed(schools: Schools) -> None:
    remove_member(schools.first, schools.people["student-of-first"])


def deleted_in_the_admin(schools: Schools) -> None:
    Membership.objects.filter(user=schools.people["student-of-first"]).delete()


def at_another_school_now(schools: Schools) -> None:
    join_school(schools.people["student-of-first"], schools.second, Role.STUDENT)
    removed(schools)


@pytest.mark.parametrize("way", [removed, deleted_in_the_admin, at_another_school_now])
def test_a_leaver_is_told_nothing_more_before_the_sweep_ends_the_oral(
    schools: Schools, enter: Enter, way: Callable[[Schools], None]
) -> None:
    exam = open_exam(schools)
    room = enter_by_key(schools, exam, enter)
    way(schools)
    room.say({"type": "pause"})
    assert room.closed_with() == 4404
    student = schools.people["student-of-first"]
    assert enter(exam, student).closed_with() == 4404  # nor by signing in again
    assert end_exams_of_leavers() == 1
    again = enter(exam, student)  # what was said can be read and disputed
    again.say(PING)
    again.hear("pong")
    exam.refresh_from_db()
    assert exam.status == ExamStatus.LEFT


def test_who_has_another_role_at_the_school_goes_on(schools: Schools, enter: Enter) -> None:
    exam = open_exam(schools)
    room = enter_by_key(schools, exam, enter)
    change_role(Membership.objects.get(user=schools.people["student-of-first"]), Role.INSTRUCTOR)
    room.say({"type": "pause"})
    room.say(PING)
    room.hear("pong")
    exam.refresh_from_db()
    assert exam.status == ExamStatus.PAUSED


def test_a_changed_password_ends_the_rooms_of_programs_too(schools: Schools, enter: Enter) -> None:
    room = enter_by_key(schools, open_exam(schools), enter)
    student = schools.people["student-of-first"]
    student.set_password("another one")
    student.save()
    room.say(PING)
    assert room.closed_with() == 4401


def test_the_session_of_one_person_does_not_hold_the_room_of_another(schools: Schools, enter: Enter) -> None:
    """The same browser, signed in as somebody else."""
    client = Client()
    client.force_login(schools.people["student-of-first"])
    room = enter(open_exam(schools), None, cookie=f"sessionid={client.cookies['sessionid'].value}")
    room.say(PING)
    room.hear("pong")
    client.force_login(schools.people["student-of-second"])
    room.say(PING)
    assert room.closed_with() == 4401
