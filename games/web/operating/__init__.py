"""The operators' page: what waits, what failed, what runs, and what is paused."""
