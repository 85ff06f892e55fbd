"""How good is it, exactly: one judge a game."""
