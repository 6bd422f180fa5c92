"""The pages of games and dumps."""
