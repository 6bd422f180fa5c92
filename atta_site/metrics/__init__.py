"""Metrics for Prometheus: what processes count, what the database holds, and the page that shows both."""
