"""Looking positions up; nothing here writes."""
