"""Damage: walls and those who strike them, stability, collapse and fire."""
