"""The published API document, and a check of JSON against it."""

import json
from functools import cache
from typing import Any

import jsonschema_rs

from companion.service.page_services import page_shapes
from web.openapi import document


@cache
def published() -> dict[str, Any]:
    """The document of /api/openapi.json."""
    return dict(json.loads(json.dumps(document(page_shapes(), "board_role"))))


def components() -> dict[str, Any]:
    """The document's schemas by name."""
    return dict(published()["components"]["schemas"])


def faults(value: object, name: str = "State", strict: bool = True) -> list[str]:
    """Deviations of a value from the component, each with its path; with `strict` unnamed fields count, too."""
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
    """The same schema with no fields allowed in an object besides the named ones."""
    if isinstance(schema, list):
        return [_closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: _closed(value) for key, value in schema.items()}
    named = schema.get("type") == "object" and isinstance(schema.get("properties"), dict)
    return {**closed, "additionalProperties": False} if named else closed
