"""The figures are of what they say they are."""
