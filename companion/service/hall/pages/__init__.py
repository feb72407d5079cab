"""What the hub's pages ask for: overview, matches, pairings, draws and rulings; no HTTP here."""
