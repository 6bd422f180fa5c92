"""Faults: a whole site is broken in planned ways while clients upload; an independent checker compares the outcome."""
