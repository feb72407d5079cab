"""Frames from cameras, streams, files and folders. Nothing here looks at what a picture shows."""
