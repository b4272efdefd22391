"""What is kept beside the tables, and what the logs may say, stands in `kept.yaml`: files, caches, fields of events."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.apps import apps
from django.core.cache import caches
from django.core.cache.backends.base import BaseCache
from django.core.files.base import ContentFile
from django.db.models import FileField, Model
from django.template.base import Template
from django.test import Client

from tests.db.heydpe.test_doors import BY_ROW, DOORS, METHODS, PLACES, clients, places_in, schools_of, undone
from tests.doubles.rows_of_schools import House, house
from tests.sampling import sample_of

__all__ = ["clients", "house"]
pytestmark = pytest.mark.django_db
KEPT: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("kept.yaml").read_text("utf-8"))
CODE = ("heydpe", "desk", "exams", "curation", "rules", "knowledge", "llm")
LEVELS = {"debug", "info", "warning", "error", "exception", "critical"}


def modules(with_word: str) -> Iterator[tuple[str, ast.Module]]:
    for path in (path for folder in CODE for path in Path(folder).rglob("*.py")):
        if "migrations" not in path.parts and with_word in (source := path.read_text("utf-8")):
            yield path.as_posix(), ast.parse(source)


# --- files ---


def columns_of_files() -> dict[str, tuple[type[Model], FileField]]:
    return {
        f"{model._meta.label}.{field.name}": (model, field)
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if isinstance(field, FileField) and not model._meta.proxy
    }


def test_columns_of_files_are_placed() -> None:
    assert columns_of_files().keys() == KEPT["files"].keys()
    served = {route for entries in DOORS.values() for _, route in places_in(entries, *METHODS)}
    assert {route for routes in KEPT["files"].values() for route in routes} <= served


def test_files_have_no_address_of_their_own(house: House, clients: dict[str, Client]) -> None:
    for name, (model, field) in columns_of_files().items():
        file = getattr(house.rows[model][None], field.name)
        file.save("a_file.bin", ContentFile(b"RIFF"))
        for visitor in ("anonymous", "operator-of-shared", "superuser"):
            for path in (file.url, f"/{file.name}", f"/static/{file.name}"):
                assert clients[visitor].get(path).status_code == 404, (name, path)


# --- caches ---


def test_modules_that_ask_a_cache_are_placed() -> None:
    asking = {
        path
        for path, tree in modules("django.core.cache")
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "django.core.cache"
        if any(name.name in ("cache", "caches") for name in node.names)
    }
    assert asking == KEPT["asks a cache"].keys()


def test_no_value_of_a_cache_is_shared_beyond_its_school_or_person(
    house: House, clients: dict[str, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Template, "render", lambda self, context: "")
    keys: defaultdict[str, set[str]] = defaultdict(set)
    visitor = ""
    make_key = BaseCache.make_and_validate_key

    def note(self: BaseCache, key: str, version: int | None = None) -> str:
        if self is not caches["flags"]:
            keys[key].add(visitor)
        return make_key(self, key, version)

    monkeypatch.setattr(BaseCache, "make_and_validate_key", note)
    paths = [route for method, route in PLACES["signed in"] if method == "GET" and "<" not in route]
    paths += ["/api/v1/search/?q=fuel+reserves", "/admin/search/?s=item", "/exams/class/"]
    for visitor in sample_of(BY_ROW[1:], 2):  # all but the anonymous one
        with undone():
            for path in paths:
                clients[visitor].get(path)
            clients[visitor].post("/api/v1/rules/ask/", {"question": "fuel"}, content_type="application/json")
    known: dict[str, str] = KEPT["caches"]
    starts = {key: next((one for one in known if key.startswith(one)), None) for key in keys}
    assert not {key for key, start in starts.items() if start is None}, "place them in kept.yaml"
    assert {"search:", "element-facts:", "throttle_school_", "unfold_search_"} <= set(starts.values())
    for key, visitors in keys.items():
        whose = known[str(starts[key])]
        assert whose != "person" or len(visitors) == 1, (key, visitors)
        if whose == "school":
            reads = [schools_of(house, name) or {None} for name in visitors]
            assert set[int | None].intersection(*reads), (key, visitors)


# --- logs ---


def test_what_events_carry_is_placed() -> None:
    carried = set()
    for path, tree in modules("log."):
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            logs = isinstance(node.func.value, ast.Name) and node.func.value.id == "log"
            if not logs or node.func.attr not in LEVELS:
                continue
            assert [type(one) for one in node.args] == [ast.Constant], f"{path}: an event has a fixed name"
            carried |= {one.arg for one in node.keywords}
    assert carried == set(KEPT["logs"])
