"""The front before the threads: receives bodies and sends answers without holding a thread.

A thread runs Django and is given a request only when all of it is here, and is free again when its answer is written.
How slowly a client sends or reads costs a connection and some disk, both bounded, and never a thread.
"""
