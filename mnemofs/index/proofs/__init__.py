"""That the index says what the files say, found out without it."""
