"""Collections of games: favourites, and others that accounts name."""
