"""What structured output refuses in a schema: open objects, optional properties, unknown limits."""

from __future__ import annotations

from typing import Any

ALLOWED = {
    "type",
    "enum",
    "const",
    "description",
    "anyOf",
    "items",
    "properties",
    "required",
    "$ref",
    "$defs",
}


def open_places(schema: Any, where: str = "schema") -> str:
    """The first fault in words, or an empty text."""
    if not isinstance(schema, dict):
        return f"{where} is no schema"
    unknown = schema.keys() - ALLOWED - {"additionalProperties"}
    if unknown:
        return f"{where}: {', '.join(sorted(unknown))} is not supported"
    if "$ref" in schema and len(schema) > 1:
        return f"{where}: $ref stands with other keys"
    if schema.get("type") == "object":
        if schema.get("additionalProperties") is not False:
            return f"{where}: additionalProperties must be false"
        if set(schema.get("required", ())) != set(schema.get("properties", ())):
            return f"{where}: every property must be required"
    parts = [*schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else ())]
    parts += [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values()]
    return next((fault for part in parts if (fault := open_places(part, where))), "")
