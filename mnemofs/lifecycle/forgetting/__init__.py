"""Forget and purge: where a statement stands, taking it out, keeping it out."""
