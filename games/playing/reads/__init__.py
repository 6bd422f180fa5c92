"""Reading tables: the state of a game, what may be done, and what each viewer sees."""
