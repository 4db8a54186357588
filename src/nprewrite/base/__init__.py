"""What every room may use: errors and warnings, the cache directory, forks."""
