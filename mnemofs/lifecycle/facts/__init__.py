"""Facts projected from entries, how far to trust them, and where they contradict."""
