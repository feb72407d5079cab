"""Matches on disk, their catalogue, signatures, pictures and backups; docs/ARCHITECTURE.md lists every file.

No rule of the game is decided here.
"""
