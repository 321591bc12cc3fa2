"""The site: lesson artifacts in, a folder of static files out, and a server for authors."""
