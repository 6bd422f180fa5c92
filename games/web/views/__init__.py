"""What answers requests for pages: each view reads the request, makes one call, answers."""
