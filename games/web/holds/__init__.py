"""Games that wait until somebody has looked at them."""
