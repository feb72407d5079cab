"""What Home Assistant finds of a hall by MQTT discovery: for each table a sensor that is on while it needs a person."""

from typing import Any

from companion.hall.protocol.topics import Topics


def sensor_of(hall: str, table: str) -> dict[str, Any]:
    """The discovery message of a table: a binary sensor, made from the table's own retained messages."""
    topics, name = Topics(hall, table), f"board-{hall}-{table}"
    return {
        "name": "Person wanted",
        "unique_id": f"{name}-wanted",
        "icon": "mdi:account-alert",
        "state_topic": topics.state,
        "value_template": "{{ 'ON' if value_json.wanted else 'OFF' }}",
        "json_attributes_topic": topics.state,
        "json_attributes_template": "{{ {'reasons': value_json.wanted} | tojson }}",
        "availability_topic": topics.availability,
        "availability_template": "{{ value_json.status }}",
        "payload_available": "online",
        "payload_not_available": "offline",
        "qos": 1,
        "device": {
            "identifiers": [name],
            "name": f"Table {table}",
            "model": f"Table of the hall {hall}",
            "manufacturer": "board-companion",
        },
        "origin": {"name": "board-companion"},
    }
