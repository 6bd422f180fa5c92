"""Games as they are recorded: who may see them, their replays, the rules, exports and monthly dumps."""
