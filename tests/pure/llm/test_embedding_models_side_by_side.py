"""Several embedding models: each by its name, and the one in use as it is said at that moment."""

import pytest

from llm import registry
from llm.errors import UnknownModel
from tests.doubles.embedding import HashingEmbedding


class Other(HashingEmbedding):
    name = "other"


BOTH = {"all-MiniLM-L6-v2": HashingEmbedding, "other": Other}


def test_the_one_in_use_is_asked_for_each_time_anew() -> None:
    in_use = ["all-MiniLM-L6-v2"]
    registry.configure_models(chat={}, embedding=BOTH, in_use=lambda: in_use[0])
    assert registry.embedding_model().name == "all-MiniLM-L6-v2"
    in_use[0] = "other"
    assert registry.embedding_model().name == "other"
    assert registry.embedding_model("all-MiniLM-L6-v2").name == "all-MiniLM-L6-v2"
    assert registry.embedding_model() is registry.embedding_model("other")


def test_nothing_of_the_other_is_built() -> None:
    built: list[str] = []

    def build() -> Other:
        built.append("other")
        return Other()

    registry.configure_models(
        chat={},
        embedding={"all-MiniLM-L6-v2": HashingEmbedding, "other": build},
        in_use=lambda: "all-MiniLM-L6-v2",
    )
    registry.embedding_model()
    assert registry.embedding_names() == ("all-MiniLM-L6-v2", "other")
    assert built == []


def test_a_model_that_is_not_set_up_is_said_with_those_that_are() -> None:
    registry.configure_models(chat={}, embedding=BOTH, in_use=lambda: "gone")
    with pytest.raises(UnknownModel, match=r"gone is not set up here \(set up: all-MiniLM-L6-v2, other\)"):
        registry.embedding_model()


def test_one_alone_has_its_name_too() -> None:
    registry.configure_models(chat={}, embedding=HashingEmbedding)
    assert registry.embedding_names() == ("all-MiniLM-L6-v2",)
    assert registry.embedding_model("all-MiniLM-L6-v2") is registry.embedding_model()
    with pytest.raises(UnknownModel):
        registry.embedding_model("other")


def test_several_models_need_to_know_which_is_in_use() -> None:
    with pytest.raises(ValueError, match="give in_use"):
        registry.configure_models(chat={}, embedding=BOTH)
