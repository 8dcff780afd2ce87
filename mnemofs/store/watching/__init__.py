"""Folding hand edits into commits while they are made."""
