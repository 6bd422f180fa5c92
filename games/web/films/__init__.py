"""Films of games: asking for one, and the page of one."""
