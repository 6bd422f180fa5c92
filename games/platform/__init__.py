"""What every room needs and no subject owns: locks, errors, paging, rate limits."""
