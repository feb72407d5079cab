"""Match files of eXtreme Gammon and BGBlitz, by the library `gammonview` (ADR 63). It reads no file."""
