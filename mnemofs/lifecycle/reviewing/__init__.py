"""What waits for a person: proposals, conflicts, the morning card, decisions."""
