"""How dates are written, where it is not as the framework does it."""
