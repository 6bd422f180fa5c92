"""Playing: tables at which games are played here, from the secret fixed first to the record that is verified."""
