"""Base games that building rules lean on."""
