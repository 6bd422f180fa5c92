"""Reading clubs; nothing here writes."""
