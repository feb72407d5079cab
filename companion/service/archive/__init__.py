"""What the pages about kept matches and players are given: lists, files, score sheet, replay, analyses."""
