"""Building sections: who is in them, fire out of them and at them, storms, and sallies."""
