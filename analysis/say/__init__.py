"""How things are called and written: numbers, blocks, words of rules, scenarios and engines, and files."""
