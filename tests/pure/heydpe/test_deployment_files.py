"""docker-compose.yml, Dockerfile and .env.example agree with each other and with what the code reads.

There is no Docker engine where the tests run, so the files are read, not run.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

from heydpe.env import read_environment

ROOT = Path(__file__).parents[3]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
OURS = ("migrate", "web", "worker", "beat")
# Read where a child process gets an environment of its own; nobody sets them for HeyDPE.
OF_THE_SYSTEM = {"PATH", "LANG", "LD_LIBRARY_PATH", "TMPDIR"}


def env_example() -> dict[str, str]:
    lines = (ROOT / ".env.example").read_text("utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


class Recorder(dict[str, str]):
    """An environment that is empty and notes which variables somebody looked up."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[str] = set()

    def get(self, name: str, default: Any = None) -> Any:
        self.asked.add(name)
        return default


def looked_up(source: str) -> Iterator[str]:
    """The variables that a module reads by name: `environ.get("X")`, `environ["X"]`."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Subscript(value=read, slice=ast.Constant(value=str(name))) if _is_environ(read):
                yield name
            case ast.Call(
                func=ast.Attribute(value=read, attr="get"), args=[ast.Constant(value=str(name)), *_]
            ) if _is_environ(read):
                yield name


def _is_environ(node: ast.expr) -> bool:
    return (node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")) == "environ"


@cache
def variables_read() -> set[str]:
    recorder = Recorder()
    read_environment(recorder)
    apps = ("heydpe", "desk", "exams", "curation", "rules", "knowledge", "llm")
    files = [path for app in apps for path in (ROOT / app).rglob("*.py")]
    direct = {name for path in files for name in looked_up(path.read_text("utf-8"))}
    return (recorder.asked | direct) - OF_THE_SYSTEM


def test_what_is_read_and_what_the_example_lists_are_the_same() -> None:
    assert variables_read() == set(env_example())


def test_the_example_is_an_environment_without_problems() -> None:
    environment = read_environment(env_example())
    assert environment.problems == ()
    assert not environment.debug
    assert environment.secret_key


def test_compose_has_these_services() -> None:
    assert set(SERVICES) == {"db", "redis", "migrate", "web", "worker", "beat"}


def test_compose_asks_for_nothing_that_the_example_lacks() -> None:
    asked = set(re.findall(r"\$\{(\w+)", (ROOT / "docker-compose.yml").read_text("utf-8")))
    assert asked <= set(env_example())


@pytest.mark.parametrize("name", OURS)
def test_our_services_are_built_here_and_read_the_env_file(name: str) -> None:
    service = SERVICES[name]
    assert (service["build"], service["env_file"]) == (".", ".env")
    assert service["depends_on"]["db"]["condition"] == "service_healthy"
    assert service["depends_on"]["redis"]["condition"] == "service_healthy"


@pytest.mark.parametrize("name", [name for name in OURS if name != "migrate"])
def test_nobody_serves_before_the_tables_are_there(name: str) -> None:
    assert SERVICES[name]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"


def test_addresses_in_the_example_are_those_of_the_services() -> None:
    example, given = env_example(), SERVICES["db"]["environment"]
    database, redis = urlsplit(example["DATABASE_URL"]), urlsplit(example["REDIS_URL"])
    assert (database.hostname, redis.hostname) == ("db", "redis")
    assert database.username == given["POSTGRES_USER"]
    assert database.password == given["POSTGRES_PASSWORD"]
    assert database.path == f"/{given['POSTGRES_DB']}"


def test_the_data_directory_is_a_volume_everywhere() -> None:
    folder = env_example()["HEYDPE_DATA_DIR"]
    assert f"VOLUME {folder}" in DOCKERFILE
    for name in OURS:
        assert f"data:{folder}" in SERVICES[name]["volumes"]
    named = {volume.split(":")[0] for service in SERVICES.values() for volume in service.get("volumes", ())}
    assert named == set(COMPOSE["volumes"])


def test_the_health_check_asks_an_allowed_host_for_a_page_that_exists() -> None:
    asked = urlsplit(re.search(r"http://[^']+", " ".join(SERVICES["web"]["healthcheck"]["test"]))[0])  # type: ignore[index]
    assert asked.hostname in env_example()["ALLOWED_HOSTS"].split(",")
    assert f'"{asked.path.lstrip("/")}"' in (ROOT / "desk" / "urls.py").read_text("utf-8")


def test_commands_exist() -> None:
    assert SERVICES["migrate"]["command"][:3] == ["python", "manage.py", "migrate"]
    assert (ROOT / "manage.py").exists()
    for name in ("worker", "beat"):
        program, flag, app, command, *_ = SERVICES[name]["command"]
        assert (program, flag, command) == ("celery", "-A", name)
        assert "app" in names_in(f"{app}/celery.py")
        assert find_spec(program)


def test_the_images_own_command_names_an_application() -> None:
    command: list[str] = yaml.safe_load(re.findall(r"^CMD (.+)$", DOCKERFILE, re.M)[-1])
    program, target = command[:2]
    module, name = target.split(":")
    assert find_spec(program)
    assert name in names_in(f"{module.replace('.', '/')}.py")
    assert command[command.index("--port") + 1] == str(exposed())


def exposed() -> int:
    return int(re.findall(r"^EXPOSE (\d+)$", DOCKERFILE, re.M)[0])


def names_in(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    targets = [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def test_the_published_port_is_the_exposed_one() -> None:
    published = SERVICES["web"]["ports"][0]
    assert published.rsplit(":", 1)[1] == str(exposed())
    assert published.startswith("${PORT:-8000}")


def test_the_image_installs_the_pins_and_copies_what_exists() -> None:
    assert "--require-hashes -r requirements.txt" in DOCKERFILE
    for source in re.findall(r"^COPY (\S+) ", DOCKERFILE, re.M):
        assert (ROOT / source).exists()


def test_the_image_is_the_python_that_the_project_asks_for() -> None:
    image = re.findall(r"^FROM python:(\d+\.\d+)", DOCKERFILE, re.M)
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    assert f'requires-python = ">={image[0]}"' in project


def test_the_secret_of_the_example_is_no_secret() -> None:
    assert "change-me" in env_example()["SECRET_KEY"]


@pytest.mark.parametrize("name", OURS)
def test_no_service_sets_what_the_env_file_sets(name: str) -> None:
    assert not SERVICES[name].get("environment")
