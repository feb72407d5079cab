"""Matches as OGXM v2, the signed binary format of OpenGammon, by its reference codec (ADR 58). It reads no file."""
