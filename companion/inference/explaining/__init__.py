"""What may have been played: turns proposed, searched and weighed by views, in every explanation of the game so far."""
