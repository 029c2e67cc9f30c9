"""Inside the building: moving in it, fighting in it, running out of a fight."""
