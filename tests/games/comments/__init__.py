"""Tests of comments on games."""
