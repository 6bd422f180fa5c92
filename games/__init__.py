"""The Django app: takes games in, has them verified, shows them, ranks players."""
