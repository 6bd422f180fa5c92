"""Archives: files that are too large, or packed, to be cut in the request. Stored in pieces, then split by a worker."""
