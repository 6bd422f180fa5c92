"""Reads of this room: nothing here writes."""
