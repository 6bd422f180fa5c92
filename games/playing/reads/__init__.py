"""Reading tables: how a game stands, what may be done, and what each viewer is shown."""
