"""Built-in bots: they sit at tables like people, see what their seat sees, and act through the same calls."""
