"""Welcome Back to the Dungeon, for 2 to 4 players."""
