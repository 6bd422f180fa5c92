"""Serving: Django's own ASGI handler, with bounds on what its clients can take.

A thread runs Django, gets a request only when all of it has arrived, and is free again when its answer is made. A slow
client costs a connection and some disk space, both limited, but never a thread.
"""
