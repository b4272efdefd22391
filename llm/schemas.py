"""Write a pydantic model as the JSON schema that both vendors' structured output accepts.

In their common subset every object is closed and every property required (optional ones may be null), there are no
defaults, unions are `anyOf`, and limits are in descriptions; pydantic checks them later. A shape that does not fit (a
free mapping, a fixed-length tuple) is refused before any call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

Schema = dict[str, Any]

_KEPT = ("type", "enum", "const", "description")
_SAID = ("minLength", "maxLength", "pattern", "format", "minimum", "maximum", "exclusiveMinimum",
         "exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems")  # fmt: skip


def strict_schema(shape: type[BaseModel]) -> Schema:
    """The closed schema of `shape`. Raises TypeError for a shape that the vendors cannot be asked for."""
    full = shape.model_json_schema()
    definitions = full.get("$defs", {})
    root = definitions[full["$ref"].rpartition("/")[2]] if "$ref" in full else full
    schema = _closed_schema(root, shape.__name__)
    if schema.get("type") != "object":
        raise TypeError(f"{shape.__name__}: only an object can be asked for; wrap it in a model with a field")
    if definitions:
        schema["$defs"] = {name: _closed_schema(part, name) for name, part in definitions.items()}
    return schema


def _closed_schema(schema: Mapping[str, Any], where: str) -> Schema:
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}
    if len(schema.get("allOf", ())) == 1:
        return _closed_schema(schema["allOf"][0], where)
    closed = {key: schema[key] for key in _KEPT if key in schema}
    closed.update(_description_with_limits(schema))
    variants = schema.get("anyOf") or schema.get("oneOf")
    if variants:
        return {**closed, "anyOf": [_closed_schema(variant, where) for variant in variants]}
    if closed.get("type") == "array":
        if "prefixItems" in schema or "items" not in schema:
            raise TypeError(
                f"{where}: a tuple of fixed length cannot be asked for; use an object with named fields"
            )
        return {**closed, "items": _closed_schema(schema["items"], where)}
    if closed.get("type") == "object":
        return {**closed, **_object_schema(schema, where)}
    if not {"type", "enum", "const"} & closed.keys():
        raise TypeError(f"{where}: a value of any type cannot be asked for; give it a type")
    return closed


def _description_with_limits(schema: Mapping[str, Any]) -> Schema:
    limits = ", ".join(f"{key} {schema[key]}" for key in _SAID if key in schema)
    text = " ".join(part for part in (schema.get("description", ""), f"({limits})" if limits else "") if part)
    return {"description": text} if text else {}


def _object_schema(schema: Mapping[str, Any], where: str) -> Schema:
    properties = schema.get("properties")
    if properties is None or isinstance(schema.get("additionalProperties"), dict):
        raise TypeError(f"{where}: a free mapping cannot be asked for; use a list of named pairs")
    return {
        "properties": {name: _closed_schema(part, f"{where}.{name}") for name, part in properties.items()},
        "required": list(properties),
        "additionalProperties": False,
    }
