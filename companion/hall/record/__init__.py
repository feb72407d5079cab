"""The hub's record in its database: rows, statements, and the lists beside them; only the hub writes it."""
