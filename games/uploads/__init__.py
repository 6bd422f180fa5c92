"""Uploads: files taken in, unpacked, split into records, and followed until they are done."""
