"""Webhooks: addresses that are notified when an upload is done."""
