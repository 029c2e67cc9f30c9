"""Building sections: who is in them."""
