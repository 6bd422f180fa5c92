"""The Django app: receives games, has them verified, shows them, ranks players."""
