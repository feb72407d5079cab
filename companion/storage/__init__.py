"""Everything on disk: matches, their catalogue, pictures, join codes, backups. No rule of the game is decided here."""
