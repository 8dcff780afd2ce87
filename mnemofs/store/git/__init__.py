"""Git's own formats, read and written: objects, trees, refs, settings, ignore rules."""
