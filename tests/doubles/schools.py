"""Two schools and their people. One person is operator of the first and student of the second; a stranger is of
neither."""

from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from knowledge.models import Membership, Tenant
from knowledge.models.tenancy import Role

from .library import make_tenant


@dataclass(frozen=True)
class Schools:
    first: Tenant
    second: Tenant
    people: dict[str, Any]

    def client(self, name: str) -> Client:
        found = Client()
        found.force_login(self.people[name])
        return found


@pytest.fixture
def schools(db: None) -> Schools:
    return make_schools()


def make_schools() -> Schools:
    first, second = make_tenant("first"), make_tenant("second")
    held: dict[str, list[tuple[Role, Tenant | None]]] = {
        f"{role}-of-{school.slug}": [(role, school)] for school in (first, second) for role in Role
    }
    held["both"] = [(Role.OPERATOR, first), (Role.STUDENT, second)]
    held["reversed"] = [(Role.STUDENT, first), (Role.OPERATOR, second)]
    held["reviewer-and-student"] = [(Role.REVIEWER, first), (Role.STUDENT, second)]
    held["operator-of-two"] = [(Role.OPERATOR, first), (Role.OPERATOR, second)]
    held["operator-of-shared"] = [(Role.OPERATOR, None), (Role.STUDENT, second)]
    held["stranger"] = []
    return Schools(first, second, {name: _person(name, roles) for name, roles in held.items()} | _superuser())


def _person(name: str, held: list[tuple[Role, Tenant | None]]) -> Any:
    user = get_user_model().objects.create_user(name, password="x")
    Membership.objects.bulk_create(Membership(user=user, role=role, tenant=school) for role, school in held)
    return user


def _superuser() -> dict[str, Any]:
    return {"superuser": get_user_model().objects.create_superuser("superuser", password="x")}
