"""Players: names in logs, and the accounts that claim them."""
