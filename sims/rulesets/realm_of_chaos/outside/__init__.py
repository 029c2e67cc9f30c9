"""Outside the building: the garrison comes out, and fights in the open."""
