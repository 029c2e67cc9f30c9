"""One assault under one set of rules: asked, answered and kept. What its answers depend on is this room and `sims`."""
