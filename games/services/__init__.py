"""What changes the database, one topic a file."""
