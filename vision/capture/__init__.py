"""Frames from cameras, streams, files and folders. Nothing here interprets a picture."""
