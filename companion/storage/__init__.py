"""Everything on disk: the journal, pictures, join codes, backups. No rule of the game is decided here."""
