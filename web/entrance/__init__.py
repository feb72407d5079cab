"""How people get in: the first run, the table's own code for newcomers, and what a role may not do."""
