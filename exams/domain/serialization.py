"""A frozen value becomes plain JSON data, and JSON data that was stored becomes the value again.

One door for every value of an exam that is kept in a row. It knows dataclasses and nothing of what they mean.
"""

from __future__ import annotations

from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

Value = TypeVar("Value")


class StoredValueError(ValueError):
    """Stored data does not have the shape that was written; the message names value and field."""


_ADAPTERS: dict[type[Any], TypeAdapter[Any]] = {}


def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    """Building an adapter is slow and its kinds are few: each is built once."""
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


def to_stored(value: object) -> dict[str, Any]:
    """A dataclass as JSON data: dicts, lists, strings, numbers, booleans."""
    return cast(dict[str, Any], _adapter(type(value)).dump_python(value, mode="json"))


def from_stored(kind: type[Value], data: object) -> Value:
    """The value that `to_stored` wrote. Fields that this version does not know are passed over."""
    try:
        return cast(Value, _adapter(kind).validate_python(data))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "value"
        raise StoredValueError(f"{kind.__name__}, {place}: {first['msg']}") from error
