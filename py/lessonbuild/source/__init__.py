"""The source boundary: an author's Markdown becomes typed blocks, or every mistake in it with its line."""
