"""What pages show, as plain values: made from what selectors read, before a template sees it."""
