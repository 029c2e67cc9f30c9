"""Assaults as explicit models, for programs that share no code with this one."""
