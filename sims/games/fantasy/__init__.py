"""The mechanics of the fantasy game, 3rd edition, that building rules lean on."""
