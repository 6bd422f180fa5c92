"""The doctor: checks a deployment and reports what is wrong with it, and what to do."""
