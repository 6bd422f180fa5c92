"""Playing here: the lobby and the pages of tables."""
