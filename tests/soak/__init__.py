"""`make soak`: every test with large numbers, for as long as there is time, with a report of what was tried."""
