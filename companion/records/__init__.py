"""Matches as text: our rows, the field's files and ids, reports. Text in, values out; nothing here opens a file."""
