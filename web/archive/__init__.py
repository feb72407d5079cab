"""The pages about kept matches and players: list, replay, summary. They know no rules of the game."""
