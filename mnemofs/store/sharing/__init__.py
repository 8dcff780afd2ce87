"""Other copies of a memory: reached, merged with ours, come back to after a purge."""
