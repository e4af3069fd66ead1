"""What the papers measure on a finished embedding with given word sets."""
