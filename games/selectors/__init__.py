"""What is read from the database, one topic a file. Nothing in here writes."""
