"""Date formats that differ from the framework's."""
