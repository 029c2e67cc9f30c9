"""What good players make of an assault: best play, its lists, and what a wrong choice costs."""
