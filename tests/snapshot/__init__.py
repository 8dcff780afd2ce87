"""A memory as a ZIP file, and such files taken in."""
