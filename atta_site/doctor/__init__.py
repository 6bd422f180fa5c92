"""The doctor: looks a deployment over and says what is wrong with it, and what to do."""
