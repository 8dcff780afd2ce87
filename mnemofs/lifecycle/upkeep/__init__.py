"""Consolidation of structured entries, the character, and when things run."""
