"""For whom a flag is on: everyone, somebody by name, a per cent of the others. Without a row it is an error."""

from importlib import import_module
from typing import Any
from unittest.mock import Mock

import pytest
from django.apps import apps
from django.contrib.auth.models import Group
from django.core.checks import Warning
from django.core.exceptions import ImproperlyConfigured
from waffle.models import Flag, Switch

from heydpe.checks import check_flags
from knowledge import flags
from knowledge.db.connections import fetch_prepared
from knowledge.flags import ENHANCED, FILTER, FLAGS, NAMES, SHADOW, flags_for, is_on, place_of
from tests.doubles.claims import make_user

pytestmark = pytest.mark.django_db


def set_flag(name: str, everyone: bool | None = None, percent: float | None = None) -> Flag:
    Flag.objects.filter(name=name).update(everyone=everyone, percent=percent)
    row: Flag = Flag.objects.get(name=name)
    return row


def test_each_has_its_default_and_says_whose_it_is() -> None:
    assert flags_for(None) == flags_for(7) == tuple(sorted(flag.name for flag in FLAGS if flag.default))
    for flag in FLAGS:
        row = Flag.objects.get(name=flag.name)
        assert flag.owner in row.note
        assert flag.effect in row.note


def test_one_statement_for_all_of_them(
    monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    asked = Mock(wraps=fetch_prepared)
    monkeypatch.setattr(flags, "fetch_prepared", asked)
    with django_assert_num_queries(0):  # none beside it
        flags_for(7)
    asked.assert_called_once()


@pytest.mark.parametrize("everyone", [True, False])
def test_what_holds_for_everyone_holds_for_each(everyone: bool) -> None:
    set_flag(SHADOW, everyone=everyone, percent=50)
    assert {SHADOW in flags_for(student) for student in (None, 1, 2, 3, 4)} == {everyone}


def test_a_student_keeps_the_arm_and_keeps_it_when_the_per_cent_rises() -> None:
    set_flag(ENHANCED, percent=30)
    few = {student for student in range(200) if ENHANCED in flags_for(student)}
    assert few == {student for student in range(200) if ENHANCED in flags_for(student)}
    set_flag(ENHANCED, percent=60)
    assert few < {student for student in range(200) if ENHANCED in flags_for(student)}


def test_the_arms_are_as_large_as_asked_and_another_flag_deals_anew() -> None:
    students = range(4000)
    on = {student for student in students if place_of(student, ENHANCED) < 30}
    other = {student for student in students if place_of(student, SHADOW) < 30}
    assert 0.27 < len(on) / len(students) < 0.33
    assert 0.25 < len(on & other) / len(on) < 0.35


def test_nobody_in_particular_has_what_is_on_for_some() -> None:
    set_flag(ENHANCED, percent=99)
    assert not is_on(ENHANCED)


def test_students_and_groups_by_name() -> None:
    anna, ben, cleo = (make_user(name) for name in ("anna", "ben", "cleo"))
    group = Group.objects.create(name="evening class")
    ben.groups.add(group)
    row = set_flag(SHADOW)
    row.users.add(anna)
    row.groups.add(group)
    assert [SHADOW in flags_for(one.pk) for one in (anna, ben, cleo)] == [True, True, False]


def test_a_flag_without_a_row_is_told() -> None:
    Flag.objects.filter(name=FILTER).delete()
    with pytest.raises(ImproperlyConfigured, match=FILTER):
        flags_for(1)
    with pytest.raises(ImproperlyConfigured, match=r"no\.such"):
        is_on("no.such")
    (found,) = check_flags(None, ["default"])
    assert isinstance(found, Warning)
    assert FILTER in found.msg


def test_the_check_says_for_whom() -> None:
    set_flag(ENHANCED, percent=20).users.add(make_user("anna"))
    (found,) = check_flags(None, ["default"])
    assert "on for 20 % of students and 1 by name; its default is on" in found.msg


def test_switches_of_before_keep_their_state() -> None:
    Flag.objects.all().delete()
    migration = import_module("knowledge.migrations.0012_flags")
    for name in migration.NAMES:
        Switch.objects.create(name=name, active=name == SHADOW)
    migration.take_over(apps, None)
    import_module("knowledge.migrations.0021_free_questions").add(apps, None)
    for name in NAMES - set(Flag.objects.values_list("name", flat=True)):  # those that came later
        Flag.objects.create(name=name, everyone=False)
    assert flags_for(1) == (SHADOW,)
    assert not Switch.objects.exists()
