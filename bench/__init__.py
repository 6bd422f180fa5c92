"""Figures that anyone can take: `make bench`."""
