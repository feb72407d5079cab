"""The published document of the API, and whether JSON keeps to it to the letter."""

import json
from functools import cache
from typing import Any

import jsonschema_rs

from companion.service.page_services import page_shapes
from web.openapi import document


@cache
def published() -> dict[str, Any]:
    """The document, as /api/openapi.json has it."""
    return dict(json.loads(json.dumps(document(page_shapes()))))


def components() -> dict[str, Any]:
    """Its schemas by name."""
    return dict(published()["components"]["schemas"])


def faults(value: object, name: str = "State", strict: bool = True) -> list[str]:
    """The places where a value is not as the component has it; with `strict` also fields that it does not name."""
    plain = json.loads(json.dumps(value))
    return [
        f"{'/'.join(map(str, error.instance_path))}: {error.message}"
        for error in _validator(name, strict).iter_errors(plain)
    ]


@cache
def _validator(name: str, strict: bool) -> jsonschema_rs.Draft202012Validator:
    schemas = _closed(components()) if strict else components()
    return jsonschema_rs.Draft202012Validator(
        {"$ref": f"#/components/schemas/{name}", "components": {"schemas": schemas}}
    )


def _closed(schema: Any) -> Any:
    """The same with no field allowed in an object besides those that it names."""
    if isinstance(schema, list):
        return [_closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: _closed(value) for key, value in schema.items()}
    named = schema.get("type") == "object" and isinstance(schema.get("properties"), dict)
    return {**closed, "additionalProperties": False} if named else closed
