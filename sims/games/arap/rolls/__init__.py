"""Rolls: to hit, to wound, to save, against characteristics, scatter and odd dice."""
