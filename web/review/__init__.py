"""The page on which the turns of a recording are reviewed. It shows and passes on; it knows no rules."""
