"""The live server: event streams that stay open, in a kind of process of their own.

A stream begins as an ordinary page: Django answers it in a thread, checks who may see it, and says what has happened
until now. Then the stream is held open without a thread, and what happens from now on is added to it.
"""
