"""Match files of eXtreme Gammon and BGBlitz, by the library `gammonview` (ADR 62). It reads no file."""
