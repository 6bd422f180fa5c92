"""Unpacks uploaded files: streams in bounded memory, from sources with random access. Independent of Django."""
