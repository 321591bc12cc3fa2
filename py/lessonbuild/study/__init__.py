"""`build.py study`: one run of the core per seed, many seeds, and one file that says what came of them."""
