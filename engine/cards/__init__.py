"""The card games, their data, and the players for games with hidden information."""
