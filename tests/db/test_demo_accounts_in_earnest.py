"""The demo's password opens nothing unnoticed once DEBUG is off."""

import pytest
from django.conf import LazySettings

from heydpe.checks import check_demo_accounts
from tests.doubles.demo_library import Demo

pytestmark = pytest.mark.django_db


def test_accounts_with_the_demo_s_password_are_named(demo: Demo, settings: LazySettings) -> None:
    settings.DEBUG = False
    (found,) = check_demo_accounts(None, databases=["default"])
    assert found.id == "heydpe.W002"
    assert all(name in found.msg for name in ("student", "reviewer", "operator"))


def test_other_passwords_are_fine(demo: Demo, settings: LazySettings) -> None:
    settings.DEBUG = False
    for user in (demo.student, demo.reviewer, demo.operator):
        user.set_password("something else")
        user.save()
    assert check_demo_accounts(None, databases=["default"]) == []


def test_with_debug_they_are_meant_to_be_there(demo: Demo, settings: LazySettings) -> None:
    settings.DEBUG = True
    assert check_demo_accounts(None, databases=["default"]) == []
