"""Nerve: heavy casualties, pinning, routs and pursuit."""
