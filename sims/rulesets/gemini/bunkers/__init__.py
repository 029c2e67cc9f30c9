"""Bunkers: armour, the Bunker Hits Table, and attacks on the walls."""
