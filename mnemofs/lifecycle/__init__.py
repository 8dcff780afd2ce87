"""What memory does: extraction, Dreaming, and the gates between a proposal and a commit."""
