"""Unpacking what was uploaded: streams in bounded memory, from sources that can be read anywhere. Knows no Django.

Nothing here is believed that a file says of itself: sizes are counted as they come, names are only shown, and what
costs more than it could hold is refused, with the reason.
"""
