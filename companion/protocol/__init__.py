"""docs/PROTOCOL.md as code: the state as the page's JSON, the page's actions as events. No HTTP and no thread here."""
