"""The front before the threads: receives bodies and sends answers without holding a thread.

A thread runs Django, gets a request only when all of it has arrived, and is free again when its answer is written. A
slow client costs a connection and some disk space, both limited, but never a thread.
"""
