"""The interface's addresses."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
