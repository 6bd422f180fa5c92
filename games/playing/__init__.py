"""Playing: tables at which games are played here, from the published commitment to the verified record."""
