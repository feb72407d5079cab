"""Whether a JSON value has the shape that the API's document asks for: a small part of JSON Schema."""

from collections.abc import Mapping, Sequence
from typing import Any

Schema = Mapping[str, Any]

_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


def fault(value: object, schema: Schema, where: str = "The request") -> str | None:
    """The first thing that is wrong with the value, as a sentence; None when it fits.

    Understands type, enum, minimum, maximum, minLength, maxLength, properties, required, additionalProperties
    (a schema or False), maxProperties, items, minItems and maxItems.
    """
    wrong = _type_fault(value, schema, where)
    if wrong is not None:
        return wrong
    if "enum" in schema and value not in schema["enum"]:
        return f"{where} must be one of {', '.join(map(str, schema['enum']))}."
    if isinstance(value, str):
        return _text_fault(value, schema, where)
    if isinstance(value, list):
        return _list_fault(value, schema, where)
    if isinstance(value, dict):
        return _object_fault(value, schema, where)
    if isinstance(value, int | float) and not isinstance(value, bool):
        low, high = schema.get("minimum"), schema.get("maximum")
        if (low is not None and value < low) or (high is not None and value > high):
            return f"{where} must lie between {low} and {high}."
    return None


def _type_fault(value: object, schema: Schema, where: str) -> str | None:
    wanted = schema.get("type")
    if wanted is None:
        return None
    names: Sequence[str] = [wanted] if isinstance(wanted, str) else wanted
    for name in names:
        if isinstance(value, _TYPES[name]) and (name == "boolean" or not isinstance(value, bool)):
            return None
    return f"{where} must be of type {' or '.join(names)}."


def _text_fault(value: str, schema: Schema, where: str) -> str | None:
    if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", 10_000):
        return f"{where} is too long or too short."
    try:
        value.encode()
    except UnicodeEncodeError:  # half a surrogate pair can be written in JSON, but never shown or kept
        return f"{where} contains half a character."
    return None


def _list_fault(value: list[Any], schema: Schema, where: str) -> str | None:
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", 1000):
        return f"{where} has too many or too few entries."
    items = schema.get("items", {})
    inner = where[0].lower() + where[1:]
    faults = (fault(item, items, f"Entry {n} of {inner}") for n, item in enumerate(value, 1))
    return next((wrong for wrong in faults if wrong is not None), None)


def _object_fault(value: dict[str, Any], schema: Schema, where: str) -> str | None:
    for name in schema.get("required", ()):
        if name not in value:
            return f"{where} lacks “{name}”."
    if len(value) > schema.get("maxProperties", 100):
        return f"{where} has too many fields."
    known, others = schema.get("properties", {}), schema.get("additionalProperties", {})
    for name, content in value.items():
        wrong = _text_fault(name, {}, "A field's name")
        if wrong is not None:
            return wrong
        if name not in known and others is False:
            return f"{where} has a field “{name[:40]}” that means nothing here."
        wrong = fault(content, known.get(name, others), f"“{name[:40]}”")
        if wrong is not None:
            return wrong
    return None
