"""Area weapons: how markers scatter, who is under them, and what they do."""
