"""What was said becomes memory: turns, conversations, extraction, the spool."""
