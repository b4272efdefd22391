"""docs/operations/running.md says of every variable what it is for."""

import pytest

from tests.pure.docs.pages import sections, text_of
from tests.pure.heydpe.test_deployment_files import variables_read

TABLE = sections(text_of("docs/operations/running.md"), level=2).get("The environment", "")


@pytest.mark.parametrize("name", sorted(variables_read()))
def test_a_variable_that_is_read_is_explained(name: str) -> None:
    assert f"`{name}`" in TABLE


def test_no_variable_is_explained_that_nobody_reads() -> None:
    explained = {
        name.strip("` ")
        for line in TABLE.splitlines()
        if line.startswith("| `")
        for name in line.split("|")[1].split(",")
    }
    assert explained == variables_read()
