"""The same assault under several sets of rules, side by side."""
