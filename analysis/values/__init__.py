"""What may be changed in a book or a scenario, and by which steps."""
