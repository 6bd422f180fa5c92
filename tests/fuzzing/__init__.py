"""Fuzzing: records and archives changed at random; nothing may crash, hang, or be judged in two ways."""
