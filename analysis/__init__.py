"""What to ask of the engines, and how to say the answer."""
