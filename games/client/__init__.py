"""`atta upload`: hands files in at a site. It knows the interface and nothing else of the service, nor any package."""
