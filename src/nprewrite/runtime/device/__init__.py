"""Arrays and calls on a device."""
