"""Shapes as both vendors accept them."""

from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, RootModel

from llm.schemas import strict_schema
from tests.doubles.closed_schemas import open_places


class Point(BaseModel):
    met: Literal["met", "half"] = Field(default="met", description="How far")
    score: Annotated[float, Field(ge=0, le=1)] = 0.0
    why: str | None = None


class Cat(BaseModel):
    kind: Literal["cat"]


class Dog(BaseModel):
    kind: Literal["dog"]


class Whole(BaseModel):
    first: Point = Field(description="The first")
    points: list[Point] = Field(min_length=1, max_length=3)
    animal: Cat | Dog = Field(discriminator="kind")
    done: bool = False


class Free(BaseModel):
    values: dict[str, int]


class Fixed(BaseModel):
    pair: tuple[int, str]


class Anything(BaseModel):
    value: Any


class Tree(BaseModel):
    children: list["Tree"] = []


@pytest.mark.parametrize("shape", [Point, Whole, Tree])
def test_a_shape_is_closed(shape: type[BaseModel]) -> None:
    assert open_places(strict_schema(shape)) == ""


def test_limits_are_said_not_set() -> None:
    schema = strict_schema(Point)["properties"]
    assert schema["score"] == {"type": "number", "description": "(minimum 0, maximum 1)"}
    assert schema["met"] == {"type": "string", "enum": ["met", "half"], "description": "How far"}


def test_what_may_be_absent_may_be_null() -> None:
    schema = strict_schema(Point)
    assert schema["required"] == ["met", "score", "why"]
    assert {"type": "null"} in schema["properties"]["why"]["anyOf"]


@pytest.mark.parametrize(
    ("shape", "what"), [(Free, "free mapping"), (Fixed, "fixed length"), (Anything, "any type")]
)
def test_a_shape_that_cannot_be_said_is_refused_by_its_place(shape: type[BaseModel], what: str) -> None:
    with pytest.raises(TypeError, match=rf"{shape.__name__}\.\w+: .*{what}"):
        strict_schema(shape)


def test_only_an_object_can_be_asked_for() -> None:
    with pytest.raises(TypeError, match="only an object"):
        strict_schema(RootModel[list[str]])
