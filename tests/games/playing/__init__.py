"""Tests of playing here."""
