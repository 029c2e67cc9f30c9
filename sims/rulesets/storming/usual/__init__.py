"""What goes by the usual rules of the game: attacks on the structure, assaults into ruins, fights in the open."""
