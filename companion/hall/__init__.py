"""Tables and their hub over MQTT (docs/adr/0050): broker, store and protocol; nothing of cameras, pages or pins."""
