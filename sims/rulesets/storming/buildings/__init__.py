"""Buildings in 40k: their classes and armour, how many they hold, and fire out of them."""
