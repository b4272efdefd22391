"""No file names the machine it was made on, or where its packages came from."""

import re

from tests.pure.docs.pages import ROOT, tracked_files

# Put together here so that this file does not hold what it looks for.
SLASH = "/"
MACHINE = ("work", "root", "home", "Users", "tmp/brief", "tmp/bash_jobs")
PATHS = re.compile(rf"(?<![\w.~}}-])/(?:{'|'.join(MACHINE)})/")
HOSTS = re.compile(
    "|".join(("files." + "pythonhosted", "pypi" + r"\.org", "registry" + r"\.npmjs", "index" + "-url ?="))
)


def lines_with(pattern: re.Pattern[str]) -> list[str]:
    found = []
    for path in tracked_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        name = path.relative_to(ROOT)
        found += [f"{name}:{n}" for n, line in enumerate(text.splitlines(), 1) if pattern.search(line)]
    return found


def test_no_file_names_a_machines_path() -> None:
    assert lines_with(PATHS) == []


def test_no_file_names_a_registry() -> None:
    assert lines_with(HOSTS) == []
