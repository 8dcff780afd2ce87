"""Forgetting, purging, scanning."""
