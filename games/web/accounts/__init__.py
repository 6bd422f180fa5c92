"""How registering and signing in work here: what django-allauth asks its host for."""
