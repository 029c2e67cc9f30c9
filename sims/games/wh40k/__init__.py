"""The 40k mechanics that building rules lean on; editions are data where only numbers differ."""
