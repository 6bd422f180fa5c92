"""Unpacking uploaded files: streams in bounded memory, from sources that can be read anywhere. Knows no Django."""
